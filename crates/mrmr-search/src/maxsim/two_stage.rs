//! Candidates by something cheaper, then exact MaxSim over them.

use mrmr_core::{DocId, Error, Ids, Result};

use super::index::{MultiVectorIndex, check_dimension};
use super::max_sim::MaxSimIndex;
use super::multi_vectors::MultiVectors;
use super::pooling::Pooling;
use crate::exact::ExactIndex;
use crate::filter::Filter;
use crate::index::Index;
use crate::metric::Metric;
use crate::top_k::{Neighbour, check_k};

/// An index that scores the best candidates of a first stage by exact MaxSim. It may miss documents, and misses
/// fewer the more candidates there are; what it returns has the scores that [`MaxSimIndex`] gives.
///
/// ```
/// use mrmr_search::{MaxSimIndex, MultiVectorIndex, MultiVectors, TwoStage};
/// let documents = MultiVectors::new(2, vec![1.0, 0.0, 0.0, 1.0, 0.6, 0.8], vec![0, 2, 3])?;
/// let (index, _) = MaxSimIndex::builder(documents).build()?;
/// let mut index = TwoStage::by_means(index, 1)?;
/// let query = MultiVectors::new(2, vec![1.0, 0.0, 0.0, 1.0], vec![0, 2])?;
/// assert_eq!(index.search(&query, 1)?[0][0].score, 2.0);
///
/// index.set_effort(2)?;
/// assert_eq!(index.recalls(&query, 2)?, [1.0]);
/// # Ok::<(), mrmr_core::Error>(())
/// ```
pub struct TwoStage {
    first: FirstStage,
    second: MaxSimIndex,
    candidates: usize,
    /// Documents without vectors, which are no candidates.
    empty: Vec<u32>,
}

enum FirstStage {
    /// One vector a document, in the order of the documents.
    Single(Box<dyn Index + Send>),
    /// Fewer vectors a document.
    Pooled(Box<MaxSimIndex>),
}

impl TwoStage {
    /// Candidates by the cosine of the means of a document's and a query's vectors, over all documents.
    ///
    /// # Errors
    /// If `candidates` is 0.
    pub fn by_means(second: MaxSimIndex, candidates: usize) -> Result<Self> {
        let means = second.documents().means();
        let (first, _) = ExactIndex::builder(Metric::Cosine, means).build()?;
        Self::by_index(second, Box::new(first), candidates)
    }

    /// Candidates by any index of one vector a document, in the order of the documents, which is asked with the
    /// mean of a query's vectors, normalised; see [`MultiVectors::means`].
    ///
    /// # Errors
    /// If `candidates` is 0, or the two indexes differ in length or dimension.
    pub fn by_index(
        second: MaxSimIndex,
        first: Box<dyn Index + Send>,
        candidates: usize,
    ) -> Result<Self> {
        let (found, expected) = (
            (first.len(), first.dimension()),
            (second.len(), second.dimension()),
        );
        if found != expected {
            return Err(Error::usage(format!(
                "the first stage has {} vectors of {} dimensions, the second {} documents of {}; expected the same",
                found.0, found.1, expected.0, expected.1
            ))
            .hint("the first stage has one vector a document, for documents without vectors too"));
        }
        Self::new(FirstStage::Single(first), second, candidates)
    }

    /// Candidates by MaxSim with fewer vectors a document; see [`MultiVectors::pooled`].
    ///
    /// # Errors
    /// If `candidates` or the factor is 0.
    pub fn by_pooled(
        second: MaxSimIndex,
        factor: usize,
        method: Pooling,
        candidates: usize,
    ) -> Result<Self> {
        let pooled = second.documents().pooled(factor, method)?;
        let builder = MaxSimIndex::builder(pooled).metric(second.metric());
        let (first, _) = builder.build()?;
        Self::new(FirstStage::Pooled(Box::new(first)), second, candidates)
    }

    fn new(first: FirstStage, second: MaxSimIndex, candidates: usize) -> Result<Self> {
        let empty = (0..second.len()).filter(|document| second.vectors_of(*document) == 0);
        let mut index = TwoStage {
            first,
            empty: empty.map(|document| document as u32).collect(),
            second,
            candidates,
        };
        index.set_effort(candidates)?;
        Ok(index)
    }

    /// What the effort is called: `candidates`.
    pub fn effort_name(&self) -> &'static str {
        "candidates"
    }

    /// How many candidates are scored for a query, at least as many as are wanted.
    pub fn effort(&self) -> usize {
        self.candidates
    }

    /// Sets the effort for the searches to come.
    ///
    /// # Errors
    /// If it is 0.
    pub fn set_effort(&mut self, effort: usize) -> Result<()> {
        if effort == 0 {
            return Err(Error::usage(
                "candidates is 0; expected how many documents go to the second stage, at least 1",
            ));
        }
        self.candidates = effort;
        Ok(())
    }

    /// The second stage, which alone gives the true answers.
    pub fn exact(&self) -> &MaxSimIndex {
        &self.second
    }

    /// For each query the share of the true best `k` that is found; 1 where there are none.
    ///
    /// # Errors
    /// As [`MultiVectorIndex::search`].
    pub fn recalls(&self, queries: &MultiVectors, k: usize) -> Result<Vec<f64>> {
        let (found, truth) = (self.search(queries, k)?, self.second.search(queries, k)?);
        let shares = found.iter().zip(&truth).map(|(found, truth)| {
            let is_found = |n: &&Neighbour| found.iter().any(|other| other.row == n.row);
            let common = truth.iter().filter(is_found).count();
            match truth.len() {
                0 => 1.0,
                count => common as f64 / count as f64,
            }
        });
        Ok(shares.collect())
    }
}

impl MultiVectorIndex for TwoStage {
    fn len(&self) -> usize {
        self.second.len()
    }

    fn dimension(&self) -> usize {
        self.second.dimension()
    }

    fn metric(&self) -> Metric {
        self.second.metric()
    }

    fn ids(&self) -> Option<&Ids<DocId>> {
        self.second.ids()
    }

    fn search_filtered(
        &self,
        queries: &MultiVectors,
        k: usize,
        filters: &[Filter],
    ) -> Result<Vec<Vec<Neighbour>>> {
        check_k(k)?;
        check_dimension(queries, self.dimension())?;
        Filter::check_all(filters, queries.len(), self.len())?;
        let wanted = self.candidates.max(k);
        let found = match &self.first {
            FirstStage::Pooled(first) => first.search_filtered(queries, wanted, filters)?,
            FirstStage::Single(first) if self.empty.is_empty() => {
                first.search_filtered(&queries.means(), wanted, filters)?
            }
            FirstStage::Single(first) => {
                let all = Filter::default();
                let filters: Vec<Filter> = (0..queries.len())
                    .map(|query| filters.get(query).unwrap_or(&all).clone())
                    .map(|filter| filter.without(self.empty.iter().copied()))
                    .collect();
                first.search_filtered(&queries.means(), wanted, &filters)?
            }
        };
        let rows = |found: &Vec<Neighbour>| Filter::only(found.iter().map(|n| n.row));
        let candidates: Vec<Filter> = found.iter().map(rows).collect();
        self.second.search_filtered(queries, k, &candidates)
    }
}
