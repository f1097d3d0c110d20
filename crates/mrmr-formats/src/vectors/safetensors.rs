//! Safetensors: eight bytes with the length of a JSON header, the header, the numbers of all tensors.
//!
//! Format: <https://github.com/huggingface/safetensors#format>.

use std::io::Read;

use mrmr_core::{Error, Result, closest};
use serde_json::{Map, Value};

use super::bytes::{exact, numbers};
use super::flat::Flat;
use super::named_rows::NamedRows;
use super::number::Number;
use super::read::{Opened, VectorShape, check_shape};
use super::source::{Source, Stream};

/// The library of the format refuses longer headers.
const LONGEST_HEADER: u64 = 100_000_000;

/// What a header says of a tensor.
pub(crate) struct Tensor<'a> {
    pub(crate) name: &'a str,
    pub(crate) dtype: &'a str,
    pub(crate) shape: Vec<usize>,
    pub(crate) start: u64,
    pub(crate) end: u64,
}

/// Whether a file that starts like this is one of these.
pub(crate) fn is_here(head: &[u8]) -> bool {
    let Some((length, rest)) = head.split_first_chunk::<8>() else {
        return false;
    };
    rest.first() == Some(&b'{') && u64::from_le_bytes(*length) <= LONGEST_HEADER
}

/// Reads the header, and how many bytes it has with its length.
pub(crate) fn read_header(
    reader: &mut impl Read,
    size: Option<u64>,
) -> Result<(Map<String, Value>, u64)> {
    let mut length = [0; 8];
    exact(reader, &mut length, "the length of the header")?;
    let length = u64::from_le_bytes(length);
    if length > LONGEST_HEADER {
        return Err(Error::format(format!(
            "expected a safetensors header of at most {LONGEST_HEADER} bytes, found {length}"
        )));
    }
    if let Some(size) = size
        && length > size.saturating_sub(8)
    {
        return Err(Error::format(format!(
            "expected a whole header, {length} bytes; the file ends after {} of them",
            size.saturating_sub(8)
        ))
        .hint("the file is cut off; write or copy it again"));
    }
    let mut header = Vec::new();
    reader
        .take(length)
        .read_to_end(&mut header)
        .map_err(Error::io)?;
    if (header.len() as u64) < length {
        return Err(Error::format(format!(
            "expected a whole header, {length} bytes; the file ends after {} of them",
            header.len()
        ))
        .hint("the file is cut off; write or copy it again"));
    }
    let header: Map<String, Value> = serde_json::from_slice(&header).map_err(|error| {
        Error::format(format!(
            "expected a JSON object as the header of safetensors: {error}"
        ))
        .because(error)
    })?;
    Ok((header, 8 + length))
}

/// Refuses a file that does not have as many bytes of numbers as its header says.
pub(crate) fn check_size(tensors: &[Tensor<'_>], size: Option<u64>, head: u64) -> Result<()> {
    let whole = tensors.iter().map(|tensor| tensor.end).max().unwrap_or(0);
    let found = size.map(|size| size - head);
    if let Some(found) = found.filter(|found| *found != whole) {
        return Err(Error::format(format!(
            "expected {whole} bytes of numbers by the header, found {found}"
        ))
        .hint("the file is cut off or damaged; write or copy it again"));
    }
    Ok(())
}

/// Opens a tensor of two axes: the named one, or the only one.
pub(super) fn open(mut stream: Stream, size: Option<u64>, asked: Option<&str>) -> Result<Opened> {
    let (header, head) = read_header(&mut stream, size)?;
    let tensors = tensors(&header)?;
    check_size(&tensors, size, head)?;
    let tensor = chosen(&tensors, asked)?;
    let about = |error: Error| in_tensor(tensor.name, &error);
    let number = Number::of_tensor(tensor.dtype).map_err(about)?;
    let [rows, dimension] = tensor.shape[..] else {
        return Err(Error::format(format!(
            "tensor '{}': expected two axes, vectors and components; found the shape {:?}",
            tensor.name, tensor.shape
        )));
    };
    check_shape(rows, dimension).map_err(about)?;
    let bytes = (rows * dimension * number.width()) as u64;
    if tensor.end - tensor.start != bytes {
        return Err(Error::format(format!(
            "tensor '{}': expected {bytes} bytes for {rows} x {dimension} of {}, found {} by its offsets",
            tensor.name,
            tensor.dtype,
            tensor.end - tensor.start
        )));
    }
    let mut at = 0;
    let scales = match scales_of(&tensors, tensor, rows) {
        Some(scales) => {
            at = scales.end;
            read_scales(&mut stream, tensor, scales)?
        }
        None => Vec::new(),
    };
    let mut before = (&mut stream).take(tensor.start - at);
    std::io::copy(&mut before, &mut std::io::sink()).map_err(Error::io)?;
    let shape = VectorShape {
        rows: Some(rows),
        dimension,
    };
    let flat = Flat::new(stream, number, rows, dimension, tensor.dtype.to_owned());
    // Other tensors may follow.
    let rows_of_file: Box<dyn Source> = Box::new(flat.with_more_behind());
    let ids = ids_of(&header, &tensors, rows)?;
    if ids.is_none() && scales.is_empty() {
        return Ok(Opened {
            shape,
            has_ids: false,
            source: rows_of_file,
        });
    }
    Ok(Opened {
        shape,
        has_ids: ids.is_some(),
        source: Box::new(NamedRows {
            rows: rows_of_file,
            ids: ids.unwrap_or_default().into_iter(),
            scales,
            dimension,
            next_row: 0,
        }),
    })
}

/// The text of a key in the file's metadata.
pub(crate) fn metadata<'a>(header: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    header.get("__metadata__")?.get(key)?.as_str()
}

