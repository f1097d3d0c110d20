//! Text to terms.

mod bm25s;
mod cjk;
mod english;
mod lower_case;
mod porter;
mod segmenter;
mod stop_words;
mod width;
mod word_characters;

use std::fmt;
use std::str::FromStr;

use mrmr_core::{Error, Result};

pub use stop_words::StopWords;

/// How a text is cut into the terms that BM25 counts; documents and queries take the same one.
///
/// ```
/// use mrmr_search::Analyzer;
/// let analyzer: Analyzer = "lucene-english".parse()?;
/// assert_eq!(analyzer.terms("The dog's running!"), ["dog", "run"]);
/// assert_eq!(analyzer.to_string(), "lucene-english");
/// # Ok::<(), mrmr_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Analyzer {
    /// `lucene-english`: what Lucene 9's `EnglishAnalyzer` does. Unicode words (UAX #29, in its
    /// Unicode 12.1 form, at most 255 UTF-16 units each), the possessive 's cut, lower case, 33 stop
    /// words left out, Porter's stemmer of 1980.
    #[default]
    LuceneEnglish,
    /// `lucene-cjk`: what Lucene 9's `CJKAnalyzer` does. The same words, full and half width made one,
    /// lower case, bigrams of neighbouring Han, Hiragana, Katakana and Hangul, 35 stop words left out.
    LuceneCjk,
    /// `bm25s`: the default tokenizer of the PyPI package bm25s. Lower case, the regular expression
    /// `(?u)\b\w\w+\b` of Python 3.11 (Unicode 14), 33 stop words left out, no stems.
    Bm25s,
    /// `whitespace`: split at Unicode white space and nothing else.
    Whitespace,
}

impl Analyzer {
    /// Every name, in the order of [`Analyzer::ALL`].
    pub const NAMES: &'static [&'static str] =
        &["lucene-english", "lucene-cjk", "bm25s", "whitespace"];
    /// Every analyser.
    pub const ALL: &'static [Analyzer] = &[
        Analyzer::LuceneEnglish,
        Analyzer::LuceneCjk,
        Analyzer::Bm25s,
        Analyzer::Whitespace,
    ];

    /// The name, as it is written on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Analyzer::LuceneEnglish => "lucene-english",
            Analyzer::LuceneCjk => "lucene-cjk",
            Analyzer::Bm25s => "bm25s",
            Analyzer::Whitespace => "whitespace",
        }
    }

    /// Gives each term of a text, in order, to `take`.
    pub fn for_each_term(self, text: &str, take: impl FnMut(&str)) {
        Analysis::from(self).for_each_term(text, take);
    }

    /// The terms of a text, in order, repetitions included.
    pub fn terms(self, text: &str) -> Vec<String> {
        Analysis::from(self).terms(text)
    }
}

/// An analyser and the words that it leaves out.
///
/// ```
/// use mrmr_search::{Analysis, Analyzer, StopWords};
/// assert_eq!(Analysis::from(Analyzer::Bm25s).terms("The end"), ["end"]);
/// assert_eq!(Analysis::new(Analyzer::Bm25s, StopWords::None).terms("The end"), ["the", "end"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    analyzer: Analyzer,
    stop_words: StopWords,
}

impl Analysis {
    /// An analyser with stop words in the place of its own.
    pub fn new(analyzer: Analyzer, stop_words: StopWords) -> Self {
        Analysis {
            analyzer,
            stop_words,
        }
    }

    /// How a text is cut.
    pub fn analyzer(&self) -> Analyzer {
        self.analyzer
    }

    /// Which words are left out.
    pub fn stop_words(&self) -> &StopWords {
        &self.stop_words
    }

    /// Gives each term of a text, in order, to `take`.
    pub fn for_each_term(&self, text: &str, mut take: impl FnMut(&str)) {
        let stops = |word: &str| self.stop_words.contains(self.analyzer, word);
        match self.analyzer {
            Analyzer::LuceneEnglish => english::for_each_term(text, stops, take),
            Analyzer::LuceneCjk => cjk::for_each_term(text, stops, take),
            Analyzer::Bm25s => bm25s::for_each_term(text, stops, take),
            Analyzer::Whitespace => text
                .split_whitespace()
                .filter(|word| !stops(word))
                .for_each(&mut take),
        }
    }

    /// The terms of a text, in order, repetitions included.
    pub fn terms(&self, text: &str) -> Vec<String> {
        let mut terms = Vec::new();
        self.for_each_term(text, |term| terms.push(term.to_owned()));
        terms
    }
}

impl From<Analyzer> for Analysis {
    /// With the stop words that the analyser has unless it is told otherwise.
    fn from(analyzer: Analyzer) -> Self {
        Analysis::new(analyzer, StopWords::of(analyzer))
    }
}

impl fmt::Display for Analyzer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Analyzer {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        crate::names::parse("analyser", text, Self::NAMES, Self::ALL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for analyzer in Analyzer::ALL {
            assert_eq!(
                analyzer.to_string().parse::<Analyzer>().ok(),
                Some(*analyzer)
            );
        }
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones_and_suggests() {
        let error = "lucene-englsh".parse::<Analyzer>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "unknown analyser 'lucene-englsh'; expected lucene-english, lucene-cjk, bm25s, whitespace"
        );
        assert_eq!(error.hints(), ["did you mean lucene-english?"]);
    }

    #[test]
    fn white_space_is_that_of_unicode_and_letters_stay_as_they_are() {
        let terms = Analyzer::Whitespace.terms(" The\u{3000}cats' \u{2028}x_1. ");
        assert_eq!(terms, ["The", "cats'", "x_1."]);
    }
}
