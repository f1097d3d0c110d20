//! Which format a file has, and what holds for vectors of any.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use mrmr_core::{Error, Place, Result};

use super::bytes::fill;
use super::{VectorFile, VectorOptions, npy, parquet, safetensors, vecs};
use crate::input::missing_hint;
use crate::parquet_table::Table;

const BLOCK: usize = 1 << 20;

/// How many vectors a file has, before they are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VectorShape {
    /// How many vectors there are; none where that shows only at the end.
    pub rows: Option<usize>,
    /// How many components each has.
    pub dimension: usize,
}

/// Told of the shape before the numbers are read; its error ends the reading.
pub(super) type Announce<'a> = &'a mut dyn FnMut(VectorShape) -> Result<()>;

/// What a format gives.
pub(super) struct Rows {
    pub(super) rows: usize,
    pub(super) dimension: usize,
    pub(super) data: Vec<f32>,
    pub(super) ids: Option<Vec<String>>,
}

/// Reads vectors; the format is found by the first bytes, that of `.fvecs`, `.bvecs` and `.ivecs` by the ending.
///
/// - `.npy`: two axes of floats of 2, 4 or 8 bytes, either byte order, in C or Fortran order;
/// - safetensors: a tensor of two axes, F16, BF16, F32, F64, I8 or U8;
/// - Parquet: a column of lists of floats, and one of ids;
/// - `.fvecs`, `.bvecs`, `.ivecs`: floats, bytes, integers of 4 bytes up to 2^24.
///
/// Floats of 8 bytes are rounded to the nearest of 4.
///
/// # Errors
/// If the file has another form, is too short or too long, the vectors differ in dimension, or a component is not
/// finite; the row is named.
pub fn read_vectors(path: impl AsRef<Path>, options: &VectorOptions) -> Result<VectorFile> {
    read_vectors_announced(path, options, &mut |_| Ok(()))
}

/// [`read_vectors`], telling `announce` of the shape before the numbers are read; its error ends the reading.
///
/// # Errors
/// As [`read_vectors`], and what `announce` gives.
pub fn read_vectors_announced(
    path: impl AsRef<Path>,
    options: &VectorOptions,
    announce: &mut dyn FnMut(VectorShape) -> Result<()>,
) -> Result<VectorFile> {
    let path = path.as_ref();
    let name = path.display().to_string();
    let found = rows(path, &name, options, announce);
    checked(&name, found.map_err(|error| error.at(Place::whole(&name)))?)
}

fn rows(path: &Path, name: &str, options: &VectorOptions, announce: Announce<'_>) -> Result<Rows> {
    let mut file = File::open(path).map_err(|error| {
        let missing = error.kind() == std::io::ErrorKind::NotFound;
        let hint = missing.then(|| missing_hint(path)).flatten();
        Error::io(error).hint_maybe(hint)
    })?;
    let metadata = file.metadata().map_err(Error::io)?;
    if metadata.is_dir() {
        return Err(Error::usage("expected a file of vectors, found a folder"));
    }
    let size = metadata.is_file().then_some(metadata.len());
    let mut head = [0; 9];
    let length = fill(&mut file, &mut head)?;
    let head = &head[..length];
    let mut reader = head.chain(BufReader::with_capacity(BLOCK, file));
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    let ending = ending.to_ascii_lowercase();
    let refuse = |what: &str, given: bool| match given {
        true => Err(Error::usage(format!(
            "a file of this kind has no {what} to name"
        ))),
        false => Ok(()),
    };
    if let Some(number) = vecs::number(&ending) {
        refuse("column of ids", options.id_column.is_some())?;
        refuse("column or tensor", options.name.is_some())?;
        return vecs::read(&mut reader, name, size, number, announce);
    }
    if head.starts_with(b"PAR1") {
        let table = match size {
            Some(_) => Table::open(path)?,
            None => {
                let mut bytes = Vec::new();
                reader.read_to_end(&mut bytes).map_err(Error::io)?;
                Table::from_bytes(name, bytes)?
            }
        };
        return parquet::read(&table, options, announce);
    }
    refuse("column of ids", options.id_column.is_some())?;
    if safetensors::is_here(head) || ending == "safetensors" {
        let asked = options.name.as_deref();
        return safetensors::read(&mut reader, size, asked, announce);
    }
    refuse("column or tensor", options.name.is_some())?;
    if head.starts_with(npy::MAGIC) || ending == "npy" {
        return npy::read(&mut reader, announce);
    }
    Err(Error::unsupported(
        "expected vectors as .npy, safetensors, Parquet, .fvecs, .bvecs or .ivecs; found none of them",
    )
    .hint("numpy.save('vectors.npy', array) writes a file that is read"))
}

/// Refuses shapes that no vectors have or no memory holds.
pub(crate) fn check_shape(rows: usize, dimension: usize) -> Result<()> {
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
    Ok(())
}

/// Refuses what is not finite, and notes zero vectors.
fn checked(name: &str, found: Rows) -> Result<VectorFile> {
    let Rows {
        rows,
        dimension,
        data,
        ids,
    } = found;
    let mut zero_rows = Vec::new();
    for (row, vector) in data.chunks_exact(dimension.max(1)).enumerate() {
        if let Some(component) = vector.iter().position(|value| !value.is_finite()) {
            return Err(Error::data(format!(
                "expected finite numbers, found {} in component {component}",
                vector[component]
            ))
            .at(Place::row(name, row as u64))
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
        ids,
    })
}
