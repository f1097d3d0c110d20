//! Safetensors with the vectors of all items in one tensor, and where each item starts in another.

use std::io::Read;

use mrmr_core::{Error, Place, Result};
use serde_json::{Map, Value};

use super::{MultiVectorFile, check};
use crate::json_lines::{id, short};
use crate::vectors::bytes::{exact, numbers};
use crate::vectors::ids::refuse_repeated;
use crate::vectors::number::Number;
use crate::vectors::read::check_shape;
use crate::vectors::safetensors::{Tensor, check_size, in_tensor, read_header, tensors};

/// Reads the tensor of vectors, `vectors` unless it is named, and `offsets` or `lengths`.
pub(super) fn read(
    reader: &mut impl Read,
    size: Option<u64>,
    asked: Option<&str>,
) -> Result<MultiVectorFile> {
    let (header, head) = read_header(reader, size)?;
    let tensors = tensors(&header)?;
    check_size(&tensors, size, head)?;
    let find = |name: &str| tensors.iter().find(|tensor| tensor.name == name);
    let name = asked.unwrap_or("vectors");
    let vectors = find(name).ok_or_else(|| missing(name, &tensors))?;
    let (cuts, are_lengths) = match (find("offsets"), find("lengths")) {
        (Some(offsets), None) => (offsets, false),
        (None, Some(lengths)) => (lengths, true),
        (None, None) => return Err(missing("offsets' or 'lengths", &tensors)),
        (Some(_), Some(_)) => {
            return Err(Error::format(
                "expected a tensor 'offsets' or 'lengths', found both",
            ));
        }
    };
    // Tensors stand in any order, and the file is read once.
    let mut at = 0;
    let (mut data, mut whole) = (None, None);
    let mut wanted = [vectors, cuts];
    wanted.sort_by_key(|tensor| tensor.start);
    for tensor in wanted {
        if tensor.start < at {
            return Err(Error::format(
                "expected tensors apart, found two that overlap",
            ));
        }
        let mut before = reader.take(tensor.start - at);
        std::io::copy(&mut before, &mut std::io::sink()).map_err(Error::io)?;
        at = tensor.end;
        let about = |error: Error| in_tensor(tensor.name, &error);
        match tensor.name == vectors.name {
            true => data = Some(floats(reader, tensor).map_err(about)?),
            false => whole = Some(integers(reader, tensor).map_err(about)?),
        }
    }
    let (Some((rows, dimension, data)), Some(whole)) = (data, whole) else {
        return Err(Error::format(
            "expected the tensors of vectors and of offsets to differ",
        ));
    };
    let about = format!("tensor '{}'", cuts.name);
    let offsets = match are_lengths {
        true => summed(&whole, &about)?,
        false => ended(whole, rows),
    };
    check::offsets(&offsets, rows, &about)?;
    let ids = ids(&header, offsets.len() - 1)?;
    Ok(MultiVectorFile {
        dimension,
        data,
        offsets,
        padding: 0,
        ids,
    })
}

fn missing(name: &str, tensors: &[Tensor<'_>]) -> Error {
    let mut names: Vec<&str> = tensors.iter().map(|tensor| tensor.name).collect();
    names.sort_unstable();
    let listed = match names.is_empty() {
        true => "none".to_owned(),
        false => names.join(", "),
    };
    Error::format(format!("expected a tensor '{name}'; found {listed}"))
        .hint("multi-vectors are 'vectors' with two axes, and 'offsets' or 'lengths' of the items")
}

fn floats(reader: &mut impl Read, tensor: &Tensor<'_>) -> Result<(usize, usize, Vec<f32>)> {
    let number = Number::of_tensor(tensor.dtype)?;
    let [rows, dimension] = tensor.shape[..] else {
        return Err(Error::format(format!(
            "expected two axes, vectors and components; found the shape {:?}",
            tensor.shape
        )));
    };
    check_shape(rows, dimension)?;
    check_bytes(tensor, rows * dimension * number.width())?;
    let data = numbers(reader, number, rows * dimension, tensor.dtype)?;
    Ok((rows, dimension, data))
}

fn check_bytes(tensor: &Tensor<'_>, expected: usize) -> Result<()> {
    let found = tensor.end - tensor.start;
    match found == expected as u64 {
        true => Ok(()),
        false => Err(Error::format(format!(
            "expected {expected} bytes for the shape {:?} of {}, found {found} by its offsets",
            tensor.shape, tensor.dtype
        ))),
    }
}

/// Whole numbers, none below 0.
fn integers(reader: &mut impl Read, tensor: &Tensor<'_>) -> Result<Vec<usize>> {
    let width = match tensor.dtype {
        "I64" | "U64" => 8,
        "I32" | "U32" => 4,
        other => {
            return Err(Error::unsupported(format!(
                "expected integers of the type I64, U64, I32 or U32, found {other}"
            )));
        }
    };
    let [count] = tensor.shape[..] else {
        return Err(Error::format(format!(
            "expected one axis, items; found the shape {:?}",
            tensor.shape
        )));
    };
    check_shape(count, width)?;
    check_bytes(tensor, count * width)?;
    let mut values = Vec::new();
    let mut bytes = [0; 8];
    for item in 0..count {
        exact(reader, &mut bytes[..width], "an integer")?;
        let value = match tensor.dtype {
            "I32" => i64::from(i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])),
            _ => i64::from_le_bytes(bytes),
        };
        values.push(usize::try_from(value).map_err(|_| {
            Error::data(format!(
                "expected whole numbers from 0, found {value} at item {item}"
            ))
        })?);
    }
    Ok(values)
}

/// The end of the last item, where it is not there.
fn ended(mut offsets: Vec<usize>, vectors: usize) -> Vec<usize> {
    if offsets.last() != Some(&vectors) {
        let starts_only = offsets.last().is_none_or(|last| *last < vectors);
        if starts_only && !offsets.is_empty() {
            offsets.push(vectors);
        }
    }
    offsets
}

fn summed(lengths: &[usize], about: &str) -> Result<Vec<usize>> {
    let mut offsets = vec![0usize];
    for (item, length) in lengths.iter().enumerate() {
        let sum = offsets[item].checked_add(*length);
        offsets.push(
            sum.ok_or_else(|| {
                Error::data(format!("{about}: expected a sum that memory can hold"))
            })?,
        );
    }
    Ok(offsets)
}

/// The ids in the metadata: a JSON list.
fn ids(header: &Map<String, Value>, items: usize) -> Result<Option<Vec<String>>> {
    let metadata = header.get("__metadata__");
    let Some(text) = metadata
        .and_then(|metadata| metadata.get("ids"))
        .and_then(Value::as_str)
    else {
        return Ok(None);
    };
    let values: Vec<Value> = serde_json::from_str(text).map_err(|error| {
        Error::format(format!("metadata 'ids': expected a JSON list: {error}")).because(error)
    })?;
    let ids = values.iter().enumerate().map(|(item, value)| {
        let id = id(value).ok_or_else(|| {
            Error::format(format!(
                "metadata 'ids': expected a text or an integer at item {item}, found {}",
                short(value)
            ))
        })?;
        Ok((id, Place::item("metadata 'ids'", format!("item {item}"))))
    });
    let ids = ids.collect::<Result<Vec<_>>>()?;
    refuse_repeated(&ids)?;
    if ids.len() != items {
        return Err(Error::data(format!(
            "metadata 'ids': expected an id for each of the {items} items, found {}",
            ids.len()
        )));
    }
    Ok(Some(ids.into_iter().map(|(id, _)| id).collect()))
}
