//! Words that are left out.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use mrmr_core::{Error, Place, Result, closest};

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

    /// A list that is known by name, or else that of a file.
    ///
    /// A file has one word a line, in UTF-8; lines that are empty or begin with `#` are passed over, and so
    /// is white space around a word. A word has the form in which it is looked up: lower case, no stem.
    ///
    /// # Errors
    /// If it is neither, or a line of the file is no word; the place is the file and the line.
    pub fn named_or_file(name: &str) -> Result<Self> {
        if Self::NAMES.contains(&name) {
            return name.parse();
        }
        let known = || format!("expected {}, or a file of words", Self::NAMES.join(", "));
        let bytes = std::fs::read(name).map_err(|error| {
            let error = Error::io(error).at(Place::whole(name));
            let suggested = closest(name, Self::NAMES.iter().copied());
            error
                .hint(format!("stop words: {}", known()))
                .hint_maybe(suggested.map(|name| format!("did you mean {name}?")))
        })?;
        Self::of_lines(&bytes, name)
    }

    fn of_lines(bytes: &[u8], source: &str) -> Result<Self> {
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        let mut words = BTreeSet::new();
        for (number, line) in (1..).zip(bytes.split(|byte| *byte == b'\n')) {
            let at = |error: Error| error.at(Place::line(source, number));
            let word = std::str::from_utf8(line)
                .map_err(|_| at(Error::format("this line is not UTF-8")))?
                .trim();
            if word.is_empty() || word.starts_with('#') {
                continue;
            }
            if word.contains(char::is_whitespace) {
                return Err(at(Error::format(format!(
                    "'{word}' is more than one word; expected one word a line"
                ))
                .hint("a comment stands on a line of its own, behind #")));
            }
            words.insert(word.to_owned());
        }
        Ok(StopWords::Custom(Arc::new(words)))
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
    fn a_file_has_a_word_a_line_and_comments() {
        let list = StopWords::of_lines("\u{FEFF}# mine\r\n the\r\n\nund \nthe".as_bytes(), "list");
        assert_eq!(list.unwrap(), StopWords::custom(["the", "und"]));
        for (bytes, expected) in [
            (&b"a\n\xFF\n"[..], "list:2: this line is not UTF-8"),
            (
                b"a\n\nto be",
                "list:3: 'to be' is more than one word; expected one word a line",
            ),
        ] {
            let error = StopWords::of_lines(bytes, "list").unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
    }

    #[test]
    fn a_known_name_wins_over_a_file_and_what_is_neither_is_told_the_names() {
        assert_eq!(StopWords::named_or_file("none").unwrap(), StopWords::None);
        let error = StopWords::named_or_file("lucen").unwrap_err();
        assert_eq!(error.place().unwrap().source, "lucen");
        assert_eq!(
            error.hints(),
            [
                "stop words: expected none, lucene, or a file of words",
                "did you mean lucene?"
            ]
        );
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("words.txt");
        std::fs::write(&path, "dog\n").unwrap();
        let list = StopWords::named_or_file(&path.display().to_string()).unwrap();
        assert_eq!(list, StopWords::custom(["dog"]));
    }

    #[test]
    fn names_round_trip() {
        for name in StopWords::NAMES {
            assert_eq!(&name.parse::<StopWords>().unwrap().to_string(), name);
        }
    }
}
