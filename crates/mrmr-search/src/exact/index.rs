//! The exact index.

use mrmr_core::{DocId, Ids, Result};

use super::bound::Bound;
use super::builder::{ExactBuilder, ExactNotes};
use super::codes::Codes;
use crate::filter::Filter;
use crate::index::{Index, check_dimension};
use crate::kernels::Kernels;
use crate::metric::Metric;
use crate::rows::Rows;
use crate::top_k::{Neighbour, check_k};
use crate::vectors::Vectors;

/// Finds the true nearest neighbours: the same ones, with the same scores to the last bit, for any batch
/// of queries, any number of threads and on any processor.
///
/// ```
/// use mrmr_search::{ExactIndex, Index, Metric, Vectors};
/// let rows = Vectors::new(2, vec![1.0, 0.0, 0.0, 2.0, 3.0, 3.0])?;
/// let ids = ["east", "north", "north-east"].into_iter().collect();
/// let (index, notes) = ExactIndex::builder(Metric::Cosine, rows).ids(ids).build()?;
/// assert_eq!(notes.zero_rows, 0);
///
/// let found = index.search(&Vectors::new(2, vec![0.0, 1.0])?, 2)?;
/// let rows: Vec<u32> = found[0].iter().map(|neighbour| neighbour.row).collect();
/// assert_eq!(rows, [1, 2]);
/// assert_eq!(found[0][0].score, 1.0);
/// # Ok::<(), mrmr_core::Error>(())
/// ```
pub struct ExactIndex {
    pub(super) rows: Rows,
    pub(super) bound: Bound,
    /// The rows in 8 bits, where their dimension allows.
    pub(super) codes: Option<Codes>,
    pub(super) kernels: Kernels,
}

impl ExactIndex {
    /// Starts an index over vectors, without ids for now.
    pub fn builder(metric: Metric, vectors: Vectors) -> ExactBuilder {
        ExactBuilder::new(metric, vectors)
    }

    pub(super) fn new(rows: Rows) -> (Self, ExactNotes) {
        let codes = Codes::new(rows.metric, &rows.vectors, &rows.squares);
        let (index, notes) = Self::without_codes(rows);
        (ExactIndex { codes, ..index }, notes)
    }

    /// An index that takes less to build and more to search.
    pub(super) fn without_codes(rows: Rows) -> (Self, ExactNotes) {
        let bound = Bound::new(rows.metric, rows.vectors.dimension(), &rows.squares);
        let notes = ExactNotes {
            zero_rows: rows.squares.iter().filter(|square| **square == 0.0).count(),
            first_zero_row: rows.squares.iter().position(|square| *square == 0.0),
            extreme_rows: bound.extreme_rows(),
        };
        let index = ExactIndex {
            rows,
            bound,
            codes: None,
            kernels: Kernels::detect(),
        };
        (index, notes)
    }

    /// The vectors, as they were given.
    pub fn vectors(&self) -> &Vectors {
        &self.rows.vectors
    }

    /// The vectors for another use; the rest of the index goes.
    pub fn into_vectors(self) -> Vectors {
        self.rows.vectors
    }
}

impl Index for ExactIndex {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn dimension(&self) -> usize {
        self.rows.vectors.dimension()
    }

    fn metric(&self) -> Metric {
        self.rows.metric
    }

    fn ids(&self) -> Option<&Ids<DocId>> {
        self.rows.ids.as_ref()
    }

    fn search_filtered(
        &self,
        queries: &Vectors,
        k: usize,
        filters: &[Filter],
    ) -> Result<Vec<Vec<Neighbour>>> {
        check_k(k)?;
        check_dimension(queries, self.dimension())?;
        Filter::check_all(filters, queries.len(), self.len())?;
        Ok(self.search_above(queries, k, filters, &[]))
    }
}
