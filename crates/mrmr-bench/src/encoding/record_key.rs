//! What the vector of a record depends on.

use mrmr_core::{Media, Part, Record};
use mrmr_models::ContentRule;

use super::Dependence;
use crate::store::Hash;

/// Adds what the rule reads of a record; its id only leads to its captions.
pub(super) fn add(hash: &mut Hash, on: &Dependence<'_>, id: &str, record: &Record) {
    let rule = on.rule;
    let (reads_images, reads_merged) = match rule {
        ContentRule::Text | ContentRule::Captions => (false, false),
        ContentRule::TwoStream(_) | ContentRule::Merged => (true, true),
        ContentRule::Interleaved | ContentRule::Page(_) => (true, false),
    };
    for part in record.content.parts() {
        match part {
            Part::Text(text) => {
                hash.text("text");
                hash.text(text);
            }
            Part::Image(image) => {
                hash.text("image");
                if matches!(rule, ContentRule::Captions | ContentRule::Page(_)) {
                    hash.maybe(on.captions.caption(on.role, id, &image.label));
                }
                if reads_images {
                    media(hash, &image.media);
                }
            }
            Part::Audio(audio) => {
                hash.text("audio");
                if reads_images {
                    media(hash, &audio.media);
                }
            }
        }
    }
    if let Some(image) = &record.merged
        && reads_merged
    {
        hash.text("merged");
        media(hash, &image.media);
    }
    if let Some(image) = &record.page
        && matches!(rule, ContentRule::Page(_))
    {
        hash.text("page");
        media(hash, &image.media);
    }
    hash.text("end");
}

/// What cannot be read has its message: what is repaired is encoded again.
fn media(hash: &mut Hash, media: &Media) {
    if media.is_missing() {
        return hash.maybe(None);
    }
    match media.read() {
        Ok(bytes) => hash.bytes(&bytes),
        Err(error) => hash.text(&error.to_string()),
    }
}
