//! A run that is there already.

use mrmr_core::Result;

use super::super::step::{Answering, Context, Product};
use crate::store::{Answers, Key};
use crate::system::{Retrieval, RunFile, SystemSpec};

/// A run of a file.
pub(in super::super) struct RunWork {
    pub(in super::super) file: RunFile,
    pub(in super::super) drop_self: bool,
}

impl RunWork {
    /// The key.
    pub(in super::super) fn key(&self, context: &Context<'_>) -> Key {
        Key::of("run file", |hash| {
            hash.maybe(self.file.hash.as_deref());
            super::super::keys::restrictions(hash, context, self.drop_self);
        })
    }
}

impl Answering for RunWork {
    fn answer(&self, _: &Key, _: &[Product], context: &Context<'_>, _: bool) -> Result<Answers> {
        let system = SystemSpec {
            name: self.file.run.name().to_owned(),
            retrieval: Retrieval::Run(Box::new(self.file.clone())),
            depth: usize::MAX,
            drop_self: self.drop_self,
        };
        let captions = context.captions;
        system.answer(context.task, context.candidates, captions, context.observer)
    }
}
