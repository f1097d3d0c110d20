//! A picture retrieval task with nothing to download: find the emoji that a word means.
//!
//! ```
//! let demo = mrmr_bench::demo::build()?;
//! assert!(demo.corpus.len() > 1000);
//! let query = demo.queries.ids().get("satisfied").unwrap();
//! assert_eq!(demo.queries.record(query).field("category"), Some("Smileys & Emotion"));
//! # Ok::<(), mrmr_core::Error>(())
//! ```
//!
//! Documents are the 72 x 72 pictures of Twemoji (CC-BY 4.0, Twitter, Inc and other contributors;
//! crate `twemoji-assets`), captions their Unicode names, queries the shortcodes that people type for
//! them (crate `emojis`), each with one relevant picture. Skin tones and flags are left out, and so is
//! every shortcode that says the same as the name: no query is answered by comparing two texts.

use std::sync::Arc;

use emojis::{Emoji, Group};
use mrmr_core::{
    Collection, Content, DocId, Field, Image, Interned, Media, Origin, Part, Qrels, QueryId,
    Record, Result,
};
use mrmr_formats::captions::{Captions, Subset};
use twemoji_assets::png::PngTwemojiAsset;

use crate::registry::TaskSpec;

/// The label of the one image of a document.
const LABEL: &str = "image 1";

/// The demonstration's data set and its captions.
#[derive(Debug)]
pub struct Demo {
    /// Shortcodes as words, with the emoji's group as category.
    pub queries: Collection<QueryId>,
    /// Pictures.
    pub corpus: Collection<DocId>,
    /// One relevant picture a query.
    pub qrels: Qrels,
    /// The name of each picture.
    pub captions: Captions,
}

/// The task: RR@10 of a data set in which each query has one answer among so many documents.
///
/// # Errors
/// Never in practice; the measure is parsed from text.
pub fn task(documents: usize) -> Result<TaskSpec> {
    // The one answer is as likely at each rank.
    let within: f64 = (1..=documents.min(10)).map(|rank| 1.0 / rank as f64).sum();
    Ok(TaskSpec {
        measure: "RR@10".parse()?,
        chance: Some(within / documents.max(1) as f64),
        ..TaskSpec::custom("emoji")?
    })
}

/// Builds the data set from what the program carries; the same each time.
///
/// # Errors
/// Never in practice: ids are unique.
pub fn build() -> Result<Demo> {
    let mut queries: Collection<QueryId> = Collection::new(Origin::memory("emoji queries"));
    let mut corpus: Collection<DocId> = Collection::new(Origin::memory("emoji pictures"));
    let mut qrels = Qrels::builder(Origin::memory("emoji judgements"));
    let mut captions = Captions::new();
    for emoji in emojis::iter().filter(|emoji| emoji.group() != Group::Flags) {
        let Some(png) = picture(emoji) else { continue };
        let document = code_points(emoji);
        let number = corpus.len() as u64;
        corpus.push(&document, picture_record(png), number)?;
        captions.insert(Subset::Corpus, &document, LABEL, emoji.name())?;
        for shortcode in emoji.shortcodes() {
            let text = shortcode.replace('_', " ");
            if words(&text) == words(emoji.name()) {
                continue;
            }
            let mut record = Record::new(text);
            let category = Field::Text(group_name(emoji.group()).to_owned());
            record.fields.insert("category".to_owned(), category);
            let key = queries.push(shortcode, record, queries.len() as u64)?;
            qrels.add(shortcode, &document, 1.0, key.index() as u64)?;
        }
    }
    let (qrels, _) = qrels.finish()?;
    Ok(Demo {
        queries,
        corpus,
        qrels,
        captions,
    })
}

fn picture(emoji: &Emoji) -> Option<&'static [u8]> {
    let without_selector = emoji.as_str().replace('\u{fe0f}', "");
    let asset = PngTwemojiAsset::from_emoji(emoji.as_str())
        .or_else(|| PngTwemojiAsset::from_emoji(&without_selector))?;
    Some(asset.data.0)
}

fn picture_record(png: &[u8]) -> Record {
    let image = |label: &str| Image {
        label: label.to_owned(),
        media: Media::Bytes(Arc::from(png)),
    };
    Record {
        content: Content::new([Part::Image(image(LABEL))]),
        merged: Some(image("image")),
        ..Record::default()
    }
}

/// The code points in hexadecimal, as Twemoji names its files.
fn code_points(emoji: &Emoji) -> String {
    let points = emoji.as_str().chars().filter(|c| *c != '\u{fe0f}');
    let points: Vec<String> = points.map(|c| format!("{:x}", u32::from(c))).collect();
    points.join("-")
}

/// The words of a text in order of the alphabet, in lower case: what two texts must differ in.
fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.sort_unstable();
    words.dedup();
    words
}

fn group_name(group: Group) -> &'static str {
    match group {
        Group::SmileysAndEmotion => "Smileys & Emotion",
        Group::PeopleAndBody => "People & Body",
        Group::AnimalsAndNature => "Animals & Nature",
        Group::FoodAndDrink => "Food & Drink",
        Group::TravelAndPlaces => "Travel & Places",
        Group::Activities => "Activities",
        Group::Objects => "Objects",
        Group::Symbols => "Symbols",
        Group::Flags => "Flags",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_query_says_the_same_as_the_caption_of_its_answer() {
        let demo = build().unwrap();
        let documents = demo.qrels.documents();
        for query in demo.qrels.queries().keys() {
            let text = demo.qrels.queries().name(query).replace('_', " ");
            for judgement in demo.qrels.judgements(query) {
                let document = documents.name(judgement.document);
                let caption = demo.captions.get(Subset::Corpus, document, LABEL).unwrap();
                assert_ne!(words(&text), words(caption));
            }
        }
        assert!(demo.queries.len() > 500, "{} queries", demo.queries.len());
    }

    #[test]
    fn every_document_is_a_png_with_a_caption() {
        let demo = build().unwrap();
        for (_, id, record) in demo.corpus.iter() {
            let bytes = record
                .content
                .images()
                .next()
                .unwrap()
                .media
                .read()
                .unwrap();
            assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
            assert!(demo.captions.get(Subset::Corpus, id, LABEL).is_some());
        }
    }
}