/// The ids of the rows: a JSON list in the metadata `ids`. Those of items of many vectors each are none of rows.
fn ids_of(
    header: &Map<String, Value>,
    tensors: &[Tensor<'_>],
    rows: usize,
) -> Result<Option<Vec<String>>> {
    let of_items = ["offsets", "lengths"];
    let Some(text) = metadata(header, "ids") else {
        return Ok(None);
    };
    if tensors.iter().any(|tensor| of_items.contains(&tensor.name)) {
        return Ok(None);
    }
    let ids: Vec<String> = serde_json::from_str(text).map_err(|error| {
        Error::format(format!(
            "expected a JSON list of texts as the metadata 'ids': {error}"
        ))
        .because(error)
    })?;
    if ids.len() != rows {
        return Err(Error::data(format!(
            "expected an id for each of the {rows} vectors, found {} in the metadata",
            ids.len()
        )));
    }
    Ok(Some(ids))
}

/// What the rows of codes of 8 bits are multiplied by, where the file has it.
fn scales_of<'t, 'a>(
    tensors: &'t [Tensor<'a>],
    codes: &Tensor<'_>,
    rows: usize,
) -> Option<&'t Tensor<'a>> {
    let mut named = tensors.iter().filter(|tensor| tensor.name == "scales");
    named.find(|tensor| codes.dtype == "I8" && tensor.dtype == "F32" && tensor.shape == [rows])
}

fn read_scales(stream: &mut Stream, codes: &Tensor<'_>, scales: &Tensor<'_>) -> Result<Vec<f32>> {
    if scales.end > codes.start {
        return Err(Error::unsupported(format!(
            "expected the tensor 'scales' before '{}', found it behind",
            codes.name
        ))
        .hint("the file is read once, from its start"));
    }
    let mut before = stream.take(scales.start);
    std::io::copy(&mut before, &mut std::io::sink()).map_err(Error::io)?;
    let (number, count) = (Number::of_tensor(scales.dtype)?, scales.shape[0]);
    if scales.end - scales.start != (count * number.width()) as u64 {
        return Err(Error::format(format!(
            "tensor 'scales': expected {} bytes, found {} by its offsets",
            count * number.width(),
            scales.end - scales.start
        )));
    }
    numbers(stream, number, count, scales.dtype)
}

pub(crate) fn in_tensor(name: &str, error: &Error) -> Error {
    let message = format!("tensor '{name}': {}", error.message());
    let hints = error.hints().iter().cloned();
    hints.fold(Error::new(error.kind(), message), Error::hint)
}

pub(crate) fn tensors(header: &Map<String, Value>) -> Result<Vec<Tensor<'_>>> {
    let entries = header
        .iter()
        .filter(|(name, _)| *name != "__metadata__")
        .map(|(name, value)| {
            tensor(name, value).ok_or_else(|| {
                Error::format(format!(
                    "tensor '{name}': expected dtype, shape and data_offsets, found {}",
                    crate::json_lines::short(value)
                ))
            })
        });
    entries.collect()
}

fn tensor<'a>(name: &'a str, value: &'a Value) -> Option<Tensor<'a>> {
    let shape = value.get("shape")?.as_array()?.iter();
    let shape = shape.map(|size| usize::try_from(size.as_u64()?).ok());
    let [start, end] = value.get("data_offsets")?.as_array()?.as_slice() else {
        return None;
    };
    let (start, end) = (start.as_u64()?, end.as_u64()?);
    Some(Tensor {
        name,
        dtype: value.get("dtype")?.as_str()?,
        shape: shape.collect::<Option<_>>()?,
        start,
        end: Some(end).filter(|end| start <= *end)?,
    })
}

fn chosen<'t, 'a>(tensors: &'t [Tensor<'a>], asked: Option<&str>) -> Result<&'t Tensor<'a>> {
    let mut names: Vec<&str> = tensors.iter().map(|tensor| tensor.name).collect();
    names.sort_unstable();
    let listed = match names.as_slice() {
        [] => "none".to_owned(),
        names => names.join(", "),
    };
    match asked {
        Some(asked) => tensors
            .iter()
            .find(|tensor| tensor.name == asked)
            .ok_or_else(|| {
                Error::usage(format!("there is no tensor '{asked}'; found {listed}")).hint_maybe(
                    closest(asked, names.iter().copied())
                        .map(|name| format!("did you mean {name}?")),
                )
            }),
        None => {
            let mut matrices = tensors.iter().filter(|tensor| tensor.shape.len() == 2);
            match (matrices.next(), matrices.next()) {
                (Some(only), None) => Ok(only),
                (None, _) => Err(Error::format(format!(
                    "expected a tensor of two axes, vectors and components; found {listed}"
                ))),
                (Some(_), Some(_)) => Err(Error::usage(format!(
                    "expected one tensor of two axes, found several: {listed}"
                ))
                .hint("name the tensor that holds the vectors")),
            }
        }
    }
}
