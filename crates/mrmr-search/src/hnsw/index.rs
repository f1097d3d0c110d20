//! The index.

use std::path::Path;

use mrmr_core::{DocId, Event, Ids, Observer, Result};

use super::builder::{HnswBuilder, HnswNotes};
use super::construct::construct;
use super::graph::Graph;
use super::params::{HnswParams, check_ef};
use super::points::Points;
use super::reach::{Reach, connect};
use super::scratch::Scratches;
use super::space::Space;
use crate::filter::Filter;
use crate::index::{Approximate, Index, check_dimension};
use crate::kernels::Kernels;
use crate::metric::Metric;
use crate::rows::Rows;
use crate::top_k::{Neighbour, check_k};
use crate::vectors::Vectors;

/// Finds near neighbours by walking a graph; may miss some, and scores what it finds as
/// [`crate::ExactIndex`] does. The graph, and so every answer, is the same for any number of threads and on
/// any processor.
///
/// ```
/// use mrmr_search::{HnswIndex, HnswParams, Index, Metric, Vectors};
/// let rows = Vectors::new(2, vec![1.0, 0.0, 0.0, 2.0, 3.0, 3.0])?;
/// let ids = ["east", "north", "north-east"].into_iter().collect();
/// let (index, notes) = HnswIndex::builder(Metric::Cosine, rows)
///     .ids(ids)
///     .params(HnswParams { ef: 100, ..HnswParams::default() })
///     .build(&())?;
/// assert_eq!(notes.unreachable_rows_left, 0);
///
/// let found = index.search(&Vectors::new(2, vec![0.0, 1.0])?, 2)?;
/// let rows: Vec<u32> = found[0].iter().map(|neighbour| neighbour.row).collect();
/// assert_eq!(rows, [1, 2]);
/// # Ok::<(), mrmr_core::Error>(())
/// ```
pub struct HnswIndex {
    pub(super) rows: Rows,
    pub(super) space: Space,
    pub(super) points: Points,
    pub(super) graph: Graph,
    pub(super) params: HnswParams,
    pub(super) scratches: Scratches,
}

impl HnswIndex {
    /// Starts an index over vectors, without ids and with the usual parameters for now.
    pub fn builder(metric: Metric, vectors: Vectors) -> HnswBuilder {
        HnswBuilder::new(metric, vectors)
    }

    pub(super) fn new(
        rows: Rows,
        params: HnswParams,
        kernels: Kernels,
        observer: &dyn Observer,
    ) -> Result<(Self, HnswNotes)> {
        observer.observe(Event::StepStarted {
            number: 1,
            of: 1,
            name: "build",
            total: Some(rows.len() as u64),
            unit: "rows",
        });
        let space = Space::new(&rows);
        let (points, sizes) = Points::new(&rows, &space, &params, kernels)?;
        let scratches = Scratches::default();
        let mut graph = construct(&points, &sizes, &params, &scratches, observer);
        let missing = connect(&mut graph, &points, &params, &scratches);
        let rows_of = |some: &[u32]| some.iter().map(|point| points.rows(*point).len()).sum();
        let notes = HnswNotes {
            zero_rows: rows.squares.iter().filter(|square| **square == 0.0).count(),
            first_zero_row: rows.squares.iter().position(|square| *square == 0.0),
            repeated_rows: rows.len() - points.len(),
            entry_points: graph.entries(points.len()).len(),
            layers: sizes.len(),
            unreachable_rows: rows_of(&missing),
            unreachable_rows_left: rows_of(&Reach::new(&graph).missing()),
        };
        observer.observe(Event::StepFinished);
        let index = HnswIndex {
            rows,
            space,
            points,
            graph,
            params,
            scratches,
        };
        Ok((index, notes))
    }

    /// The vectors, as they were given.
    pub fn vectors(&self) -> &Vectors {
        &self.rows.vectors
    }

    /// How the graph was built, and is searched now.
    pub fn params(&self) -> HnswParams {
        self.params
    }

    /// Writes the graph to a file: all of it, or nothing where that fails. The vectors are not in it.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<()> {
        self.write(path)
    }

    /// Reads a graph that [`HnswIndex::save`] wrote, over the vectors that it was built over; it answers as
    /// the one that was saved, to the last bit.
    ///
    /// # Errors
    /// If the file cannot be read, is none of such an index, was cut short or changed, has a format that this
    /// version does not know, or belongs to another metric or other vectors; or if there are not as many ids
    /// as vectors.
    pub fn open(
        path: &Path,
        metric: Metric,
        vectors: Vectors,
        ids: Option<Ids<DocId>>,
    ) -> Result<Self> {
        HnswIndex::read(path, Rows::new(metric, vectors, ids)?, Kernels::detect())
    }
}

impl Index for HnswIndex {
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
        Ok(self.search_all(queries, k, filters))
    }
}

impl Approximate for HnswIndex {
    fn effort_name(&self) -> &'static str {
        "ef"
    }

    fn effort(&self) -> usize {
        self.params.ef
    }

    fn set_effort(&mut self, effort: usize) -> Result<()> {
        check_ef(effort)?;
        self.params.ef = effort;
        Ok(())
    }
}
