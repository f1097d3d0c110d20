//! The index over codes.

use mrmr_core::{DocId, Ids, Result};

use super::builder::{PqBuilder, PqNotes, PqParams};
use super::codebooks::Codebooks;
use crate::exact::codes::divisor;
use crate::filter::Filter;
use crate::index::{Approximate, Index, check_dimension};
use crate::kernels::segments::{Bytes, SegmentKernels};
use crate::metric::Metric;
use crate::rows::Rows;
use crate::top_k::{Neighbour, check_k};
use crate::vectors::Vectors;

/// Finds nearest neighbours by codes of a few bytes (Jégou, Douze, Schmid 2011), and scores the best of them
/// as [`crate::ExactIndex`] scores them; with 0 to be scored, ranks by the codes alone.
///
/// Codes, answers and scores are the same for any batch of queries, number of threads and processor.
///
/// ```
/// use mrmr_search::{Index, Metric, PqIndex, PqParams, Vectors};
/// let rows = Vectors::new(2, vec![1.0, 0.0, 0.0, 2.0, 3.0, 3.0])?;
/// let params = PqParams { segments: Some(2), ..PqParams::default() };
/// let (index, notes) = PqIndex::builder(Metric::Dot, rows).params(params).build(&())?;
/// assert_eq!((notes.segments, notes.error), (2, 0.0));
/// let found = index.search(&Vectors::new(2, vec![0.0, 1.0])?, 2)?;
/// assert_eq!((found[0][0].row, found[0][0].score), (2, 3.0));
/// # Ok::<(), mrmr_core::Error>(())
/// ```
pub struct PqIndex {
    pub(super) rows: Rows,
    pub(super) codebooks: Codebooks,
    /// Block after block of rows, segment after segment within each.
    pub(super) codes: Vec<Bytes>,
    /// See [`PqNotes::error`].
    pub(super) error: f64,
    /// Rows without a code.
    pub(super) extreme: Vec<u32>,
    pub(super) params: PqParams,
    pub(super) kernels: SegmentKernels,
}

impl PqIndex {
    /// Starts an index over vectors, without ids and with the usual parameters for now.
    pub fn builder(metric: Metric, vectors: Vectors) -> PqBuilder {
        PqBuilder::new(metric, vectors)
    }

    pub(super) fn new(
        rows: Rows,
        codebooks: Codebooks,
        codes: Vec<Bytes>,
        error: f64,
        params: PqParams,
        kernels: SegmentKernels,
    ) -> Self {
        let without = |row: &u32| divisor(rows.metric, rows.squares[*row as usize]).is_none();
        PqIndex {
            extreme: (0..rows.len() as u32).filter(without).collect(),
            rows,
            codebooks,
            codes,
            error,
            params,
            kernels,
        }
    }

    /// The parameters it was built with, and how many rows are scored as it is set now.
    pub fn params(&self) -> PqParams {
        self.params
    }

    /// How near its codes are to the rows.
    pub fn notes(&self) -> PqNotes {
        PqNotes {
            segments: self.codebooks.segments.len(),
            error: self.error,
            extreme_rows: self.extreme.len(),
        }
    }

    /// The vectors, as they were given.
    pub fn vectors(&self) -> &Vectors {
        &self.rows.vectors
    }
}

impl Index for PqIndex {
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
        Ok(self.search_blocks(queries, k, filters))
    }
}

impl Approximate for PqIndex {
    fn effort_name(&self) -> &'static str {
        "rescored"
    }

    fn effort(&self) -> usize {
        self.params.rescored
    }

    /// 0 is allowed: rows are then ranked, and scored, by their codes alone.
    fn set_effort(&mut self, effort: usize) -> Result<()> {
        self.params.rescored = effort;
        Ok(())
    }
}
