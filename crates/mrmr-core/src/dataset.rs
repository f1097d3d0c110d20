//! Queries, documents and judgements that belong together.

use std::collections::BTreeMap;

use crate::id::{DocId, QueryId};
use crate::qrels::Qrels;
use crate::record::Collection;

/// A data set: queries, documents and judgements that belong together.
///
/// The ids of `qrels` are a table of their own; join by name.
#[derive(Clone, Debug)]
pub struct Dataset {
    /// A name for people.
    pub name: String,
    /// The queries.
    pub queries: Collection<QueryId>,
    /// The documents.
    pub corpus: Collection<DocId>,
    /// The judgements.
    pub qrels: Qrels,
    /// By query: the documents that compete for it, where the data set names them; a query that is not here may
    /// return any document.
    pub candidates: BTreeMap<String, Vec<String>>,
    /// By query: documents that it never returns, taken out before the cut.
    pub excluded: BTreeMap<String, Vec<String>>,
}

impl Dataset {
    /// The ids of relevant documents (grade above 0) that the corpus lacks, by their bytes.
    ///
    /// They stay in the qrels: they count in the ideal ranking and in recall.
    pub fn orphan_golds(&self) -> Vec<&str> {
        let documents = self.qrels.documents();
        let mut orphan = vec![false; documents.len()];
        for query in self.qrels.queries().keys() {
            for judgement in self.qrels.judgements(query) {
                let index = crate::Interned::index(judgement.document);
                orphan[index] |= judgement.grade > 0.0
                    && self
                        .corpus
                        .ids()
                        .get(documents.name(judgement.document))
                        .is_none();
            }
        }
        let mut names: Vec<&str> = documents
            .names()
            .zip(orphan)
            .filter_map(|(name, orphan)| orphan.then_some(name))
            .collect();
        names.sort_unstable();
        names
    }
}
