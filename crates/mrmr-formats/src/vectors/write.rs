//! Vectors to files.

mod components;
mod npy;
mod parquet;
mod safetensors;

use std::path::Path;

use mrmr_core::{Error, Place, Result};

use super::dtype::Dtype;
use super::notes::VectorNotes;

/// Gives the vectors to write, some rows at a time, in order; the same each time it is called.
pub type RowBlocks<'a> = dyn Fn(&mut dyn FnMut(&[f32]) -> Result<()>) -> Result<()> + 'a;

/// Vectors with their ids and notes.
pub struct VectorsToWrite<'a> {
    /// How many components each vector has.
    pub dimension: usize,
    /// The ids, one a row, all different.
    pub ids: &'a [String],
    /// The vectors, whole rows at a time; none is held longer than it takes to write it.
    pub blocks: &'a RowBlocks<'a>,
    /// How they were made, with the type of the numbers in the file.
    pub notes: &'a VectorNotes,
}

/// The form of a file of vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VectorForm {
    /// NumPy's, with ids and notes beside it in `NAME.npy.json`.
    Npy,
    /// A tensor `vectors`; under int8 a tensor `scales` too. Ids and notes stand in the metadata `ids` and `mrmr`.
    Safetensors,
    /// The columns `id` and `vector`; notes stand in the metadata `mrmr`.
    Parquet,
}

impl VectorForm {
    /// The form of a file by its ending.
    ///
    /// # Errors
    /// If the ending is none of them.
    pub fn of(path: &Path) -> Result<Self> {
        let ending = path.extension().unwrap_or_default().to_string_lossy();
        match ending.to_ascii_lowercase().as_str() {
            "npy" => Ok(VectorForm::Npy),
            "safetensors" => Ok(VectorForm::Safetensors),
            "parquet" => Ok(VectorForm::Parquet),
            _ => Err(Error::usage(
                "the ending says no form of vectors; expected .safetensors, .parquet or .npy",
            )
            .at(Place::whole(path.display().to_string()))),
        }
    }

    /// Refuses a type of numbers that the form does not have.
    ///
    /// # Errors
    /// If it is one; the hint names a form that has it.
    pub fn check(self, dtype: Dtype) -> Result<()> {
        let name = match self {
            VectorForm::Safetensors => return Ok(()),
            VectorForm::Npy => ".npy",
            VectorForm::Parquet => ".parquet",
        };
        match dtype {
            Dtype::F32 | Dtype::F16 => Ok(()),
            Dtype::Bf16 | Dtype::Int8 => Err(Error::usage(format!(
                "a {name} file holds f32 or f16, not {dtype}"
            ))
            .hint("a .safetensors file holds all of f32, f16, bf16 and int8")),
        }
    }
}

/// Writes vectors in the form of the file's ending; the file is there whole or not at all, and the same vectors give
/// the same bytes.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("corpus.safetensors");
/// use mrmr_formats::vectors::{
///     Dtype, VectorNotes, VectorOptions, VectorsToWrite, read_vector_notes, read_vectors, write_vectors,
/// };
///
/// let notes = VectorNotes { model: "hashing".into(), dtype: Dtype::Int8, ..VectorNotes::default() };
/// write_vectors(&path, &VectorsToWrite {
///     dimension: 2,
///     ids: &["d1".into(), "d2".into()],
///     blocks: &|take| take(&[1.0, -0.5, 0.0, 254.0]),
///     notes: &notes,
/// })?;
/// let back = read_vectors(&path, &VectorOptions::default())?;
/// assert_eq!(back.ids.as_deref(), Some(&["d1".to_owned(), "d2".to_owned()][..]));
/// assert_eq!(back.row(1), [0.0, 254.0]);
/// assert!((back.row(0)[1] + 0.5).abs() <= 0.5 / 127.0);
/// assert_eq!(read_vector_notes(&path)?, Some(notes));
/// # Ok::<(), mrmr_core::Error>(())
/// ```
///
/// # Errors
/// If the form does not have the type, a number is too large for it, the rows are not as many as the ids, or the
/// file cannot be written.
pub fn write_vectors(path: &Path, vectors: &VectorsToWrite<'_>) -> Result<()> {
    let form = VectorForm::of(path)?;
    form.check(vectors.notes.dtype)?;
    if vectors.dimension == 0 {
        return Err(Error::usage("expected vectors with components"));
    }
    match form {
        VectorForm::Npy => npy::write(path, vectors),
        VectorForm::Safetensors => safetensors::write(path, vectors),
        VectorForm::Parquet => parquet::write(path, vectors),
    }
}

impl VectorsToWrite<'_> {
    /// Gives each row with its id.
    fn each(&self, take: &mut dyn FnMut(&str, &[f32]) -> Result<()>) -> Result<()> {
        let mut ids = self.ids.iter();
        let wrong = || {
            Error::usage(format!(
                "the vectors are not as many as the {} ids, or not of {} numbers",
                self.ids.len(),
                self.dimension
            ))
        };
        (self.blocks)(&mut |block| {
            if !block.len().is_multiple_of(self.dimension) {
                return Err(wrong());
            }
            for row in block.chunks_exact(self.dimension) {
                take(ids.next().ok_or_else(wrong)?, row)?;
            }
            Ok(())
        })?;
        match ids.next() {
            None => Ok(()),
            Some(_) => Err(wrong()),
        }
    }
}
