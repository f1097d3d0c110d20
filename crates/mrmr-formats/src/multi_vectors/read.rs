//! Which format a file has.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use mrmr_core::{Error, Place, Result};

use super::{MultiVectorFile, check, npy, parquet, safetensors};
use crate::input::missing_hint;
use crate::parquet_table::Table;
use crate::vectors::VectorOptions;
use crate::vectors::bytes::fill;
use crate::vectors::npy::MAGIC;

/// Reads items of many vectors each; the format is found by the first bytes. Floats of 2, 4 or 8 bytes, as for
/// vectors; [`crate::multi_vectors`] lists the layouts.
///
/// # Errors
/// If the file has another form, is too short or too long, offsets do not ascend or do not end with the number of
/// vectors, vectors differ in dimension, ids are repeated or fewer than the items, or a component is not finite; the
/// row is named.
pub fn read_multi_vectors(
    path: impl AsRef<Path>,
    options: &VectorOptions,
) -> Result<MultiVectorFile> {
    let path = path.as_ref();
    let name = path.display().to_string();
    let file = read(path, options).map_err(|error| error.at(Place::whole(&name)))?;
    check::finite(&name, &file)?;
    Ok(file)
}

fn read(path: &Path, options: &VectorOptions) -> Result<MultiVectorFile> {
    let mut file = File::open(path).map_err(|error| {
        let missing = error.kind() == std::io::ErrorKind::NotFound;
        let hint = missing.then(|| missing_hint(path)).flatten();
        Error::io(error).hint_maybe(hint)
    })?;
    let metadata = file.metadata().map_err(Error::io)?;
    if metadata.is_dir() {
        return Err(Error::usage(
            "expected a file of multi-vectors, found a folder",
        ));
    }
    let size = metadata.is_file().then_some(metadata.len());
    let mut head = [0; 9];
    let length = fill(&mut file, &mut head)?;
    let head = &head[..length];
    let mut reader = head.chain(BufReader::with_capacity(1 << 20, file));
    let refuse = |what: &str, given: bool| match given {
        true => Err(Error::usage(format!(
            "a file of this kind has no {what} to name"
        ))),
        false => Ok(()),
    };
    if head.starts_with(b"PAR1") {
        let table = match size {
            Some(_) => Table::open(path)?,
            None => {
                let mut bytes = Vec::new();
                reader.read_to_end(&mut bytes).map_err(Error::io)?;
                Table::from_bytes(path.display().to_string(), bytes)?
            }
        };
        return parquet::read(&table, options);
    }
    refuse("column of ids", options.id_column.is_some())?;
    if head.starts_with(MAGIC) {
        refuse("column or tensor", options.name.is_some())?;
        return npy::read(&mut reader);
    }
    if crate::vectors::safetensors::is_here(head) {
        return safetensors::read(&mut reader, size, options.name.as_deref());
    }
    Err(Error::unsupported(
        "expected multi-vectors as .npy, safetensors or Parquet; found none of them",
    )
    .hint("numpy.save('vectors.npy', array) writes a file that is read; .npz is not"))
}
