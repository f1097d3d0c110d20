//! Queries with ids, made ready for a retriever.

use mrmr_core::{Error, Ids, QueryId, Result};

use crate::filter::Restriction;
use crate::vectors::Vectors;

/// Texts to search for, with the id of each and the documents it may return.
#[derive(Clone, Debug, Default)]
pub struct TextQueries {
    ids: Ids<QueryId>,
    texts: Vec<String>,
    restrictions: Vec<Restriction>,
}

impl TextQueries {
    /// No queries.
    pub fn new() -> Self {
        TextQueries::default()
    }

    /// Adds a query that may return any document.
    ///
    /// # Errors
    /// If the id is there already.
    pub fn push(&mut self, id: &str, text: impl Into<String>) -> Result<()> {
        self.push_restricted(id, text, Restriction::default())
    }

    /// Adds a query that may return some documents only.
    ///
    /// # Errors
    /// If the id is there already.
    pub fn push_restricted(
        &mut self,
        id: &str,
        text: impl Into<String>,
        restriction: Restriction,
    ) -> Result<()> {
        if !self.ids.insert(id).1 {
            return Err(Error::data(format!(
                "query '{id}' is there twice; ids are unique"
            )));
        }
        self.texts.push(text.into());
        self.restrictions.push(restriction);
        Ok(())
    }

    /// The ids, in the order of the queries.
    pub fn ids(&self) -> &Ids<QueryId> {
        &self.ids
    }

    /// The texts, in the order of the ids.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// What each query may return.
    pub fn restrictions(&self) -> &[Restriction] {
        &self.restrictions
    }
}

/// Vectors to search for, with the id of each and the documents it may return.
#[derive(Clone, Debug)]
pub struct VectorQueries {
    ids: Ids<QueryId>,
    vectors: Vectors,
    restrictions: Vec<Restriction>,
}

impl VectorQueries {
    /// Queries that may return any document.
    ///
    /// # Errors
    /// If there are not as many ids as vectors.
    pub fn new(ids: Ids<QueryId>, vectors: Vectors) -> Result<Self> {
        if ids.len() != vectors.len() {
            return Err(Error::data(format!(
                "there are {} query ids for {} vectors; expected one each",
                ids.len(),
                vectors.len()
            ))
            .hint("a repeated id counts once"));
        }
        Ok(VectorQueries {
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

    /// The ids, in the order of the vectors.
    pub fn ids(&self) -> &Ids<QueryId> {
        &self.ids
    }

    /// The vectors, in the order of the ids.
    pub fn vectors(&self) -> &Vectors {
        &self.vectors
    }

    /// What each query may return; empty where that is any document.
    pub fn restrictions(&self) -> &[Restriction] {
        &self.restrictions
    }
}
