//! Which format a file has, and what holds for vectors of any.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use mrmr_core::{Error, Place, Result};
use serde_json::Value;

use super::bytes::fill;
use super::named_rows::NamedRows;
use super::notes::{array_hash, beside, read_beside};
use super::source::{Cells, Source, Stream};
use super::{VectorBlocks, VectorFile, VectorOptions, npy, parquet, safetensors, vecs};
use crate::input::missing_hint;
use crate::parquet_table::Table;

/// Numbers that are read and checked together.
const STEP: usize = 1 << 18;

/// How many vectors a file has, before they are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VectorShape {
    /// How many vectors there are; none where that shows only at the end.
    pub rows: Option<usize>,
    /// How many components each has.
    pub dimension: usize,
}

/// Reads vectors; the format is found by the first bytes, that of `.fvecs`, `.bvecs` and `.ivecs` by the ending.
///
/// - `.npy`: two axes of floats of 2, 4 or 8 bytes, either byte order, or integers of 1, in C or Fortran order;
/// - safetensors: a tensor of two axes, F16, BF16, F32, F64, I8 or U8;
/// - Parquet: a column of lists of floats (of integers, where it is named), and one of ids;
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
    let mut blocks = VectorBlocks::open(path, options)?;
    let shape = blocks.shape();
    announce(shape).map_err(|error| error.at(Place::whole(blocks.name())))?;
    let (mut cells, mut zero_rows, mut rows) = (Cells::default(), Vec::new(), 0);
    let most = (STEP / shape.dimension.max(1)).max(1);
    loop {
        let more = blocks.append(most, &mut cells, &mut zero_rows)?;
        if more == 0 {
            break;
        }
        rows += more;
    }
    Ok(VectorFile {
        rows,
        dimension: shape.dimension,
        data: cells.data,
        zero_rows,
        ids: blocks.has_ids().then_some(cells.ids),
    })
}

/// What opening a file finds.
pub(super) struct Opened {
    pub(super) shape: VectorShape,
    pub(super) has_ids: bool,
    pub(super) source: Box<dyn Source>,
}

/// Finds the format and reads what stands before the vectors.
pub(super) fn open(path: &Path, name: &str, options: &VectorOptions) -> Result<Opened> {
    let mut file = File::open(path).map_err(|error| {
        let missing = error.kind() == std::io::ErrorKind::NotFound;
        let hint = missing.then(|| missing_hint(path)).flatten();
        Error::io(error).hint_maybe(hint)
    })?;
    let size = size_of(&file)?;
    let mut head = [0; 9];
    let length = fill(&mut file, &mut head)?;
    let head = &head[..length];
    let mut stream = Stream::new(head.to_vec(), file);
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
        return without_ids(vecs::open(stream, name, size, number)?);
    }
    if head.starts_with(b"PAR1") {
        let table = match size {
            Some(_) => Table::open(path)?,
            None => {
                let mut bytes = Vec::new();
                stream.read_to_end(&mut bytes).map_err(Error::io)?;
                Table::from_bytes(name, bytes)?
            }
        };
        let (shape, has_ids, source) = parquet::open(&table, options)?;
        return Ok(Opened {
            shape,
            has_ids,
            source,
        });
    }
    refuse("column of ids", options.id_column.is_some())?;
    if safetensors::is_here(head) || ending == "safetensors" {
        return safetensors::open(stream, size, options.name.as_deref());
    }
    refuse("column or tensor", options.name.is_some())?;
    if head.starts_with(npy::MAGIC) || ending == "npy" {
        let opened = npy::open(stream, size)?;
        return match size.map(|_| read_beside(path)).transpose()?.flatten() {
            None => without_ids(opened),
            Some(notes) => with_ids_beside(path, opened, &notes),
        };
    }
    Err(Error::unsupported(
        "expected vectors as .npy, safetensors, Parquet, .fvecs, .bvecs or .ivecs; found none of them",
    )
    .hint("numpy.save('vectors.npy', array) writes a file that is read"))
}

/// How many bytes a file has; none of what is no plain file.
pub(super) fn size_of(file: &File) -> Result<Option<u64>> {
    let metadata = file.metadata().map_err(Error::io)?;
    if metadata.is_dir() {
        return Err(Error::usage("expected a file of vectors, found a folder"));
    }
    Ok(metadata.is_file().then_some(metadata.len()))
}

/// The ids of a `.npy` file stand in the file beside it.
fn with_ids_beside(
    path: &Path,
    (shape, rows): (VectorShape, Box<dyn Source>),
    notes: &Value,
) -> Result<Opened> {
    let place = || Place::whole(beside(path).display().to_string());
    let ids = notes.get("ids").and_then(Value::as_array);
    let ids: Option<Vec<String>> = ids.and_then(|ids| {
        let ids = ids.iter().map(|id| id.as_str().map(str::to_owned));
        ids.collect()
    });
    let ids = ids
        .ok_or_else(|| Error::format("expected 'ids', a list of texts, found none").at(place()))?;
    if Some(ids.len()) != shape.rows {
        return Err(Error::data(format!(
            "expected an id for each of the {} vectors, found {} ids",
            shape.rows.unwrap_or(0),
            ids.len()
        ))
        .at(place())
        .hint("it belongs to other vectors: remove it"));
    }
    if notes.get("array").and_then(Value::as_str) != Some(array_hash(path)?.as_str()) {
        return Err(Error::data(format!(
            "expected the ids of {}, found those of another array of as many rows",
            path.display()
        ))
        .at(place())
        .hint("the array was changed after its ids were written: remove this file and give the ids of the array as it is"));
    }
    Ok(Opened {
        shape,
        has_ids: true,
        source: Box::new(NamedRows {
            rows,
            ids: ids.into_iter(),
            scales: Vec::new(),
            dimension: shape.dimension,
            next_row: 0,
        }),
    })
}

fn without_ids((shape, source): (VectorShape, Box<dyn Source>)) -> Result<Opened> {
    Ok(Opened {
        shape,
        has_ids: false,
        source,
    })
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
