//! How neighbours of vectors are found: all rows, or an index that may miss some.

use std::fmt;

use mrmr_core::{DocId, Ids, Observer, Result};
use mrmr_search::{
    ExactIndex, HnswIndex, HnswParams, Index, IvfIndex, IvfParams, Metric, PqIndex, PqParams,
    Vectors,
};

/// How neighbours are found.
///
/// ```
/// use mrmr_bench::IndexSpec;
/// use mrmr_search::HnswParams;
/// let index = IndexSpec::Hnsw(HnswParams { ef: 32, ..HnswParams::default() });
/// assert_eq!(index.to_string(), "hnsw (m 16, ef-construction 100, ef 32, seed 0)");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IndexSpec {
    /// All rows are compared.
    #[default]
    Exact,
    /// A graph.
    Hnsw(HnswParams),
    /// Lists of near rows.
    Ivf(IvfParams),
    /// Rows as a few bytes.
    Pq(PqParams),
}

impl IndexSpec {
    /// Whether it may miss neighbours.
    pub fn is_approximate(&self) -> bool {
        *self != IndexSpec::Exact
    }

    /// The index over vectors, and what people should know of it.
    pub(crate) fn build(
        &self,
        metric: Metric,
        vectors: Vectors,
        ids: Ids<DocId>,
        observer: &dyn Observer,
    ) -> Result<(Box<dyn Index>, Vec<String>)> {
        Ok(match *self {
            IndexSpec::Exact => {
                let (index, notes) = ExactIndex::builder(metric, vectors).ids(ids).build()?;
                (Box::new(index), notes.warnings())
            }
            IndexSpec::Hnsw(params) => {
                let builder = HnswIndex::builder(metric, vectors).ids(ids).params(params);
                let (index, notes) = builder.build(observer)?;
                (Box::new(index), notes.warnings())
            }
            IndexSpec::Ivf(params) => {
                let builder = IvfIndex::builder(metric, vectors).ids(ids).params(params);
                let (index, notes) = builder.build(observer)?;
                (Box::new(index), notes.warnings())
            }
            IndexSpec::Pq(params) => {
                let builder = PqIndex::builder(metric, vectors).ids(ids).params(params);
                let (index, notes) = builder.build(observer)?;
                (Box::new(index), notes.warnings())
            }
        })
    }
}

impl fmt::Display for IndexSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |number: Option<usize>| number.map_or("usual".to_owned(), |n| n.to_string());
        match self {
            IndexSpec::Exact => f.pad("exact"),
            IndexSpec::Hnsw(p) => f.pad(&format!(
                "hnsw (m {}, ef-construction {}, ef {}, seed {})",
                p.m, p.ef_construction, p.ef, p.seed
            )),
            IndexSpec::Ivf(p) => f.pad(&format!(
                "ivf (lists {}, probes {}, seed {})",
                number(p.lists),
                p.probes,
                p.seed
            )),
            IndexSpec::Pq(p) => f.pad(&format!(
                "pq (segments {}, rescored {}, seed {})",
                number(p.segments),
                p.rescored,
                p.seed
            )),
        }
    }
}
