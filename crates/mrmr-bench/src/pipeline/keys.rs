//! What the keys of several steps depend on.

use mrmr_core::Record;
use mrmr_models::{CaptionSource, ContentRule, Role};

use super::step::Context;
use crate::store::Hash;

/// What each query may return.
pub(super) fn restrictions(hash: &mut Hash, context: &Context<'_>, drop_self: bool) {
    hash.text(if drop_self { "drop self" } else { "keep self" });
    let dataset = &context.task.dataset;
    for (query, never) in &dataset.excluded {
        hash.text("excluded");
        hash.text(query);
        never.iter().for_each(|document| hash.text(document));
        hash.text("end");
    }
    let Some(candidates) = context.candidates else {
        return hash.text("all documents");
    };
    for query in dataset.queries.ids().names() {
        hash.text(query);
        match candidates.get(query) {
            Some(own) => own.iter().for_each(|candidate| hash.text(candidate)),
            None => hash.maybe(None),
        }
    }
}

/// The ids and the texts of records under a rule.
pub(super) fn texts<'r, K>(
    hash: &mut Hash,
    rule: &ContentRule,
    role: Role,
    records: impl Iterator<Item = (K, &'r str, &'r Record)>,
    captions: &dyn CaptionSource,
) {
    for (_, id, record) in records {
        let rendered = rule.render(role, id, record, captions);
        hash.text(id);
        hash.text(&rendered.text);
        for label in &rendered.without_caption {
            hash.text(label);
        }
        hash.text("end");
    }
}
