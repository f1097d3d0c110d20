//! Items of many vectors each (ColBERT, ColPali) in `.npy`, safetensors and Parquet files, and their ids.
//!
//! ```
//! # let folder = tempfile::tempdir().unwrap();
//! # let path = folder.path().join("corpus.safetensors");
//! use mrmr_formats::multi_vectors::{MultiVectorFile, read_multi_vectors, write_multi_vectors};
//! use mrmr_formats::vectors::VectorOptions;
//!
//! let items = MultiVectorFile {
//!     dimension: 2,
//!     data: vec![1.0, 0.0, 0.6, 0.8, 0.0, 1.0],
//!     offsets: vec![0, 2, 2, 3], // two vectors, none, one
//!     padding: 0,
//!     ids: Some(vec!["d1".into(), "d2".into(), "d3".into()]),
//! };
//! write_multi_vectors(&path, &items)?;
//! assert_eq!(read_multi_vectors(&path, &VectorOptions::default())?, items);
//! # Ok::<(), mrmr_core::Error>(())
//! ```
//!
//! Layouts:
//!
//! - `.npy`: three axes, items x vectors x components. Zero vectors at the end of an item are padding and taken off;
//!   `padding` counts them.
//! - safetensors: `vectors` with two axes, and `offsets` (the first vector of each item, and the number of all
//!   vectors) or `lengths` (one an item), I64, U64, I32 or U32. Ids, where there are any, are a JSON list in the
//!   metadata `ids`.
//! - Parquet: a column of lists of lists of floats, and one of ids.

mod check;
mod npy;
mod parquet;
mod read;
mod safetensors;
mod write;

use mrmr_core::Result;

pub use read::read_multi_vectors;
pub use write::{write_multi_vectors, write_noted_multi_vectors};

use crate::input::Input;

/// The items of a file and their vectors.
#[derive(Clone, Debug, PartialEq)]
pub struct MultiVectorFile {
    /// How many components each vector has.
    pub dimension: usize,
    /// The components, vector after vector, item after item: all finite.
    pub data: Vec<f32>,
    /// The first vector of each item, then the number of all vectors.
    pub offsets: Vec<usize>,
    /// How many zero vectors at the ends of items were taken for padding and left out.
    pub padding: usize,
    /// The ids of the items, all different, where the file itself has them.
    pub ids: Option<Vec<String>>,
}

impl MultiVectorFile {
    /// How many items there are.
    pub fn items(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// The components of an item, vector after vector.
    ///
    /// # Panics
    /// If there is no such item.
    pub fn item(&self, item: usize) -> &[f32] {
        &self.data[self.offsets[item] * self.dimension..self.offsets[item + 1] * self.dimension]
    }
}

/// Reads the ids of items, as [`crate::vectors::read_ids`] reads those of vectors.
///
/// # Errors
/// If there are more or fewer ids than items, an id stands there twice, or an entry is no id.
pub fn read_item_ids(input: &Input, items: &MultiVectorFile) -> Result<Vec<String>> {
    crate::vectors::ids::ids_of(input, items.items(), "items")
}
