//! What an encoder read and cut, and which items it could not read.

use std::fmt;

use mrmr_core::counted;

use crate::page::PageNotes;

/// An item that could not be encoded, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemFailure {
    /// Its place among the contents, from 0.
    pub item: usize,
    /// What was expected and what was found.
    pub reason: String,
}

/// Counts of one call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EncodeNotes {
    /// Items that were encoded.
    pub items: usize,
    /// Tokens that the model read, special tokens and prompts among them.
    pub tokens: usize,
    /// Texts that were cut at the model's limit.
    pub truncated: usize,
    /// Texts without a token of their own: nothing but what the model adds.
    pub empty: usize,
    /// Images that a record names with nothing behind the name; the rest of the record was read.
    pub missing_images: usize,
    /// Images for which a caption was wanted and not there; the rest of the record was read.
    pub missing_captions: usize,
    /// What became of pages, under the content rule `page`.
    pub pages: PageNotes,
}

impl EncodeNotes {
    /// Adds the counts of another call.
    pub fn add(&mut self, other: EncodeNotes) {
        self.items += other.items;
        self.tokens += other.tokens;
        self.truncated += other.truncated;
        self.empty += other.empty;
        self.missing_images += other.missing_images;
        self.missing_captions += other.missing_captions;
        self.pages.add(other.pages);
    }
}

impl fmt::Display for EncodeNotes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let items = counted(self.items, "item", "items");
        write!(f, "{items}, {}", counted(self.tokens, "token", "tokens"))?;
        if self.truncated > 0 {
            write!(f, ", {} cut at the model's limit", self.truncated)?;
        }
        if self.empty > 0 {
            write!(f, ", {} empty", self.empty)?;
        }
        if self.missing_images > 0 {
            let count = counted(self.missing_images, "image", "images");
            write!(f, ", {count} missing")?;
        }
        if self.missing_captions > 0 {
            let count = counted(self.missing_captions, "caption", "captions");
            write!(f, ", {count} missing")?;
        }
        if self.pages != PageNotes::default() {
            write!(f, ", {}", self.pages)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_happened_is_said() {
        let mut notes = EncodeNotes {
            items: 2,
            tokens: 9,
            ..EncodeNotes::default()
        };
        assert_eq!(notes.to_string(), "2 items, 9 tokens");
        notes.add(EncodeNotes {
            items: 1,
            tokens: 256,
            truncated: 1,
            empty: 1,
            missing_images: 2,
            ..EncodeNotes::default()
        });
        assert_eq!(
            notes.to_string(),
            "3 items, 265 tokens, 1 cut at the model's limit, 1 empty, 2 images missing"
        );
        let one = EncodeNotes {
            items: 1,
            tokens: 1,
            missing_images: 1,
            missing_captions: 1,
            ..EncodeNotes::default()
        };
        assert_eq!(
            one.to_string(),
            "1 item, 1 token, 1 image missing, 1 caption missing"
        );
    }
}
