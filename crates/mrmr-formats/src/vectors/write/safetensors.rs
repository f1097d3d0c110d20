//! Safetensors: `vectors`, under int8 `scales` too, with ids and notes in the metadata.

use std::path::Path;

use mrmr_core::{Error, Result};
use serde_json::json;

use super::super::dtype::Dtype;
use super::super::notes::KEY;
use super::{VectorsToWrite, components};
use crate::output::write_atomically;

pub(super) fn write(path: &Path, vectors: &VectorsToWrite<'_>) -> Result<()> {
    let dtype = vectors.notes.dtype;
    let rows = vectors.ids.len();
    let scales = match dtype {
        Dtype::Int8 => rows * 4,
        _ => 0,
    };
    let numbers = rows * vectors.dimension * dtype.bytes();
    let name = match dtype {
        Dtype::F32 => "F32",
        Dtype::F16 => "F16",
        Dtype::Bf16 => "BF16",
        Dtype::Int8 => "I8",
    };
    let mut header = json!({
        "__metadata__": {
            "ids": json!(vectors.ids).to_string(),
            KEY: vectors.notes.to_json().to_string(),
        },
    });
    // The format wants tensors aligned to their numbers: those of 4 bytes come first.
    if dtype == Dtype::Int8 {
        header["scales"] = json!({"dtype": "F32", "shape": [rows], "data_offsets": [0, scales]});
    }
    header["vectors"] = json!({
        "dtype": name,
        "shape": [rows, vectors.dimension],
        "data_offsets": [scales, scales + numbers],
    });
    let mut header = header.to_string().into_bytes();
    header.resize(header.len().next_multiple_of(8), b' ');
    write_atomically(path, |out| {
        let mut write = |bytes: &[u8]| out.write_all(bytes).map_err(Error::io);
        write(&(header.len() as u64).to_le_bytes())?;
        write(&header)?;
        if dtype == Dtype::Int8 {
            vectors.each(&mut |id, row| write(&components::scale(id, row)?.to_le_bytes()))?;
        }
        let mut bytes = Vec::new();
        vectors.each(&mut |id, row| {
            bytes.clear();
            components::append(dtype, id, row, &mut bytes)?;
            write(&bytes)
        })
    })
}
