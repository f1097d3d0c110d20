//! Porter's stemmer (M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980) with the
//! departures of its author's later programs (`bli`, `logi`, words of two letters stay), as Lucene's
//! `PorterStemmer` has it.
//!
//! Letters are UTF-16 units, as in Java: every unit but `a e i o u y` is a consonant, and the two units
//! of a character beyond U+FFFF are two consonants.

/// Replaces a lower-case word by its stem; `units` is a buffer.
pub(super) fn stem(word: &mut String, units: &mut Vec<u16>) {
    if word.is_ascii() {
        let mut bytes = std::mem::take(word).into_bytes();
        Word::new(&mut bytes).stem();
        *word = String::from_utf8(bytes).expect("a stem of ASCII letters is ASCII");
    } else {
        units.clear();
        units.extend(word.encode_utf16());
        Word::new(units).stem();
        *word = String::from_utf16_lossy(units);
    }
}

/// Rules of one step: a suffix and what replaces it.
type Rules = &'static [(&'static str, &'static str)];

#[rustfmt::skip]
const STEP_2: Rules = &[
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"),
    ("bli", "ble"), ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"),
    ("ization", "ize"), ("ation", "ate"), ("ator", "ate"), ("alism", "al"), ("iveness", "ive"),
    ("fulness", "ful"), ("ousness", "ous"), ("aliti", "al"), ("iviti", "ive"), ("biliti", "ble"),
    ("logi", "log"),
];

#[rustfmt::skip]
const STEP_3: Rules = &[
    ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""),
    ("ness", ""),
];

/// The order matters: `ement` before `ment` before `ent`, `ion` before `ou`.
#[rustfmt::skip]
const STEP_4: &[&str] = &[
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou",
    "ism", "ate", "iti", "ous", "ive", "ize",
];

/// A word, of which a stem of so many letters lies before the suffix found last.
struct Word<'a, U> {
    letters: &'a mut Vec<U>,
    stem: usize,
}

impl<'a, U: Copy + Eq + From<u8>> Word<'a, U> {
    fn new(letters: &'a mut Vec<U>) -> Self {
        Word { letters, stem: 0 }
    }

    fn stem(&mut self) {
        if self.letters.len() > 2 {
            self.plurals_and_participles();
            self.final_y();
            self.longer_suffix(STEP_2);
            self.longer_suffix(STEP_3);
            self.last_suffix();
            self.final_e_and_double_l();
        }
    }

    /// Step 1a and 1b: `caresses` to `caress`, `ponies` to `poni`, `hopping` to `hop`, `filing` to `file`.
    fn plurals_and_participles(&mut self) {
        if self.is(self.letters.len() - 1, b's') {
            if self.ends("sses") {
                self.shorten(2);
            } else if self.ends("ies") {
                self.replace("i");
            } else if !self.is(self.letters.len() - 2, b's') {
                self.shorten(1);
            }
        }
        if self.ends("eed") {
            if self.measure() > 0 {
                self.shorten(1);
            }
        } else if (self.ends("ed") || self.ends("ing")) && self.stem_has_vowel() {
            self.letters.truncate(self.stem);
            let last = self.letters.len() - 1;
            if self.ends("at") {
                self.replace("ate");
            } else if self.ends("bl") {
                self.replace("ble");
            } else if self.ends("iz") {
                self.replace("ize");
            } else if self.double_consonant(last) {
                if !b"lsz".iter().any(|letter| self.is(last, *letter)) {
                    self.shorten(1);
                }
            } else if self.measure() == 1 && self.short_syllable(last) {
                self.letters.push(U::from(b'e'));
            }
        }
    }

    /// Step 1c: `happy` to `happi`, `sky` stays.
    fn final_y(&mut self) {
        if self.ends("y") && self.stem_has_vowel() {
            self.replace("i");
        }
    }

    /// Steps 2 and 3: the first suffix that is there is replaced if a syllable goes before it.
    fn longer_suffix(&mut self, rules: Rules) {
        if let Some((_, replacement)) = rules.iter().find(|(suffix, _)| self.ends(suffix))
            && self.measure() > 0
        {
            self.replace(replacement);
        }
    }

