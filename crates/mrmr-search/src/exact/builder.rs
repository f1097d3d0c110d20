//! Vectors in, an exact index out.

use mrmr_core::{DocId, Ids, Result};

use super::index::ExactIndex;
use crate::metric::Metric;
use crate::rows::Rows;
use crate::vectors::Vectors;

/// Collects what an index is made of; see [`ExactIndex::builder`].
pub struct ExactBuilder {
    metric: Metric,
    vectors: Vectors,
    ids: Option<Ids<DocId>>,
}

/// What building an index came across and accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExactNotes {
    /// Rows that are the zero vector: at cosine and dot product 0 to every query.
    pub zero_rows: usize,
    /// The first of them.
    pub first_zero_row: Option<usize>,
    /// Rows so long or so short (norm beyond 2^50 or below 2^-50) that each query scores them in 64 bits:
    /// correct, but slow if there are many.
    pub extreme_rows: usize,
}

impl ExactNotes {
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
        if self.extreme_rows > 0 {
            warnings.push(format!(
                "{} vectors have norms beyond 2^50 or below 2^-50; search is slower for them",
                self.extreme_rows
            ));
        }
        warnings
    }
}

impl ExactBuilder {
    pub(super) fn new(metric: Metric, vectors: Vectors) -> Self {
        ExactBuilder {
            metric,
            vectors,
            ids: None,
        }
    }

    /// Gives the rows ids, in their order.
    #[must_use]
    pub fn ids(mut self, ids: Ids<DocId>) -> Self {
        self.ids = Some(ids);
        self
    }

    /// The index, and what was accepted on the way.
    ///
    /// # Errors
    /// If there are not as many ids as rows.
    pub fn build(self) -> Result<(ExactIndex, ExactNotes)> {
        let rows = Rows::new(self.metric, self.vectors, self.ids)?;
        Ok(ExactIndex::new(rows))
    }
}
