//! Multi-vectors in, an exact MaxSim index out.

use mrmr_core::{DocId, Error, Ids, Result};

use super::max_sim::MaxSimIndex;
use super::multi_vectors::MultiVectors;
use crate::metric::Metric;

/// Collects what an index is made of; see [`MaxSimIndex::builder`].
pub struct MaxSimBuilder {
    documents: MultiVectors,
    metric: Metric,
    ids: Option<Ids<DocId>>,
}

/// What building an index came across and accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MaxSimNotes {
    /// Documents without vectors: no query returns them.
    pub empty_documents: usize,
    /// The first of them.
    pub first_empty_document: Option<usize>,
    /// Vectors that are zero: at cosine and dot product 0 to every vector of a query.
    pub zero_vectors: usize,
    /// Vectors so long or so short (norm beyond 2^50 or below 2^-50) that each query scores their documents in
    /// 64 bits: correct, but slow if there are many.
    pub extreme_vectors: usize,
}

impl MaxSimNotes {
    /// The notes as sentences, for [`mrmr_core::Event::Warning`].
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if let Some(first) = self.first_empty_document {
            warnings.push(format!(
                "{} documents (the first is row {first}) have no vectors; no query returns them",
                self.empty_documents
            ));
        }
        if self.zero_vectors > 0 {
            warnings.push(format!(
                "{} zero vectors have similarity 0 to every vector of a query",
                self.zero_vectors
            ));
        }
        if self.extreme_vectors > 0 {
            warnings.push(format!(
                "{} vectors have norms beyond 2^50 or below 2^-50; search is slower for their documents",
                self.extreme_vectors
            ));
        }
        warnings
    }
}

impl MaxSimBuilder {
    pub(super) fn new(documents: MultiVectors) -> Self {
        MaxSimBuilder {
            documents,
            metric: Metric::Cosine,
            ids: None,
        }
    }

    /// What makes two vectors near: cosine unless told, or dot product.
    #[must_use]
    pub fn metric(mut self, metric: Metric) -> Self {
        self.metric = metric;
        self
    }

    /// Gives the documents ids, in their order.
    #[must_use]
    pub fn ids(mut self, ids: Ids<DocId>) -> Self {
        self.ids = Some(ids);
        self
    }

    /// The index, and what was accepted on the way.
    ///
    /// # Errors
    /// If the metric is euclidean, or there are not as many ids as documents.
    pub fn build(self) -> Result<(MaxSimIndex, MaxSimNotes)> {
        if self.metric == Metric::Euclidean {
            return Err(Error::unsupported(
                "MaxSim takes the metric cosine or dot, not euclidean",
            ));
        }
        if let Some(ids) = &self.ids
            && ids.len() != self.documents.len()
        {
            return Err(Error::data(format!(
                "there are {} ids for {} documents; expected one each",
                ids.len(),
                self.documents.len()
            ))
            .hint("a repeated id counts once"));
        }
        MaxSimIndex::new(self.documents, self.metric, self.ids)
    }
}
