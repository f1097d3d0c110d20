//! Reading `.npy` files.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use mrmr_core::{Error, Place, Result};

use super::VectorFile;
use super::header::{self, Header};
use super::number::Number;

const MAGIC: &[u8] = b"\x93NUMPY";
/// NumPy itself refuses longer headers.
const LONGEST_HEADER: usize = 10_000;
const BLOCK: usize = 1 << 20;

/// Reads vectors: two axes of floats of 2, 4 or 8 bytes, either byte order, in C or Fortran order.
///
/// Floats of 8 bytes are rounded to the nearest of 4.
///
/// # Errors
/// If the file has another form, is too short or too long, or a component is not finite; the row is named.
pub fn read_vectors(path: impl AsRef<Path>) -> Result<VectorFile> {
    let path = path.as_ref();
    let name = path.display().to_string();
    let read = || {
        let file = File::open(path).map_err(Error::io)?;
        let mut reader = BufReader::with_capacity(BLOCK, file);
        let header = read_header(&mut reader)?;
        let number = Number::named(&header.descr)?;
        let [rows, dimension] = axes(&header)?;
        let data = read_data(&mut reader, &header, number, rows * dimension)?;
        Ok((header.fortran_order, rows, dimension, data))
    };
    let (fortran_order, rows, dimension, data) =
        read().map_err(|error: Error| error.at(Place::whole(&name)))?;
    let data = if fortran_order {
        transposed(&data, rows, dimension)
    } else {
        data
    };
    let mut zero_rows = Vec::new();
    for (row, vector) in data.chunks_exact(dimension.max(1)).enumerate() {
        if let Some(component) = vector.iter().position(|value| !value.is_finite()) {
            return Err(Error::data(format!(
                "expected finite numbers, found {} in component {component}",
                vector[component]
            ))
            .at(Place::row(&name, row as u64))
            .hint("the encoder failed on this record, or the number is too large for 4 bytes"));
        }
        if vector.iter().all(|value| *value == 0.0) {
            zero_rows.push(row);
        }
    }
    Ok(VectorFile {
        rows,
        dimension,
        data,
        zero_rows,
    })
}

fn read_header(reader: &mut impl Read) -> Result<Header> {
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
    if dimension == 0 && rows > 0 {
        return Err(Error::format(format!(
            "expected vectors with components, found {rows} without any"
        )));
    }
    let size = rows
        .checked_mul(dimension)
        .and_then(|count| count.checked_mul(8));
    if size.is_none_or(|size| size > isize::MAX as usize) {
        return Err(Error::format(format!(
            "expected a size that memory can hold, found the shape ({rows}, {dimension})"
        )));
    }
    Ok([rows, dimension])
}

/// Reads `count` numbers, which must be all that is left.
fn read_data(
    reader: &mut impl Read,
    header: &Header,
    number: Number,
    count: usize,
) -> Result<Vec<f32>> {
    let expected = count * number.width();
    let mut data = Vec::new();
    let mut block = vec![0; BLOCK.min(expected)];
    let mut done = 0;
    while done < expected {
        let wanted = block.len().min(expected - done);
        let found = fill(reader, &mut block[..wanted])?;
        done += found;
        if found < wanted {
            return Err(Error::format(format!(
                "expected {expected} bytes of numbers ({count} of '{}'), found {done}",
                header.descr
            ))
            .hint("the file is cut off; write or copy it again"));
        }
        number.append(&block[..wanted], &mut data);
    }
    if fill(reader, &mut [0])? > 0 {
        return Err(Error::format(format!(
            "expected {expected} bytes of numbers ({count} of '{}'), found more",
            header.descr
        ))
        .hint("a file holds one array; save others to files of their own"));
    }
    Ok(data)
}

fn exact(reader: &mut impl Read, bytes: &mut [u8], what: &str) -> Result<()> {
    let found = fill(reader, bytes)?;
    if found < bytes.len() {
        return Err(Error::format(format!(
            "expected {what}, {} bytes; the file ends after {found} of them",
            bytes.len()
        )));
    }
    Ok(())
}

/// Fills the bytes as far as the file goes.
fn fill(reader: &mut impl Read, bytes: &mut [u8]) -> Result<usize> {
    let mut filled = 0;
    while filled < bytes.len() {
        match reader.read(&mut bytes[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Error::io(error)),
        }
    }
    Ok(filled)
}

/// Column after column becomes row after row.
fn transposed(data: &[f32], rows: usize, dimension: usize) -> Vec<f32> {
    let cells = (0..rows).flat_map(|row| (0..dimension).map(move |column| column * rows + row));
    cells.map(|cell| data[cell]).collect()
}