    /// Step 4: the first suffix that is there goes if two syllables go before it.
    fn last_suffix(&mut self) {
        let found = STEP_4.iter().any(|suffix| {
            self.ends(suffix)
                && (*suffix != "ion"
                    || (self.stem > 0
                        && (self.is(self.stem - 1, b's') || self.is(self.stem - 1, b't'))))
        });
        if found && self.measure() > 1 {
            self.letters.truncate(self.stem);
        }
    }

    /// Step 5: `probate` to `probat`, `controll` to `control`.
    fn final_e_and_double_l(&mut self) {
        self.stem = self.letters.len();
        let last = self.stem - 1;
        if self.is(last, b'e') {
            let measure = self.measure();
            if measure > 1 || (measure == 1 && !(last > 0 && self.short_syllable(last - 1))) {
                self.shorten(1);
            }
        }
        self.stem = self.letters.len();
        let last = self.stem - 1;
        if self.is(last, b'l') && self.double_consonant(last) && self.measure() > 1 {
            self.shorten(1);
        }
    }

    fn is(&self, position: usize, letter: u8) -> bool {
        self.letters[position] == U::from(letter)
    }

    fn consonant(&self, position: usize) -> bool {
        if b"aeiou".iter().any(|vowel| self.is(position, *vowel)) {
            return false;
        }
        !self.is(position, b'y') || position == 0 || !self.consonant(position - 1)
    }

    /// How often a consonant follows a vowel in the stem: Porter's m.
    fn measure(&self) -> usize {
        let mut measure = 0;
        let mut vowel_before = false;
        for position in 0..self.stem {
            let consonant = self.consonant(position);
            measure += usize::from(consonant && vowel_before);
            vowel_before = !consonant;
        }
        measure
    }

    fn stem_has_vowel(&self) -> bool {
        (0..self.stem).any(|position| !self.consonant(position))
    }

    fn double_consonant(&self, last: usize) -> bool {
        last > 0 && self.letters[last] == self.letters[last - 1] && self.consonant(last)
    }

    /// Consonant, vowel, consonant, the last one not w, x or y.
    fn short_syllable(&self, last: usize) -> bool {
        last > 1
            && self.consonant(last)
            && !self.consonant(last - 1)
            && self.consonant(last - 2)
            && !b"wxy".iter().any(|letter| self.is(last, *letter))
    }

    /// Whether the word ends so; if it does, the stem is what goes before.
    fn ends(&mut self, suffix: &str) -> bool {
        let Some(stem) = self.letters.len().checked_sub(suffix.len()) else {
            return false;
        };
        let found = self.letters[stem..]
            .iter()
            .zip(suffix.bytes())
            .all(|(letter, expected)| *letter == U::from(expected));
        if found {
            self.stem = stem;
        }
        found
    }

    fn replace(&mut self, replacement: &str) {
        self.letters.truncate(self.stem);
        self.letters.extend(replacement.bytes().map(U::from));
    }

    fn shorten(&mut self, by: usize) {
        self.letters.truncate(self.letters.len() - by);
    }
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[track_caller]
    fn check(word: &str, expected: &str) {
        let mut word = word.to_owned();
        stem(&mut word, &mut Vec::new());
        assert_eq!(word, expected);
    }

    #[test]
    #[rustfmt::skip]
    fn the_examples_of_the_paper_come_out() {
        for (word, expected) in [
            ("caresses", "caress"), ("ponies", "poni"), ("ties", "ti"), ("feed", "feed"),
            ("agreed", "agre"), ("plastered", "plaster"), ("motoring", "motor"), ("hopping", "hop"),
            ("falling", "fall"), ("filing", "file"), ("sky", "sky"), ("relational", "relat"),
            ("vietnamization", "vietnam"), ("electriciti", "electr"), ("adoption", "adopt"),
            ("controll", "control"), ("roll", "roll"), ("generalizations", "gener"),
        ] {
            check(word, expected);
        }
    }

    #[test]
    fn letters_beyond_ascii_are_consonants() {
        check("ééing", "ééing");
        check("aééing", "aé");
    }

    #[test]
    fn every_stem_is_lucenes() {
        for line in include_str!("../../tests/fixtures/lucene/porter.tsv").lines() {
            let (word, expected) = line.split_once('\t').unwrap();
            check(word, expected);
        }
    }
}
