//! What queries and documents are made of: a sequence of texts, images and sounds.

use std::fmt;
use std::sync::Arc;

use crate::error::{Error, Result};

/// Reads stored media when someone asks: a cell of a Parquet file, a file on disk.
pub trait MediaSource: Send + Sync {
    /// The encoded bytes (PNG, JPEG, WAV, ...) of item `key`.
    ///
    /// # Errors
    /// If the item cannot be read; the error names the item.
    fn read(&self, key: u64) -> Result<Arc<[u8]>>;

    /// Where item `key` is stored, for messages.
    fn describe(&self, key: u64) -> String;

    /// Whether item `key` is there, as far as that shows without reading it.
    fn is_there(&self, _key: u64) -> bool {
        true
    }
}

/// Encoded bytes of an image or a sound, in memory or read on demand.
#[derive(Clone)]
pub enum Media {
    /// In memory.
    Bytes(Arc<[u8]>),
    /// In a source, not read yet.
    Stored {
        /// The source.
        source: Arc<dyn MediaSource>,
        /// Which item of it.
        key: u64,
    },
    /// Named by its record, but not there.
    Missing,
}

impl Media {
    /// The encoded bytes, read now if they are stored.
    ///
    /// # Errors
    /// If they are missing or cannot be read.
    pub fn read(&self) -> Result<Arc<[u8]>> {
        match self {
            Media::Bytes(bytes) => Ok(bytes.clone()),
            Media::Stored { source, key } => source.read(*key),
            Media::Missing => Err(Error::data(
                "the record names this item, but holds nothing for it",
            )),
        }
    }

    /// Whether something is behind the name, as far as that shows without reading it: a file that is named may be gone.
    pub fn is_there(&self) -> bool {
        match self {
            Media::Bytes(_) => true,
            Media::Stored { source, key } => source.is_there(*key),
            Media::Missing => false,
        }
    }

    /// Whether the record itself says that there is nothing behind the name; see also [`Media::is_there`].
    pub fn is_missing(&self) -> bool {
        matches!(self, Media::Missing)
    }
}

impl fmt::Debug for Media {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Media::Bytes(bytes) => write!(f, "Bytes({})", bytes.len()),
            Media::Stored { source, key } => write!(f, "Stored({})", source.describe(*key)),
            Media::Missing => f.write_str("Missing"),
        }
    }
}

/// A picture in a record.
#[derive(Clone, Debug)]
pub struct Image {
    /// Its name within the record, as captions refer to it: `image`, `image 1`, `image 2`.
    pub label: String,
    /// Its encoded bytes.
    pub media: Media,
}

/// A sound in a record.
#[derive(Clone, Debug)]
pub struct Audio {
    /// Its name within the record.
    pub label: String,
    /// Its encoded bytes.
    pub media: Media,
}

/// One part of a content.
#[derive(Clone, Debug)]
pub enum Part {
    /// A text.
    Text(String),
    /// An image.
    Image(Image),
    /// A sound.
    Audio(Audio),
}

/// Which kinds of parts a content has.
///
/// ```
/// use mrmr_core::Modality;
/// let both: Modality = "image,text".parse()?;
/// assert!(both.image && both.text && !both.audio);
/// assert_eq!(both.to_string(), "image,text");
/// # Ok::<(), mrmr_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Modality {
    /// It has a text.
    pub text: bool,
    /// It has an image.
    pub image: bool,
    /// It has a sound.
    pub audio: bool,
}

impl fmt::Display for Modality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = [
            (self.audio, "audio"),
            (self.image, "image"),
            (self.text, "text"),
        ];
        let present: Vec<&str> = names.iter().filter(|n| n.0).map(|n| n.1).collect();
        f.pad(&if present.is_empty() {
            "empty".to_owned()
        } else {
            present.join(",")
        })
    }
}

impl std::str::FromStr for Modality {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        let mut modality = Modality::default();
        if text == "empty" {
            return Ok(modality);
        }
        for name in text.split(',') {
            match name.trim() {
                "text" => modality.text = true,
                "image" => modality.image = true,
                "audio" => modality.audio = true,
                other => {
                    return Err(Error::format(format!(
                        "unknown modality '{other}'; expected text, image, audio, or several with commas"
                    )));
                }
            }
        }
        Ok(modality)
    }
}

/// An interleaved sequence of parts.
///
/// ```
/// use mrmr_core::{Content, Part};
/// let content = Content::from("a red circle");
/// assert!(matches!(content.parts(), [Part::Text(text)] if text == "a red circle"));
/// assert_eq!(content.modality().to_string(), "text");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Content {
    parts: Vec<Part>,
}

impl Content {
    /// A content of these parts, in order; empty texts are left out.
    pub fn new(parts: impl IntoIterator<Item = Part>) -> Self {
        Content {
            parts: parts
                .into_iter()
                .filter(|part| !matches!(part, Part::Text(text) if text.is_empty()))
                .collect(),
        }
    }

    /// The parts, in order.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The images, in order.
    pub fn images(&self) -> impl Iterator<Item = &Image> {
        self.parts.iter().filter_map(|part| match part {
            Part::Image(image) => Some(image),
            _ => None,
        })
    }

    /// Which kinds of parts there are; an image that is missing does not count.
    pub fn modality(&self) -> Modality {
        let mut modality = Modality::default();
        for part in &self.parts {
            match part {
                Part::Text(_) => modality.text = true,
                Part::Image(image) => modality.image |= !image.media.is_missing(),
                Part::Audio(audio) => modality.audio |= !audio.media.is_missing(),
            }
        }
        modality
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Content::new([Part::Text(text.to_owned())])
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Content::new([Part::Text(text)])
    }
}
