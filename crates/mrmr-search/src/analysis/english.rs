//! Lucene's `EnglishAnalyzer`: words, possessive, lower case, stop words, stems.

use super::porter;
use super::segmenter::words;
use super::stop_words::is_stop_word;

/// The chain, with the buffers that it uses again for each word.
#[derive(Default)]
pub(super) struct English {
    lower: String,
    units: Vec<u16>,
}

impl English {
    pub(super) fn for_each_term(mut self, text: &str, mut take: impl FnMut(&str)) {
        for word in words(text) {
            self.lower.clear();
            push_lower_case(without_possessive(word), &mut self.lower);
            if !is_stop_word(&self.lower) {
                porter::stem(&mut self.lower, &mut self.units);
                take(&self.lower);
            }
        }
    }
}

/// `EnglishPossessiveFilter`: a final `'s` is cut, with any of three apostrophes.
fn without_possessive(word: &str) -> &str {
    word.strip_suffix(['s', 'S'])
        .and_then(|rest| rest.strip_suffix(['\'', '\u{2019}', '\u{FF07}']))
        .unwrap_or(word)
}

/// Java's `Character.toLowerCase`, one character for one: `İ` is `i`, a final `Σ` is `σ`.
fn push_lower_case(word: &str, lower: &mut String) {
    if word.is_ascii() {
        lower.push_str(word);
        lower.make_ascii_lowercase();
    } else {
        lower.extend(word.chars().map(|c| c.to_lowercase().next().unwrap_or(c)));
    }
}
