//! Queries of many vectors with ids, made ready for a retriever.

use mrmr_core::{Error, Ids, QueryId, Result};

use super::multi_vectors::MultiVectors;
use crate::filter::Restriction;

/// Multi-vectors to search for, with the id of each and the documents it may return.
#[derive(Clone, Debug)]
pub struct MultiVectorQueries {
    ids: Ids<QueryId>,
    vectors: MultiVectors,
    restrictions: Vec<Restriction>,
}

impl MultiVectorQueries {
    /// Queries that may return any document.
    ///
    /// # Errors
    /// If there are not as many ids as items.
    pub fn new(ids: Ids<QueryId>, vectors: MultiVectors) -> Result<Self> {
        if ids.len() != vectors.len() {
            return Err(Error::data(format!(
                "there are {} query ids for {} items; expected one each",
                ids.len(),
                vectors.len()
            ))
            .hint("a repeated id counts once"));
        }
        Ok(MultiVectorQueries {
            ids,
            vectors,
            restrictions: Vec::new(),
        })
    }

    /// Says what each query may return.
    ///
    /// # Errors
    /// If there are not as many restrictions as queries.
    pub fn with_restrictions(mut self, restrictions: Vec<Restriction>) -> Result<Self> {
        if restrictions.len() != self.ids.len() {
            return Err(Error::data(format!(
                "there are {} restrictions for {} queries; expected one each",
                restrictions.len(),
                self.ids.len()
            )));
        }
        self.restrictions = restrictions;
        Ok(self)
    }

    /// The ids, in the order of the items.
    pub fn ids(&self) -> &Ids<QueryId> {
        &self.ids
    }

    /// The vectors, in the order of the ids.
    pub fn vectors(&self) -> &MultiVectors {
        &self.vectors
    }

    /// What each query may return; empty where that is any document.
    pub fn restrictions(&self) -> &[Restriction] {
        &self.restrictions
    }
}
