//! What every index of multi-vectors can do.

use mrmr_core::{DocId, Error, Ids, Result};

use super::multi_vectors::MultiVectors;
use crate::filter::Filter;
use crate::metric::Metric;
use crate::top_k::Neighbour;

/// Documents of many vectors each that can be searched; built once, never changed.
///
/// A query is many vectors too. The score is MaxSim: for each of the query's vectors the greatest score with one
/// of the document's, summed.
pub trait MultiVectorIndex: Sync {
    /// How many documents there are, those without vectors among them.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many numbers each vector has.
    fn dimension(&self) -> usize;

    /// What makes two vectors near.
    fn metric(&self) -> Metric;

    /// The ids of the documents, in their order, where they have ids.
    fn ids(&self) -> Option<&Ids<DocId>>;

    /// For each query the best `k` documents that have vectors (all where there are fewer), best first.
    ///
    /// Every document has the score 0 for a query without vectors. Equal scores, at the cut-off too, go by the
    /// larger id, byte-wise, where documents have ids, else by the smaller row number.
    ///
    /// # Errors
    /// If `k` is 0 or the queries have another dimension than the index.
    fn search(&self, queries: &MultiVectors, k: usize) -> Result<Vec<Vec<Neighbour>>> {
        self.search_filtered(queries, k, &[])
    }

    /// [`MultiVectorIndex::search`] among the documents that each query's filter lets through; `filters` is empty
    /// or has one a query.
    ///
    /// # Errors
    /// As [`MultiVectorIndex::search`], or if the filters do not fit the queries or the index.
    fn search_filtered(
        &self,
        queries: &MultiVectors,
        k: usize,
        filters: &[Filter],
    ) -> Result<Vec<Vec<Neighbour>>>;
}

/// Refuses queries of another dimension than that of the index.
pub(super) fn check_dimension(queries: &MultiVectors, dimension: usize) -> Result<()> {
    if queries.dimension() != dimension {
        return Err(Error::usage(format!(
            "queries have vectors of {} dimensions, the index has {dimension}; expected the same number",
            queries.dimension()
        ))
        .hint("queries and documents must come from the same encoder"));
    }
    Ok(())
}
