//! Words that are left out.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use mrmr_core::{Error, Result};

use super::Analyzer;

/// `EnglishAnalyzer.ENGLISH_STOP_WORDS_SET`, in byte order; the English list of bm25s is the same.
const ENGLISH: [&str; 33] = [
    "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it",
    "no", "not", "of", "on", "or", "such", "that", "the", "their", "then", "there", "these",
    "they", "this", "to", "was", "will", "with",
];

/// The default list of `CJKAnalyzer`, in byte order.
const CJK: [&str; 35] = [
    "a", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no",
    "not", "of", "on", "or", "s", "such", "t", "that", "the", "their", "then", "there", "these",
    "they", "this", "to", "was", "will", "with", "www",
];

/// Which words are left out; a word is looked up in lower case (under `whitespace` as it is), before it
/// is stemmed.
///
/// ```
/// use mrmr_search::{Analysis, Analyzer, StopWords};
/// let none = Analysis::new(Analyzer::LuceneEnglish, StopWords::None);
/// assert_eq!(none.terms("The dog"), ["the", "dog"]);
/// let dogs = Analysis::new(Analyzer::LuceneEnglish, StopWords::custom(["dog", "dogs"]));
/// assert_eq!(dogs.terms("The dog"), ["the"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopWords {
    /// `none`: nothing is left out.
    None,
    /// `lucene`: the 35 words of Lucene's `CJKAnalyzer` under `lucene-cjk`, the 33 of its
    /// `EnglishAnalyzer` under all others.
    Lucene,
    /// A list of one's own.
    Custom(Arc<BTreeSet<String>>),
}

impl StopWords {
    /// The names of the lists that are known by name.
    pub const NAMES: &'static [&'static str] = &["none", "lucene"];

    /// A list of one's own.
    pub fn custom<W: Into<String>>(words: impl IntoIterator<Item = W>) -> Self {
        StopWords::Custom(Arc::new(words.into_iter().map(Into::into).collect()))
    }

    /// What an analyser leaves out unless it is told otherwise.
    pub(super) fn of(analyzer: Analyzer) -> Self {
        match analyzer {
            Analyzer::Whitespace => StopWords::None,
            Analyzer::LuceneEnglish | Analyzer::LuceneCjk | Analyzer::Bm25s => StopWords::Lucene,
        }
    }

    /// Whether a word is left out under an analyser.
    pub(super) fn contains(&self, analyzer: Analyzer, word: &str) -> bool {
        match self {
            StopWords::None => false,
            StopWords::Lucene => {
                let list: &[&str] = match analyzer {
                    Analyzer::LuceneCjk => &CJK,
                    _ => &ENGLISH,
                };
                word.len() <= 5 && list.binary_search(&word).is_ok()
            }
            StopWords::Custom(words) => words.contains(word),
        }
    }
}

impl fmt::Display for StopWords {
    /// The name; of a list of one's own, how many words it has.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StopWords::None => f.pad("none"),
            StopWords::Lucene => f.pad("lucene"),
            StopWords::Custom(words) => f.pad(&format!("custom ({})", words.len())),
        }
    }
}

impl FromStr for StopWords {
    type Err = Error;

    /// A list that is known by name.
    fn from_str(text: &str) -> Result<Self> {
        let lucene = crate::names::parse("stop words", text, Self::NAMES, &[false, true])?;
        Ok(if lucene {
            StopWords::Lucene
        } else {
            StopWords::None
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_in_byte_order_and_no_word_is_longer_than_the_short_cut() {
        for (list, analyzer) in [
            (&ENGLISH[..], Analyzer::LuceneEnglish),
            (&CJK[..], Analyzer::LuceneCjk),
        ] {
            assert!(list.is_sorted());
            let lucene = StopWords::Lucene;
            assert!(list.iter().all(|word| lucene.contains(analyzer, word)));
            assert!(!lucene.contains(analyzer, "which"));
        }
    }

    #[test]
    fn names_round_trip() {
        for name in StopWords::NAMES {
            assert_eq!(&name.parse::<StopWords>().unwrap().to_string(), name);
        }
    }
}
