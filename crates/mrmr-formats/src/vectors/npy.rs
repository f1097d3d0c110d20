//! NumPy's `.npy` files.

use std::io::Read;

use mrmr_core::{Error, Result};

use super::bytes::{exact, fill, numbers};
use super::header::{self, Header};
use super::number::Number;
use super::read::{Announce, Rows, VectorShape, check_shape};

pub(crate) const MAGIC: &[u8] = b"\x93NUMPY";
/// NumPy itself refuses longer headers.
const LONGEST_HEADER: usize = 10_000;

/// Reads an array of two axes: vectors and their components.
pub(super) fn read(reader: &mut impl Read, announce: Announce<'_>) -> Result<Rows> {
    let header = read_header(reader)?;
    let number = Number::named(&header.descr)?;
    let [rows, dimension] = axes(&header)?;
    announce(VectorShape {
        rows: Some(rows),
        dimension,
    })?;
    let what = format!("'{}'", header.descr);
    let data = numbers(reader, number, rows * dimension, &what)?;
    if fill(reader, &mut [0])? > 0 {
        return Err(Error::format(format!(
            "expected {} bytes of numbers ({} of {what}), found more",
            rows * dimension * number.width(),
            rows * dimension,
        ))
        .hint("a file holds one array; save others to files of their own"));
    }
    Ok(Rows {
        rows,
        dimension,
        data: match header.fortran_order {
            true => transposed(&data, rows, dimension),
            false => data,
        },
        ids: None,
    })
}

pub(crate) fn read_header(reader: &mut impl Read) -> Result<Header> {
    let mut start = [0; 8];
    exact(reader, &mut start, "a .npy header")?;
    if !start.starts_with(MAGIC) {
        return Err(
            Error::format("expected a .npy file, which starts with \\x93NUMPY")
                .hint("numpy.save writes such a file; .npz, .pt and .safetensors are others"),
        );
    }
    let length = match start[6] {
        1 => {
            let mut length = [0; 2];
            exact(reader, &mut length, "the length of the header")?;
            usize::from(u16::from_le_bytes(length))
        }
        2 | 3 => {
            let mut length = [0; 4];
            exact(reader, &mut length, "the length of the header")?;
            u32::from_le_bytes(length) as usize
        }
        other => {
            return Err(Error::unsupported(format!(
                "expected version 1, 2 or 3 of the .npy format, found {other}"
            )));
        }
    };
    if length > LONGEST_HEADER {
        return Err(Error::format(format!(
            "expected a header of at most {LONGEST_HEADER} bytes, found {length}"
        )));
    }
    let mut text = vec![0; length];
    exact(reader, &mut text, "a whole header")?;
    header::parse(&String::from_utf8_lossy(&text)).map_err(Error::format)
}

fn axes(header: &Header) -> Result<[usize; 2]> {
    let [rows, dimension] = header.shape[..] else {
        let shape: Vec<String> = header.shape.iter().map(usize::to_string).collect();
        return Err(Error::format(format!(
            "expected two axes, vectors and components; found {}: shape ({})",
            header.shape.len(),
            shape.join(", ")
        ))
        .hint(match header.shape.len() {
            1 => "one vector alone is saved as vector[None, :]",
            _ => "one vector a record; flatten or pool the others",
        }));
    };
    check_shape(rows, dimension)?;
    Ok([rows, dimension])
}

/// Column after column becomes row after row.
fn transposed(data: &[f32], rows: usize, dimension: usize) -> Vec<f32> {
    let cells = (0..rows).flat_map(|row| (0..dimension).map(move |column| column * rows + row));
    cells.map(|cell| data[cell]).collect()
}
