//! Lucene's `EnglishAnalyzer`: words, possessive, lower case, stop words, stems.

use super::lower_case::push_lower_case;
use super::porter;
use super::segmenter::words;

/// Gives each term of a text to `take`, without the words that `stops` names.
pub(super) fn for_each_term(text: &str, stops: impl Fn(&str) -> bool, mut take: impl FnMut(&str)) {
    let mut lower = String::new();
    let mut units: Vec<u16> = Vec::new();
    for word in words(text) {
        lower.clear();
        push_lower_case(without_possessive(word), &mut lower);
        if !stops(&lower) {
            porter::stem(&mut lower, &mut units);
            take(&lower);
        }
    }
}

/// `EnglishPossessiveFilter`: a final `'s` is cut, with any of three apostrophes.
fn without_possessive(word: &str) -> &str {
    word.strip_suffix(['s', 'S'])
        .and_then(|rest| rest.strip_suffix(['\'', '\u{2019}', '\u{FF07}']))
        .unwrap_or(word)
}
