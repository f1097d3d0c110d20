//! Documents in, an index out.

use mrmr_core::{DocId, Error, Ids, Result};
use rayon::prelude::*;

use super::index::Bm25Index;
use super::params::Bm25Params;
use super::postings::{Part, Postings};
use crate::Analysis;

/// How many documents are analysed by one thread at a time; fixed, so that the numbers of the terms do
/// not depend on the number of threads.
const PART: usize = 256;
/// How many texts are held back until they are analysed together.
const WAITING: usize = 64 * PART;

/// Collects documents; see [`Bm25Index::builder`].
pub struct Bm25Builder {
    params: Bm25Params,
    analysis: Analysis,
    ids: Ids<DocId>,
    waiting: Vec<String>,
    parts: Vec<Part>,
}

impl Bm25Builder {
    pub(super) fn new(params: Bm25Params, analysis: Analysis) -> Self {
        Bm25Builder {
            params,
            analysis,
            ids: Ids::new(),
            waiting: Vec::new(),
            parts: Vec::new(),
        }
    }

    /// Adds a document; an empty text is a document that is never found.
    ///
    /// # Errors
    /// If the id is there already.
    pub fn add(&mut self, id: &str, text: impl Into<String>) -> Result<()> {
        let (document, new) = self.ids.insert(id);
        if !new {
            return Err(Error::data(format!(
                "document '{id}' is there twice, the first time as row {}; ids are unique",
                mrmr_core::Interned::index(document)
            )));
        }
        self.waiting.push(text.into());
        if self.waiting.len() == WAITING {
            self.analyse();
        }
        Ok(())
    }

    fn analyse(&mut self) {
        let parts = self.waiting.par_chunks(PART);
        self.parts
            .par_extend(parts.map(|texts| Part::new(texts, &self.analysis)));
        self.waiting.clear();
    }

    /// The index, the same for any number of threads.
    pub fn build(mut self) -> Bm25Index {
        self.analyse();
        Bm25Index::new(
            self.params,
            self.analysis,
            self.ids,
            Postings::new(&self.parts),
        )
    }
}
