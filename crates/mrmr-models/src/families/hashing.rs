//! Words and character n-grams, hashed: an encoder of text without a model.

use std::collections::BTreeMap;

use mrmr_core::{Content, Modality, Result};
use rayon::prelude::*;

use crate::content_rule::Role;
use crate::embeddings::Embeddings;
use crate::encoder::Encoder;
use crate::notes::EncodeNotes;
use crate::text::{TEXT, normalize, text_of};

/// The lengths of character n-grams.
const GRAMS: std::ops::RangeInclusive<usize> = 3..=5;

/// Counts words and character n-grams (3 to 5, across the edges of words) in hashed places (Weinberger et al. 2009).
///
/// It knows no meaning, only spelling. Words and n-grams have the same share of the vector; a count n weighs
/// 1 + ln n. The vector has the length 1, or is 0 for a text without letters and digits, which is counted as empty.
///
/// ```
/// use mrmr_models::{Encoder, Hashing, Role};
/// let encoder = Hashing::default();
/// let made = encoder.encode(&["red circle".into(), "red circles".into(), "blue square".into()], Role::Query)?;
/// let cosine = |a, b| -> f32 {
///     let pairs = made.vector(a).unwrap().iter().zip(made.vector(b).unwrap());
///     pairs.map(|(x, y)| x * y).sum()
/// };
/// assert!(cosine(0, 1) > 0.5);
/// assert!(cosine(0, 2).abs() < 0.2);
/// # Ok::<(), mrmr_core::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Hashing {
    dimension: usize,
}

impl Default for Hashing {
    /// 1,024 dimensions.
    fn default() -> Self {
        Hashing { dimension: 1024 }
    }
}

impl Hashing {
    /// With so many dimensions, at least 1.
    pub fn new(dimension: usize) -> Self {
        Hashing {
            dimension: dimension.max(1),
        }
    }

    /// The vector of a text, and how many words it has.
    fn vector(&self, text: &str) -> (Vec<f32>, usize) {
        let lower = text.to_lowercase();
        let words = lower
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty());
        let (mut whole, mut pieces) = (BTreeMap::new(), BTreeMap::new());
        let mut count = 0;
        for word in words {
            count += 1;
            *whole.entry(hash(0, word)).or_insert(0u32) += 1;
            let marked: Vec<char> = std::iter::once('<')
                .chain(word.chars())
                .chain(['>'])
                .collect();
            for size in GRAMS {
                for gram in marked.windows(size) {
                    let gram: String = gram.iter().collect();
                    *pieces.entry(hash(1, &gram)).or_insert(0u32) += 1;
                }
            }
        }
        let mut vector = vec![0f32; self.dimension];
        for counts in [whole, pieces] {
            let mut part = vec![0f32; self.dimension];
            for (hash, count) in counts {
                let sign = if hash >> 63 == 0 { 1.0 } else { -1.0 };
                part[(hash % self.dimension as u64) as usize] +=
                    sign * (1.0 + libm::logf(count as f32));
            }
            normalize(&mut part);
            vector
                .iter_mut()
                .zip(part)
                .for_each(|(sum, number)| *sum += number);
        }
        normalize(&mut vector);
        (vector, count)
    }
}

impl Encoder for Hashing {
    fn name(&self) -> &str {
        "hashing"
    }

    fn dimension(&self) -> usize {
        self.dimension
    }

    fn takes(&self) -> Modality {
        TEXT
    }

    fn encode(&self, contents: &[Content], _: Role) -> Result<Embeddings> {
        let made: Vec<Result<(Vec<f32>, usize), String>> = contents
            .par_iter()
            .map(|content| text_of(content).map(|text| self.vector(&text)))
            .collect();
        let mut notes = EncodeNotes::default();
        let rows = made.into_iter().map(|made| {
            made.map(|(vector, words)| {
                notes.tokens += words;
                notes.empty += usize::from(words == 0);
                vector
            })
        });
        let rows = rows.collect();
        Ok(Embeddings::single(self.dimension, rows, notes))
    }
}

/// FNV-1a of a kind and a text, then mixed so that all bits depend on all (the finalizer of SplitMix64).
fn hash(kind: u8, text: &str) -> u64 {
    let bytes = std::iter::once(kind).chain(text.bytes());
    let mut hash = bytes.fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_stay_what_they_are() {
        assert_eq!(hash(0, "circle"), 3_411_031_822_026_741_056);
        assert_eq!(hash(1, "<猫>"), 6_685_038_961_702_595_161);
    }

    #[test]
    fn order_case_and_punctuation_of_words_do_not_count() {
        let encoder = Hashing::default();
        assert_eq!(encoder.vector("Red, circle!"), encoder.vector("circle red"));
        assert_ne!(
            encoder.vector("red circle").0,
            encoder.vector("red circles").0
        );
    }

    #[test]
    fn a_text_without_words_is_zero_and_counted_as_empty() {
        let made = Hashing::new(8)
            .encode(&["".into(), "?!".into(), "猫".into()], Role::Query)
            .unwrap();
        assert_eq!(made.vector(0), Some(&[0.0; 8][..]));
        assert_eq!(made.notes().empty, 2);
        let length: f32 = made.vector(2).unwrap().iter().map(|x| x * x).sum();
        assert!((length - 1.0).abs() < 1e-6);
    }
}
