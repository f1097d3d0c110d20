//! `.npy`, with ids and notes in a JSON file beside it.

use std::path::Path;

use mrmr_core::{Error, Result};
use serde_json::json;

use super::super::dtype::Dtype;
use super::super::notes::{array_hash, beside};
use super::{VectorsToWrite, components};
use crate::output::write_atomically;

/// Numbers start at a multiple of this.
const ALIGNMENT: usize = 64;

/// Writes both files, the array first.
pub(super) fn write(path: &Path, vectors: &VectorsToWrite<'_>) -> Result<()> {
    let dtype = vectors.notes.dtype;
    let descr = if dtype == Dtype::F16 { "<f2" } else { "<f4" };
    let mut header = format!(
        "{{'descr': '{descr}', 'fortran_order': False, 'shape': ({}, {}), }}",
        vectors.ids.len(),
        vectors.dimension
    );
    let before = b"\x93NUMPY\x01\x00".len() + 2;
    let whole = (before + header.len() + 1).next_multiple_of(ALIGNMENT);
    header.extend(std::iter::repeat_n(' ', whole - before - header.len() - 1));
    header.push('\n');
    write_atomically(path, |out| {
        let mut write = |bytes: &[u8]| out.write_all(bytes).map_err(Error::io);
        write(b"\x93NUMPY\x01\x00")?;
        write(&(header.len() as u16).to_le_bytes())?;
        write(header.as_bytes())?;
        let mut bytes = Vec::new();
        vectors.each(&mut |id, row| {
            bytes.clear();
            components::append(dtype, id, row, &mut bytes)?;
            write(&bytes)
        })
    })?;
    let mut notes = vectors.notes.to_json();
    notes["dimension"] = json!(vectors.dimension);
    notes["ids"] = json!(vectors.ids);
    notes["array"] = json!(array_hash(path)?);
    write_atomically(&beside(path), |out| {
        writeln!(out, "{notes:#}").map_err(Error::io)
    })
}
