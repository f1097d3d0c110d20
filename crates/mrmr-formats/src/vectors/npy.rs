//! NumPy's `.npy` files.

use std::io::Read;

use mrmr_core::{Error, Result};

use super::bytes::exact;
use super::flat::Flat;
use super::fortran::Fortran;
use super::header::{self, Header};
use super::number::Number;
use super::read::{VectorShape, check_shape};
use super::source::{Source, Stream};

pub(crate) const MAGIC: &[u8] = b"\x93NUMPY";
/// NumPy itself refuses longer headers.
const LONGEST_HEADER: usize = 10_000;

/// Opens an array of two axes: vectors and their components.
pub(super) fn open(
    mut stream: Stream,
    size: Option<u64>,
) -> Result<(VectorShape, Box<dyn Source>)> {
    let (header, start) = read_header(&mut stream)?;
    let number = Number::named(&header.descr)?;
    let [rows, dimension] = axes(&header)?;
    let shape = VectorShape {
        rows: Some(rows),
        dimension,
    };
    let flat = Flat::new(
        stream,
        number,
        rows,
        dimension,
        format!("'{}'", header.descr),
    );
    let source: Box<dyn Source> = match header.fortran_order {
        true => Box::new(Fortran::new(flat, start, size)?),
        false => Box::new(flat),
    };
    Ok((shape, source))
}

/// The header, and where the numbers start.
pub(crate) fn read_header(reader: &mut impl Read) -> Result<(Header, u64)> {
    let mut start = [0; 8];
    exact(reader, &mut start, "a .npy header")?;
    if !start.starts_with(MAGIC) {
        return Err(
            Error::format("expected a .npy file, which starts with \\x93NUMPY")
                .hint("numpy.save writes such a file; .npz, .pt and .safetensors are others"),
        );
    }
    let (before, length) = match start[6] {
        1 => {
            let mut length = [0; 2];
            exact(reader, &mut length, "the length of the header")?;
            (10, usize::from(u16::from_le_bytes(length)))
        }
        2 | 3 => {
            let mut length = [0; 4];
            exact(reader, &mut length, "the length of the header")?;
            (12, u32::from_le_bytes(length) as usize)
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
    let header = header::parse(&String::from_utf8_lossy(&text)).map_err(Error::format)?;
    Ok((header, before + length as u64))
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
