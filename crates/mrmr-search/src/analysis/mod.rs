//! Text to terms.

mod english;
mod porter;
mod segmenter;
mod stop_words;

use std::fmt;
use std::str::FromStr;

use mrmr_core::{Error, Result};

use english::English;

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
    /// `whitespace`: split at Unicode white space and nothing else.
    Whitespace,
}

impl Analyzer {
    /// Every name, in the order of [`Analyzer::ALL`].
    pub const NAMES: &'static [&'static str] = &["lucene-english", "whitespace"];
    /// Every analyser.
    pub const ALL: &'static [Analyzer] = &[Analyzer::LuceneEnglish, Analyzer::Whitespace];

    /// The name, as it is written on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Analyzer::LuceneEnglish => "lucene-english",
            Analyzer::Whitespace => "whitespace",
        }
    }

    /// Gives each term of a text, in order, to `take`.
    pub fn for_each_term(self, text: &str, mut take: impl FnMut(&str)) {
        match self {
            Analyzer::LuceneEnglish => English::default().for_each_term(text, take),
            Analyzer::Whitespace => text.split_whitespace().for_each(&mut take),
        }
    }

    /// The terms of a text, in order, repetitions included.
    pub fn terms(self, text: &str) -> Vec<String> {
        let mut terms = Vec::new();
        self.for_each_term(text, |term| terms.push(term.to_owned()));
        terms
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
            "unknown analyser 'lucene-englsh'; expected lucene-english, whitespace"
        );
        assert_eq!(error.hints(), ["did you mean lucene-english?"]);
    }

    #[test]
    fn white_space_is_that_of_unicode_and_letters_stay_as_they_are() {
        let terms = Analyzer::Whitespace.terms(" The\u{3000}cats' \u{2028}x_1. ");
        assert_eq!(terms, ["The", "cats'", "x_1."]);
    }
}
