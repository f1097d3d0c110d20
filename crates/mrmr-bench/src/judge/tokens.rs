//! How a text and an answer become tokens that are compared.

use std::str::FromStr;

use mrmr_core::{Error, Result};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// How texts are made comparable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Normalization {
    /// NFD, then runs of letters, digits and marks, every other visible character on its own, in lower case: the
    /// `SimpleTokenizer` of DPR (Karpukhin et al. 2020, Dense Passage Retrieval; Chen et al. 2017, DrQA).
    #[default]
    Dpr,
    /// Lower case, ASCII punctuation deleted, then `a`, `an`, `the` left out: the answers of SQuAD's evaluation
    /// (Rajpurkar et al. 2016).
    Squad,
}

impl Normalization {
    /// The names of all.
    pub const NAMES: [&'static str; 2] = ["dpr", "squad"];

    /// The name, as it is typed.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// The tokens of a text.
    ///
    /// ```
    /// use mrmr_bench::judge::Normalization;
    /// assert_eq!(Normalization::Dpr.tokens("The U.S."), ["the", "u", ".", "s", "."]);
    /// assert_eq!(Normalization::Squad.tokens("The U.S."), ["us"]);
    /// ```
    pub fn tokens(self, text: &str) -> Vec<String> {
        match self {
            Normalization::Dpr => dpr(text),
            Normalization::Squad => squad(text),
        }
    }
}

impl FromStr for Normalization {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "dpr" => Ok(Normalization::Dpr),
            "squad" => Ok(Normalization::Squad),
            _ => Err(Error::usage(format!(
                "unknown normalization '{text}'; expected dpr or squad"
            ))),
        }
    }
}

fn dpr(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut word = String::new();
    for c in text.nfd() {
        if is_word(c) {
            word.push(c);
            continue;
        }
        if !word.is_empty() {
            tokens.push(word.to_lowercase());
            word.clear();
        }
        if !is_invisible(c) {
            tokens.push(c.to_lowercase().collect());
        }
    }
    if !word.is_empty() {
        tokens.push(word.to_lowercase());
    }
    tokens
}

/// Unicode's L, N and M. `is_alphanumeric` has letters in circles and squares too, which are symbols.
fn is_word(c: char) -> bool {
    let enclosed = matches!(c, '\u{24b6}'..='\u{24e9}' | '\u{1f130}'..='\u{1f149}'
        | '\u{1f150}'..='\u{1f169}' | '\u{1f170}'..='\u{1f189}');
    (c.is_alphanumeric() && !enclosed) || is_combining_mark(c)
}

/// Unicode's Z and C, code points without a character aside.
fn is_invisible(c: char) -> bool {
    let format = matches!(c, '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}'
        | '\u{890}' | '\u{891}' | '\u{8e2}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206f}' | '\u{feff}'
        | '\u{fff9}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0001}'
        | '\u{e0020}'..='\u{e007f}');
    let private = matches!(c, '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..);
    c.is_whitespace() || c.is_control() || format || private
}

fn squad(text: &str) -> Vec<String> {
    let kept = text.chars().filter(|c| !c.is_ascii_punctuation());
    let plain = kept.collect::<String>().to_lowercase();
    let words = plain.split_whitespace();
    let words = words.filter(|word| !["a", "an", "the"].contains(word));
    words.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::Normalization::{Dpr, Squad};

    #[test]
    fn marks_stay_with_their_letters_and_case_is_folded() {
        assert_eq!(Dpr.tokens("Café"), Dpr.tokens("CAFE\u{301}"));
        assert_ne!(Dpr.tokens("Café"), Dpr.tokens("Cafe"));
        assert_eq!(
            Dpr.tokens("don't—\u{200b}Ⓐ x2"),
            ["don", "'", "t", "—", "ⓐ", "x2"]
        );
    }

    #[test]
    fn squad_ignores_articles_and_punctuation() {
        assert_eq!(
            Squad.tokens(" An  \"apple\", the THEORY"),
            ["apple", "theory"]
        );
    }
}
