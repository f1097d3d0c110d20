//! Vectors in `.npy`, safetensors, Parquet, `.fvecs`, `.bvecs` and `.ivecs` files, and the ids that go with them.
//!
//! ```
//! # let folder = tempfile::tempdir().unwrap();
//! # let path = folder.path().join("corpus.npy");
//! # let mut file = b"\x93NUMPY\x01\x00\x46\x00".to_vec();
//! # file.extend(format!("{:<69}\n", "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }").bytes());
//! # file.extend([1.0f32, 2.0, 3.0, 0.0, 0.0, 0.0].iter().flat_map(|value| value.to_le_bytes()));
//! # std::fs::write(&path, file).unwrap();
//! use mrmr_formats::vectors::{VectorOptions, read_vectors};
//!
//! let vectors = read_vectors(&path, &VectorOptions::default())?;
//! assert_eq!((vectors.rows, vectors.dimension), (2, 3));
//! assert_eq!(vectors.row(0), [1.0, 2.0, 3.0]);
//! assert_eq!(vectors.zero_rows, [1]); // no direction, so no cosine
//! # Ok::<(), mrmr_core::Error>(())
//! ```

mod blocks;
pub(crate) mod bytes;
mod dtype;
mod flat;
mod fortran;
pub(crate) mod header;
pub(crate) mod ids;
mod named_rows;
pub(crate) mod notes;
pub(crate) mod npy;
pub(crate) mod number;
pub(crate) mod parquet;
pub(crate) mod read;
pub(crate) mod safetensors;
mod source;
mod vecs;
mod write;

pub use blocks::{VectorBlock, VectorBlocks};
pub use dtype::Dtype;
pub use ids::{read_ids, read_ids_of};
pub use notes::{VectorFailure, VectorNotes, read_vector_notes};
pub use read::{VectorShape, read_vectors, read_vectors_announced};
pub use write::{RowBlocks, VectorForm, VectorsToWrite, write_vectors};

/// Where a file has the vectors, and their ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VectorOptions {
    /// The tensor of a safetensors file, or the column of a Parquet file; unless given, the only one that can hold
    /// vectors.
    pub name: Option<String>,
    /// The column of ids of a Parquet file; unless given, one with a usual name such as `id` or `_id`.
    pub id_column: Option<String>,
}

/// The vectors of a file, one a row.
#[derive(Clone, Debug, PartialEq)]
pub struct VectorFile {
    /// How many vectors there are.
    pub rows: usize,
    /// How many components each has.
    pub dimension: usize,
    /// The components, row after row: `rows * dimension` of them, all finite.
    pub data: Vec<f32>,
    /// Rows whose components are all zero, ascending.
    pub zero_rows: Vec<usize>,
    /// The ids of the rows, all different, where the file itself has them.
    pub ids: Option<Vec<String>>,
}

impl VectorFile {
    /// The components of a vector.
    ///
    /// # Panics
    /// If `row` is not below `rows`.
    pub fn row(&self, row: usize) -> &[f32] {
        &self.data[row * self.dimension..][..self.dimension]
    }
}
