//! Lucene's `CJKAnalyzer`: words, widths made one, lower case, bigrams of Chinese, Japanese and Korean.

use super::lower_case::lower_case;
use super::segmenter::{is_cjk, words};
use super::width::push_folded;

/// Gives each term of a text to `take`, without the words that `stops` names.
///
/// Han, Hiragana, Katakana and Hangul without anything between them are one run: every two neighbouring
/// characters of it are a term, and a run of one character is itself one. Other words stay whole.
pub(super) fn for_each_term(text: &str, stops: impl Fn(&str) -> bool, mut take: impl FnMut(&str)) {
    let mut term = String::new();
    let mut give = |characters: &[char]| {
        term.clear();
        term.extend(characters);
        if !stops(&term) {
            take(&term);
        }
    };
    let mut run: Vec<char> = Vec::new();
    let mut word_characters: Vec<char> = Vec::new();
    // How much of the text is behind the run.
    let mut behind = text.len();
    let mut words = words(text);
    while let Some(word) = words.next() {
        let cjk = is_cjk(word);
        if !cjk || words.rest().len() + word.len() != behind {
            end_run(&mut run, &mut give);
        }
        if cjk {
            let start = run.len();
            push_folded(word, &mut run);
            run[start..].iter_mut().for_each(|c| *c = lower_case(*c));
            behind = words.rest().len();
        } else {
            word_characters.clear();
            push_folded(word, &mut word_characters);
            word_characters.iter_mut().for_each(|c| *c = lower_case(*c));
            give(&word_characters);
        }
    }
    end_run(&mut run, &mut give);
}

fn end_run(run: &mut Vec<char>, give: &mut impl FnMut(&[char])) {
    match run.as_slice() {
        [] => {}
        [alone] => give(&[*alone]),
        several => several.windows(2).for_each(give),
    }
    run.clear();
}
