//! The nearest documents of queries, by vectors.

use mrmr_core::Result;
use mrmr_search::Metric;

use super::super::keys;
use super::super::step::{self, Answering, Context, Product};
use crate::index_spec::IndexSpec;
use crate::store::{Answers, Key};
use crate::system::{Retrieval, SystemSpec, VectorSystem};

/// Search over vectors: of the queries, then of the documents.
pub(in super::super) struct SearchWork {
    pub(in super::super) metric: Metric,
    pub(in super::super) index: IndexSpec,
    pub(in super::super) depth: usize,
    pub(in super::super) drop_self: bool,
    /// Whether a document must have several vectors.
    pub(in super::super) wants_many: bool,
}

impl SearchWork {
    /// The key, of those of queries and documents.
    pub(in super::super) fn key(&self, context: &Context<'_>, needs: [&Key; 2]) -> Key {
        Key::of("search", |hash| {
            hash.text(&format!("{} {} {}", self.metric, self.index, self.depth));
            keys::restrictions(hash, context, self.drop_self);
            needs.iter().for_each(|key| hash.bytes(key.as_bytes()));
        })
    }
}

impl Answering for SearchWork {
    fn answer(
        &self,
        _: &Key,
        needs: &[Product],
        context: &Context<'_>,
        _: bool,
    ) -> Result<Answers> {
        let documents = step::vectors(needs.get(1))?.clone();
        if documents.is_multi && self.index.is_approximate() {
            return Err(mrmr_core::Error::usage(format!(
                "{} searches one vector a document; the encoder makes several",
                self.index
            ))
            .hint("retrieve = { kind = \"maxsim\" }"));
        }
        if self.wants_many && !documents.is_multi {
            return Err(mrmr_core::Error::usage(
                "maxsim compares several vectors a document; the encoder makes one",
            )
            .hint("retrieve = { kind = \"exact\" }, or an encoder of late interaction"));
        }
        let vectors = Box::new(VectorSystem {
            metric: self.metric,
            queries: step::vectors(needs.first())?.clone(),
            documents,
            settings: Vec::new(),
            index: self.index,
        });
        let system = SystemSpec {
            name: "search".to_owned(),
            retrieval: Retrieval::Exact(vectors),
            depth: self.depth,
            drop_self: self.drop_self,
        };
        let captions = context.captions;
        system.answer(context.task, context.candidates, captions, context.observer)
    }
}
