//! The records of one side to vectors, shard by shard.

use std::sync::Arc;

use mrmr_core::{Collection, QueryId, Record, Result};
use mrmr_models::Role;

use super::super::encoder::BoundEncoder;
use super::super::step::{Context, Kept, Product, Work};
use crate::dense::table;
use crate::encoding::{Dependence, EncodingJob, SHARD};
use crate::store::Key;

/// One side of a data set, by an encoder.
pub(in super::super) struct EncodeWork {
    pub(in super::super) encoder: Arc<BoundEncoder>,
    pub(in super::super) role: Role,
    pub(in super::super) instruction: Option<String>,
    /// Whether another step makes the queries.
    pub(in super::super) is_expanded: bool,
}

impl EncodeWork {
    fn dependence<'a>(&'a self, context: &Context<'a>) -> Dependence<'a> {
        Dependence {
            rule: self.encoder.rule(),
            role: self.role,
            instruction: self.instruction.as_deref(),
            captions: context.captions,
            identity: &self.encoder.identity,
        }
    }

    fn records<'a>(
        &self,
        context: &Context<'a>,
        queries: Option<&'a Collection<QueryId>>,
    ) -> Vec<(&'a str, &'a Record)> {
        let dataset = &context.task.dataset;
        match self.role {
            Role::Query => {
                let queries = queries.unwrap_or(&dataset.queries).iter();
                queries.map(|(_, id, record)| (id, record)).collect()
            }
            Role::Document => {
                let corpus = dataset.corpus.iter();
                corpus.map(|(_, id, record)| (id, record)).collect()
            }
        }
    }

    /// The key, of the records of the task or of the queries that a step makes.
    pub(in super::super) fn key(&self, context: &Context<'_>, queries: Option<&Key>) -> Key {
        let dependence = self.dependence(context);
        Key::of("vectors", |hash| match queries {
            Some(key) => {
                hash.bytes(key.as_bytes());
                dependence.add(hash);
            }
            None => {
                let records = self.records(context, None);
                records.iter().for_each(|(id, _)| hash.text(id));
                let shards = dependence.keys(&records, SHARD);
                shards.iter().for_each(|key| hash.bytes(key.as_bytes()));
            }
        })
    }

    fn table(
        &self,
        context: &Context<'_>,
        queries: Option<&Collection<QueryId>>,
        afresh: bool,
    ) -> Result<Product> {
        let encoder = self.encoder.open()?;
        let records = self.records(context, queries);
        let job = EncodingJob {
            instruction: self.instruction.as_deref(),
            identity: &self.encoder.identity,
            ..EncodingJob::new(&encoder, self.role, context.captions)
        };
        let mut plan = job.plan(&records, context.store)?;
        if afresh {
            plan.forget();
        }
        let encoded = plan.run(context.observer)?;
        Ok(Product::Vectors(Arc::new(table(&encoded)?)))
    }
}

impl Work for EncodeWork {
    fn kept(&self, _: &Key, context: &Context<'_>) -> Result<Kept> {
        // The records are not known before the step that makes them.
        if self.is_expanded {
            return Ok(Kept::Nothing);
        }
        let keys = self
            .dependence(context)
            .keys(&self.records(context, None), SHARD);
        let kept = keys.iter().filter(|key| context.store.has(key)).count();
        Ok(match kept {
            0 => Kept::Nothing,
            all if all == keys.len() => Kept::Whole,
            some => Kept::Part(some, keys.len()),
        })
    }

    fn make(
        &self,
        _: &Key,
        needs: &[Product],
        context: &Context<'_>,
        afresh: bool,
    ) -> Result<Product> {
        self.table(context, needs.first().and_then(Product::queries), afresh)
    }

    fn load(&self, _: &Key, _: &Context<'_>) -> Result<Option<Product>> {
        // Making it reads what is kept.
        Ok(None)
    }
}
