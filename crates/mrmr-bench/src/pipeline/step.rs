//! A step: what it makes, from which others, under which key.

use std::sync::Arc;

use mrmr_core::{Collection, Observer, QueryId, Result};
use mrmr_models::CaptionSource;

use crate::candidates::Candidates;
use crate::store::{Answers, Key, Store};
use crate::system::VectorTable;
use crate::task::Task;

/// What steps work with.
#[derive(Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) task: &'a Task,
    pub(super) candidates: Option<&'a Candidates>,
    pub(super) captions: &'a (dyn CaptionSource + Sync),
    pub(super) store: &'a Store,
    pub(super) observer: &'a dyn Observer,
}

/// What a step makes.
#[derive(Clone)]
pub(super) enum Product {
    /// Queries, changed.
    Queries(Arc<Collection<QueryId>>),
    /// The vectors of one side.
    Vectors(Arc<VectorTable>),
    /// A run.
    Answers(Arc<Answers>),
}

/// How much of a step is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kept {
    /// All of it.
    Whole,
    /// So many parts of so many.
    Part(usize, usize),
    /// Nothing.
    Nothing,
}

/// What a step does.
pub(super) trait Work: Sync {
    /// How much of it the store has.
    fn kept(&self, key: &Key, context: &Context<'_>) -> Result<Kept>;

    /// Makes it, what the store has of it excepted. `needs` are the products of the steps that it needs, in their
    /// order; `afresh` says that nothing kept may be used.
    fn make(
        &self,
        key: &Key,
        needs: &[Product],
        context: &Context<'_>,
        afresh: bool,
    ) -> Result<Product>;

    /// What the store has, where that is all of it.
    fn load(&self, key: &Key, context: &Context<'_>) -> Result<Option<Product>>;
}

/// A step that answers with a run, kept as one file.
pub(super) trait Answering: Sync {
    /// The answers.
    fn answer(
        &self,
        key: &Key,
        needs: &[Product],
        context: &Context<'_>,
        afresh: bool,
    ) -> Result<Answers>;
}

impl<T: Answering> Work for T {
    fn kept(&self, key: &Key, context: &Context<'_>) -> Result<Kept> {
        Ok(match context.store.answers(key)? {
            Some(_) => Kept::Whole,
            None => Kept::Nothing,
        })
    }

    fn make(
        &self,
        key: &Key,
        needs: &[Product],
        context: &Context<'_>,
        afresh: bool,
    ) -> Result<Product> {
        let answers = self.answer(key, needs, context, afresh)?;
        context.store.put_answers(key, &answers)?;
        Ok(Product::Answers(Arc::new(answers)))
    }

    fn load(&self, key: &Key, context: &Context<'_>) -> Result<Option<Product>> {
        let kept = context.store.answers(key)?;
        Ok(kept.map(|answers| Product::Answers(Arc::new(answers))))
    }
}

impl Product {
    /// The run, where it is one.
    pub(super) fn answers(&self) -> Option<&Answers> {
        match self {
            Product::Answers(answers) => Some(answers),
            _ => None,
        }
    }

    /// The vectors, where it is these.
    pub(super) fn vectors(&self) -> Option<&VectorTable> {
        match self {
            Product::Vectors(vectors) => Some(vectors),
            _ => None,
        }
    }

    /// The queries, where it is these.
    pub(super) fn queries(&self) -> Option<&Collection<QueryId>> {
        match self {
            Product::Queries(queries) => Some(queries),
            _ => None,
        }
    }
}

/// The run of a step; that a step gives another thing is ruled out when it is planned.
pub(super) fn answers(product: Option<&Product>) -> Result<&Answers> {
    product
        .and_then(Product::answers)
        .ok_or_else(|| mrmr_core::Error::usage("expected the run of an earlier step"))
}

/// The vectors of a step.
pub(super) fn vectors(product: Option<&Product>) -> Result<&VectorTable> {
    product
        .and_then(Product::vectors)
        .ok_or_else(|| mrmr_core::Error::usage("expected the vectors of an earlier step"))
}
