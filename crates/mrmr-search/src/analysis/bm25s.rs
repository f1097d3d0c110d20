//! The default tokenizer of the PyPI package bm25s.

use super::word_characters::WORD_CHARACTERS;

/// Gives each term of a text to `take`: of the text in lower case every match of `(?u)\b\w\w+\b`, which
/// is every longest run of at least two word characters, without the words that `stops` names.
pub(super) fn for_each_term(text: &str, stops: impl Fn(&str) -> bool, mut take: impl FnMut(&str)) {
    let lower = text.to_lowercase();
    for run in lower.split(|c| !is_word_character(c)) {
        if run.chars().nth(1).is_some() && !stops(run) {
            take(run);
        }
    }
}

/// Python's `\w`: a letter, a number or the low line. Rust's `is_alphanumeric` takes vowel signs and
/// circled letters too.
fn is_word_character(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_';
    }
    let point = c as u32;
    let place = WORD_CHARACTERS.partition_point(|(_, last)| *last < point);
    WORD_CHARACTERS
        .get(place)
        .is_some_and(|(first, _)| *first <= point)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ascii_is_what_the_table_says_and_the_table_is_in_order() {
        let mut before = None;
        for (first, last) in WORD_CHARACTERS {
            assert!(before < Some(first) && first <= last);
            before = Some(last);
        }
        for c in '\0'..='\x7f' {
            let in_table = WORD_CHARACTERS
                .iter()
                .any(|(first, last)| (*first..=*last).contains(&(c as u32)));
            assert_eq!(is_word_character(c), in_table, "{c:?}");
        }
    }
}
