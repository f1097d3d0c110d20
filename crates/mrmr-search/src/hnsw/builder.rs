//! Vectors in, a graph over them out.

use mrmr_core::{DocId, Ids, Observer, Result};

use super::index::HnswIndex;
use super::params::HnswParams;
use crate::kernels::Kernels;
use crate::metric::Metric;
use crate::rows::Rows;
use crate::vectors::Vectors;

/// Collects what an index is made of; see [`HnswIndex::builder`].
pub struct HnswBuilder {
    metric: Metric,
    vectors: Vectors,
    ids: Option<Ids<DocId>>,
    params: HnswParams,
}

/// What building an index came across, and what it did about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HnswNotes {
    /// Rows that are the zero vector: at cosine and dot product 0 to every query.
    pub zero_rows: usize,
    /// The first of them.
    pub first_zero_row: Option<usize>,
    /// Rows that lie where an earlier row does, to within their codes; they are found with it.
    pub repeated_rows: usize,
    /// Points that every search starts from.
    pub entry_points: usize,
    /// Layers, the lowest included.
    pub layers: usize,
    /// Rows that no search could find, however much effort it takes: links lead there from no entry point.
    pub unreachable_rows: usize,
    /// Those that are left when each has been linked from a near row; counted once more, not inferred.
    pub unreachable_rows_left: usize,
}

impl HnswNotes {
    /// The notes as sentences, for [`mrmr_core::Event::Warning`].
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if let Some(first) = self.first_zero_row {
            warnings.push(match self.zero_rows {
                1 => format!("the zero vector of row {first} has similarity 0 to every query"),
                count => format!(
                    "{count} zero vectors (the first is row {first}) have similarity 0 to every query"
                ),
            });
        }
        if self.unreachable_rows > 0 {
            warnings.push(format!(
                "{} rows could not be reached from the {} entry points; links were added, and {} are left",
                self.unreachable_rows, self.entry_points, self.unreachable_rows_left
            ));
        }
        warnings
    }
}

impl HnswBuilder {
    pub(super) fn new(metric: Metric, vectors: Vectors) -> Self {
        HnswBuilder {
            metric,
            vectors,
            ids: None,
            params: HnswParams::default(),
        }
    }

    /// Gives the rows ids, in their order.
    #[must_use]
    pub fn ids(mut self, ids: Ids<DocId>) -> Self {
        self.ids = Some(ids);
        self
    }

    /// Sets how the graph is built and searched.
    #[must_use]
    pub fn params(mut self, params: HnswParams) -> Self {
        self.params = params;
        self
    }

    /// The index, and what was found on the way. The observer hears of one step, in rows.
    ///
    /// # Errors
    /// If a parameter is out of its range, there are not as many ids as rows, 2^31 rows or more, or more than
    /// 2^17 dimensions.
    pub fn build(self, observer: &dyn Observer) -> Result<(HnswIndex, HnswNotes)> {
        self.params.check()?;
        let rows = Rows::new(self.metric, self.vectors, self.ids)?;
        HnswIndex::new(rows, self.params, Kernels::detect(), observer)
    }
}
