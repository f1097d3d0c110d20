//! BM25 over the words of records.

use mrmr_core::Result;
use mrmr_models::Role;

use super::super::keys;
use super::super::step::{Answering, Context, Product};
use crate::store::{Answers, Key};
use crate::system::{Bm25System, Retrieval, SystemSpec};

/// BM25, with what it returns.
pub(in super::super) struct Bm25Work {
    pub(in super::super) system: Bm25System,
    pub(in super::super) depth: usize,
    pub(in super::super) drop_self: bool,
}

impl Bm25Work {
    /// The key, of the queries of the task or of those that a step makes.
    pub(in super::super) fn key(&self, context: &Context<'_>, queries: Option<&Key>) -> Key {
        let (task, rule) = (context.task, &self.system.content);
        Key::of("bm25", |hash| {
            let (params, analysis) = (&self.system.params, &self.system.analysis);
            hash.text(&format!("{params:?} {analysis:?} {rule} {}", self.depth));
            keys::restrictions(hash, context, self.drop_self);
            match queries {
                Some(key) => hash.bytes(key.as_bytes()),
                None => {
                    let records = task.dataset.queries.iter();
                    keys::texts(hash, rule, Role::Query, records, context.captions);
                }
            }
            let records = task.dataset.corpus.iter();
            keys::texts(hash, rule, Role::Document, records, context.captions);
        })
    }
}

impl Answering for Bm25Work {
    fn answer(
        &self,
        _: &Key,
        needs: &[Product],
        context: &Context<'_>,
        _: bool,
    ) -> Result<Answers> {
        let system = SystemSpec {
            name: "bm25".to_owned(),
            retrieval: Retrieval::Bm25(self.system.clone()),
            depth: self.depth,
            drop_self: self.drop_self,
        };
        let expanded = needs.first().and_then(Product::queries);
        let queries = expanded.unwrap_or(&context.task.dataset.queries);
        let (task, captions) = (context.task, context.captions);
        system.answer_bm25(
            &self.system,
            task,
            queries,
            context.candidates,
            captions,
            context.observer,
        )
    }
}
