//! Multi-vectors as safetensors.

use std::path::Path;

use mrmr_core::{Error, Result};
use serde_json::json;

use super::{MultiVectorFile, check};
use crate::output::write_atomically;
use crate::vectors::VectorNotes;
use crate::vectors::notes::KEY;

/// Writes safetensors with `vectors` (F32), `offsets` (I64, one an item and one more) and, where there are ids, a
/// JSON list of them in the metadata `ids`; the file is there whole or not at all.
///
/// # Errors
/// If offsets, numbers or ids do not fit together, or the file cannot be written.
pub fn write_multi_vectors(path: &Path, file: &MultiVectorFile) -> Result<()> {
    write(path, file, None)
}

/// [`write_multi_vectors`], with notes in the metadata `mrmr`.
///
/// # Errors
/// As [`write_multi_vectors`].
pub fn write_noted_multi_vectors(
    path: &Path,
    file: &MultiVectorFile,
    notes: &VectorNotes,
) -> Result<()> {
    write(path, file, Some(notes))
}

fn write(path: &Path, file: &MultiVectorFile, notes: Option<&VectorNotes>) -> Result<()> {
    let dimension = file.dimension;
    if dimension == 0 || !file.data.len().is_multiple_of(dimension) {
        return Err(Error::usage(format!(
            "{} numbers do not make vectors of {dimension}",
            file.data.len()
        )));
    }
    let vectors = file.data.len() / dimension;
    check::offsets(&file.offsets, vectors, "offsets")?;
    let numbers = file.data.len() * 4;
    let offsets = file.offsets.len() * 8;
    // The format wants tensors aligned to their numbers: those of 8 bytes come first.
    let mut header = json!({
        "offsets": {"dtype": "I64", "shape": [file.offsets.len()], "data_offsets": [0, offsets]},
        "vectors": {
            "dtype": "F32",
            "shape": [vectors, dimension],
            "data_offsets": [offsets, offsets + numbers],
        },
    });
    if let Some(ids) = &file.ids {
        if ids.len() != file.items() {
            return Err(Error::usage(format!(
                "there are {} ids for {} items; expected one each",
                ids.len(),
                file.items()
            )));
        }
        header["__metadata__"] = json!({"ids": json!(ids).to_string()});
    }
    if let Some(notes) = notes {
        header["__metadata__"][KEY] = json!(notes.to_json().to_string());
    }
    let mut header = header.to_string().into_bytes();
    header.resize(header.len().next_multiple_of(8), b' ');
    write_atomically(path, |out| {
        let mut write = |bytes: &[u8]| out.write_all(bytes).map_err(Error::io);
        write(&(header.len() as u64).to_le_bytes())?;
        write(&header)?;
        for offset in &file.offsets {
            write(&(*offset as u64).to_le_bytes())?;
        }
        for number in &file.data {
            write(&number.to_le_bytes())?;
        }
        Ok(())
    })
}
