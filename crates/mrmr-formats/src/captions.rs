//! Captions that stand for images, in the form that MRMR's authors use.
//!
//! ```
//! use mrmr_formats::captions::{Subset, read_captions};
//! use mrmr_formats::input::Input;
//!
//! let file = br#"[{"subset": "query", "item_id": 7, "captions": {"image_1": {"caption": "a red circle"}}}]"#;
//! let captions = read_captions(&Input::memory("captions.json", &file[..]))?;
//! assert_eq!(captions.get(Subset::Query, "7", "image 1"), Some("a red circle"));
//! assert_eq!(captions.get(Subset::Corpus, "7", "image 1"), None);
//! # Ok::<(), mrmr_core::Error>(())
//! ```
//!
//! The key `image_1` of the file is the image with the label `image 1`, for which `<image 1>` stands in a text; the
//! key `image` is that of `<image>`.

mod journal;
mod read;
mod write;

use std::collections::BTreeMap;
use std::fmt;

use mrmr_core::{Error, Result};

pub use journal::CaptionJournal;
pub use read::read_captions;
pub use write::write_captions;

/// Which records captions belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Subset {
    /// Queries.
    Query,
    /// Documents.
    Corpus,
}

impl fmt::Display for Subset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Subset::Query => "query",
            Subset::Corpus => "corpus",
        })
    }
}

impl std::str::FromStr for Subset {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        match text {
            "query" => Ok(Subset::Query),
            "corpus" => Ok(Subset::Corpus),
            other => Err(Error::format(format!(
                "unknown subset '{other}'; expected query or corpus"
            ))),
        }
    }
}

/// Captions by subset, id of the record, and label of the image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captions {
    items: [BTreeMap<String, BTreeMap<String, String>>; 2],
}

impl Captions {
    /// No captions.
    pub fn new() -> Self {
        Captions::default()
    }

    /// The caption of an image by its label, `image 1` or `image`.
    pub fn get(&self, subset: Subset, id: &str, label: &str) -> Option<&str> {
        let item = self.items[subset as usize].get(id)?;
        item.get(label).map(String::as_str)
    }

    /// Adds a caption.
    ///
    /// # Errors
    /// If the image has another caption already; the same one again is accepted.
    pub fn insert(&mut self, subset: Subset, id: &str, label: &str, caption: &str) -> Result<()> {
        let item = self.items[subset as usize]
            .entry(id.to_owned())
            .or_default();
        match item.get(label) {
            Some(there) if there != caption => Err(Error::data(format!(
                "{subset} '{id}', {label}: the caption {caption:?} contradicts an earlier one, {there:?}"
            ))),
            Some(_) => Ok(()),
            None => {
                item.insert(label.to_owned(), caption.to_owned());
                Ok(())
            }
        }
    }

    /// How many captions there are.
    pub fn len(&self) -> usize {
        self.items
            .iter()
            .flat_map(BTreeMap::values)
            .map(BTreeMap::len)
            .sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many records of a subset have captions.
    pub fn records(&self, subset: Subset) -> usize {
        self.items[subset as usize].len()
    }

    /// Subset, id, label and caption, in the order of their bytes, queries first.
    pub fn iter(&self) -> impl Iterator<Item = (Subset, &str, &str, &str)> {
        [Subset::Query, Subset::Corpus]
            .into_iter()
            .flat_map(|subset| {
                let items = self.items[subset as usize].iter();
                items.flat_map(move |(id, captions)| {
                    let captions = captions.iter();
                    captions.map(move |(label, caption)| (subset, &**id, &**label, &**caption))
                })
            })
    }
}

/// `image 1` is `image_1` in a file.
fn key_of(label: &str) -> String {
    match label.strip_prefix("image ") {
        Some(number) => format!("image_{number}"),
        None => label.to_owned(),
    }
}

/// `image_1` is the label `image 1`; `image 1` is accepted too.
fn label_of(key: &str) -> String {
    match key.strip_prefix("image_") {
        Some(number) => format!("image {number}"),
        None => key.to_owned(),
    }
}
