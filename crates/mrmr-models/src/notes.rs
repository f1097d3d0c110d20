//! What an encoder read and cut, and which items it could not read.

use std::fmt;

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
    }
}

impl fmt::Display for EncodeNotes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} items, {} tokens", self.items, self.tokens)?;
        if self.truncated > 0 {
            write!(f, ", {} cut at the model's limit", self.truncated)?;
        }
        if self.empty > 0 {
            write!(f, ", {} empty", self.empty)?;
        }
        if self.missing_images > 0 {
            write!(f, ", {} images missing", self.missing_images)?;
        }
        if self.missing_captions > 0 {
            write!(f, ", {} captions missing", self.missing_captions)?;
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
    }
}
