//! The index over lists.

use mrmr_core::{DocId, Error, Ids, Result};

use super::builder::{IvfBuilder, IvfNotes, IvfParams};
use super::lists::Lists;
use crate::filter::Filter;
use crate::index::{Approximate, Index, check_dimension};
use crate::kernels::Kernels;
use crate::metric::Metric;
use crate::rows::Rows;
use crate::top_k::{Neighbour, check_k};
use crate::vectors::Vectors;

/// Finds the nearest neighbours in the lists whose centroids are nearest (Jégou, Douze, Schmid 2011): the
/// true ones of those lists, scored as [`crate::ExactIndex`] scores them.
///
/// Lists, answers and scores are the same for any batch of queries, number of threads and processor.
///
/// ```
/// use mrmr_search::{Approximate, Index, IvfIndex, IvfParams, Metric, Vectors};
/// let rows = Vectors::new(2, vec![1.0, 0.0, 0.9, 0.1, 0.0, 2.0, 0.1, 2.0])?;
/// let params = IvfParams { lists: Some(2), probes: 1, ..IvfParams::default() };
/// let (index, notes) = IvfIndex::builder(Metric::Euclidean, rows).params(params).build(&())?;
/// assert_eq!((notes.largest_list, index.effort_name(), index.effort()), (2, "probes", 1));
///
/// let query = Vectors::new(2, vec![0.0, 2.1])?;
/// let rows = |k| -> mrmr_core::Result<Vec<u32>> {
///     Ok(index.search(&query, k)?[0].iter().map(|neighbour| neighbour.row).collect())
/// };
/// assert_eq!(rows(2)?, [2, 3]);
/// // More than the list has: the next is looked through as well.
/// assert_eq!(rows(3)?, [2, 3, 1]);
/// # Ok::<(), mrmr_core::Error>(())
/// ```
pub struct IvfIndex {
    pub(super) rows: Rows,
    pub(super) lists: Lists,
    pub(super) params: IvfParams,
    pub(super) kernels: Kernels,
}

impl IvfIndex {
    /// Starts an index over vectors, without ids and with the usual parameters for now.
    pub fn builder(metric: Metric, vectors: Vectors) -> IvfBuilder {
        IvfBuilder::new(metric, vectors)
    }

    pub(super) fn new(rows: Rows, lists: Lists, params: IvfParams, kernels: Kernels) -> Self {
        IvfIndex {
            rows,
            lists,
            params,
            kernels,
        }
    }

    /// The parameters it was built with, and the probes as they are set now.
    pub fn params(&self) -> IvfParams {
        self.params
    }

    /// What its lists are like.
    pub fn notes(&self) -> IvfNotes {
        self.lists.notes()
    }

    /// The vectors, as they were given.
    pub fn vectors(&self) -> &Vectors {
        &self.rows.vectors
    }
}

impl Index for IvfIndex {
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

impl Approximate for IvfIndex {
    fn effort_name(&self) -> &'static str {
        "probes"
    }

    fn effort(&self) -> usize {
        self.params.probes
    }

    fn set_effort(&mut self, effort: usize) -> Result<()> {
        if effort == 0 {
            return Err(Error::usage("probes is 0; expected at least 1"));
        }
        self.params.probes = effort;
        Ok(())
    }
}
