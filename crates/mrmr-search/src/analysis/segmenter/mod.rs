//! Words by Unicode's rules (UAX #29, Unicode 12.1), as Lucene's `StandardTokenizer` takes them.
//!
//! A segment is as long as either the word boundary rules or the emoji sequences let it be. Kept are
//! letters and digits with what joins them, Katakana, runs of the scripts without spaces, ideographs and
//! Hiragana one by one, and emoji; what is between is dropped.

mod ascii;
mod classes;
mod emoji;
mod rules;
mod tables;

use classes::Class;

/// The longest word, in UTF-16 units: a longer one is cut there.
const LONGEST: usize = 255;

/// The words of a text, in order.
pub(super) fn words(text: &str) -> Words<'_> {
    Words { rest: text }
}

/// Whether a word is Han, Hiragana, Katakana or Hangul and nothing else: those are the types
/// `IDEOGRAPHIC`, `HIRAGANA`, `KATAKANA` and `HANGUL` of `StandardTokenizer`.
pub(super) fn is_cjk(word: &str) -> bool {
    let mut classes = word.chars().map(|c| (c, Class::of(c)));
    match classes.next() {
        Some((_, Class::Ideograph | Class::Hiragana)) => true,
        Some((_, Class::Katakana)) => {
            classes.all(|(_, class)| class == Class::Katakana || class.is_extender())
        }
        Some((first, Class::Letter)) if is_hangul(first) => {
            classes.all(|(c, class)| class.is_extender() || class == Class::Letter && is_hangul(c))
        }
        _ => false,
    }
}

/// Whether a letter's script is Hangul.
fn is_hangul(letter: char) -> bool {
    matches!(letter,
        '\u{1100}'..='\u{11FF}'
        | '\u{3131}'..='\u{318E}'
        | '\u{A960}'..='\u{A97C}'
        | '\u{AC00}'..='\u{D7A3}'
        | '\u{D7B0}'..='\u{D7FB}'
        | '\u{FFA0}'..='\u{FFDC}')
}

/// See [`words`].
pub(super) struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    /// What of the text is behind the last word.
    pub(super) fn rest(&self) -> &'a str {
        self.rest
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        loop {
            self.rest = ascii::skip_between(self.rest);
            let first = self.rest.chars().next()?;
            let end = segment_end(self.rest);
            let (segment, rest) = self.rest.split_at(end.unwrap_or(first.len_utf8()));
            self.rest = rest;
            if end.is_some() {
                return Some(segment);
            }
        }
    }
}

/// Where the segment that the text begins with ends, if it is to be kept.
fn segment_end(text: &str) -> Option<usize> {
    // A unit is at most three bytes: more than the longest word, and a bound on what is read for one.
    let text = &text[..text.floor_char_boundary(4 * LONGEST)];
    let end = ascii::word_end(text).or_else(|| longest(text))?;
    if end <= LONGEST {
        return Some(end);
    }
    let cut = end_of_units(text, LONGEST);
    if end <= cut {
        return Some(end);
    }
    longest(&text[..cut])
}

fn longest(text: &str) -> Option<usize> {
    rules::word_end(text).max(emoji::emoji_end(text))
}

/// Where the characters end that fit in so many UTF-16 units.
fn end_of_units(text: &str, most: usize) -> usize {
    let mut units = 0;
    let beyond = text.char_indices().find(|(_, c)| {
        units += c.len_utf16();
        units > most
    });
    beyond.map_or(text.len(), |(start, _)| start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(words(text).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn numbers_keep_their_points_and_addresses_fall_apart() {
        check("3.14, 1,000.", &["3.14", "1,000"]);
        check("e-mail@x.org", &["e", "mail", "x.org"]);
        check("a_b's x-y __ _c", &["a_b's", "x", "y", "_c"]);
        check("a:b 1:2 a,b", &["a:b", "1", "2", "a", "b"]);
    }

    #[test]
    fn extenders_belong_to_the_character_before() {
        check(
            "e\u{301}t\u{200D}e\u{AD}'\u{301}s",
            &["e\u{301}t\u{200D}e\u{AD}'\u{301}s"],
        );
    }

    #[test]
    fn a_hebrew_letter_takes_one_quote() {
        check("צה\"ל צ' צ'' צ\"", &["צה\"ל", "צ'", "צ'", "צ"]);
        check("א\"ב\"ג", &["א\"ב", "ג"]);
    }

    #[test]
    fn ideographs_stand_alone_and_katakana_stay_together() {
        check("東京のデータ", &["東", "京", "の", "データ"]);
        check("한국어 데이터", &["한국어", "데이터"]);
    }

    #[test]
    fn a_script_without_spaces_is_kept_in_runs() {
        check("ภาษาไทย abc", &["ภาษาไทย", "abc"]);
    }

    #[test]
    fn an_emoji_is_a_word_with_all_that_belongs_to_it() {
        check("a👩‍🚀🇩🇪🇫🇷🇩!", &["a", "👩‍🚀", "🇩🇪", "🇫🇷"]);
        check("👍🏽❤️‍🔥1️⃣#⃣#", &["👍🏽", "❤️‍🔥", "1️⃣", "#⃣"]);
        let flag = "🏴\u{FE0F}\u{E0067}\u{E0062}\u{E007F}";
        check(flag, &[flag]);
    }

    #[test]
    fn a_word_of_256_units_is_cut_after_255() {
        let long = "x".repeat(256);
        check(&long, &[&long[..255], "x"]);
        let pairs = "x".repeat(254) + "𝐀";
        check(&pairs, &[&pairs[..254], "𝐀"]);
        let stop = "x".repeat(254) + ".x";
        check(&stop, &[&stop[..254], "x"]);
    }

    #[test]
    fn what_ascii_decides_is_what_the_rules_say() {
        let bytes = b"aZ0_.,:;'\"#* -~\n";
        for code in 0..bytes.len().pow(4) {
            let text: String = (0..4)
                .map(|place| bytes[code / bytes.len().pow(place) % bytes.len()] as char)
                .collect();
            if let Some(end) = ascii::word_end(&text) {
                assert_eq!(longest(&text), Some(end), "{text:?}");
            }
            let skipped = text.len() - ascii::skip_between(&text).len();
            for start in 0..skipped {
                assert_eq!(longest(&text[start..]), None, "{text:?}");
            }
        }
    }
}
