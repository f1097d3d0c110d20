//! Vectors in NumPy's `.npy` files, and the ids that go with them.
//!
//! ```
//! # let folder = tempfile::tempdir().unwrap();
//! # let path = folder.path().join("corpus.npy");
//! # let mut file = b"\x93NUMPY\x01\x00\x46\x00".to_vec();
//! # file.extend(format!("{:<69}\n", "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }").bytes());
//! # file.extend([1.0f32, 2.0, 3.0, 0.0, 0.0, 0.0].iter().flat_map(|value| value.to_le_bytes()));
//! # std::fs::write(&path, file).unwrap();
//! use mrmr_formats::vectors::read_vectors;
//!
//! let vectors = read_vectors(&path)?;
//! assert_eq!((vectors.rows, vectors.dimension), (2, 3));
//! assert_eq!(vectors.row(0), [1.0, 2.0, 3.0]);
//! assert_eq!(vectors.zero_rows, [1]); // no direction, so no cosine
//! # Ok::<(), mrmr_core::Error>(())
//! ```

mod header;
mod ids;
mod number;
mod read;

pub use ids::read_ids;
pub use read::read_vectors;

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
