//! What every index of vectors can do.

use mrmr_core::{DocId, Error, Ids, Result};

use crate::filter::Filter;
use crate::metric::Metric;
use crate::top_k::Neighbour;
use crate::vectors::Vectors;

/// Vectors that can be searched; built once, never changed.
pub trait Index: Sync {
    /// How many vectors there are.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many numbers each vector has.
    fn dimension(&self) -> usize;

    /// What its scores are.
    fn metric(&self) -> Metric;

    /// The ids of the rows, in their order, where they have ids.
    fn ids(&self) -> Option<&Ids<DocId>>;

    /// For each query the best `k` rows (all where there are fewer), best first.
    ///
    /// Equal scores, at the cut-off too, go by the larger id, byte-wise, where rows have ids, else by the
    /// smaller row number.
    ///
    /// # Errors
    /// If `k` is 0 or the queries have another dimension than the index.
    fn search(&self, queries: &Vectors, k: usize) -> Result<Vec<Vec<Neighbour>>> {
        self.search_filtered(queries, k, &[])
    }

    /// [`Index::search`] among the rows that each query's filter lets through; `filters` is empty or has
    /// one a query.
    ///
    /// # Errors
    /// As [`Index::search`], or if the filters do not fit the queries or the index.
    fn search_filtered(
        &self,
        queries: &Vectors,
        k: usize,
        filters: &[Filter],
    ) -> Result<Vec<Vec<Neighbour>>>;
}

/// An index that may miss neighbours, and misses fewer the more effort a query may take.
///
/// What it returns is scored as [`crate::ExactIndex`] scores it, from the rows as they were given, so that a
/// missing row is all that an answer can differ by. An index that takes an effort of 0 makes one exception: with
/// that, rows are ranked and scored by their codes alone.
pub trait Approximate: Index {
    /// What the effort is called: `ef`, `probes`, ..
    fn effort_name(&self) -> &'static str;

    /// How much effort a query takes.
    fn effort(&self) -> usize;

    /// The least effort there is: 1, or 0 where an index can answer without the rows as they were given.
    fn least_effort(&self) -> usize {
        1
    }

    /// Sets the effort for the searches to come.
    ///
    /// # Errors
    /// If it is below the least.
    fn set_effort(&mut self, effort: usize) -> Result<()>;
}

/// Refuses queries of another dimension than that of the index.
pub(crate) fn check_dimension(queries: &Vectors, dimension: usize) -> Result<()> {
    if queries.dimension() != dimension {
        return Err(Error::usage(format!(
            "queries have {} dimensions, the index has {dimension}; expected the same number",
            queries.dimension()
        ))
        .hint("queries and documents must come from the same encoder"));
    }
    Ok(())
}
