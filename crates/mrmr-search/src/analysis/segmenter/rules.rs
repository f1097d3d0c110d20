//! The word boundary rules of UAX #29, WB4 to WB16.
//!
//! `StandardTokenizer` leaves them in a few places, and so does this: a run of scripts without spaces is
//! one segment; a segment that is only `ExtendNumLet` or one `Regional_Indicator` is no word; a Hebrew
//! letter with its quote joins with what may follow the letter, and takes no second mark; a Hebrew letter
//! after a mark takes no quote (WB7a); WB3c holds in emoji alone.

use std::str::Chars;

use super::classes::Class;

use Class::{
    Complex, ComplexExtend, DoubleQuote, ExtendNumLet, Hebrew, Hiragana, Ideograph, Katakana,
    Letter, LetterPictograph, MidLetter, MidNum, MidNumLet, Numeric, RegionalIndicator,
    SingleQuote,
};

/// WB4: a character with the extenders after it counts as the character alone.
#[derive(Clone, Copy)]
struct Unit {
    class: Class,
    end: usize,
}

struct Units<'a> {
    chars: Chars<'a>,
    ahead: Option<(Class, usize)>,
    end: usize,
}

impl<'a> Units<'a> {
    fn new(text: &'a str) -> Self {
        let mut units = Units {
            chars: text.chars(),
            ahead: None,
            end: 0,
        };
        units.read();
        units
    }

    fn read(&mut self) {
        self.ahead = self.chars.next().map(|c| (Class::of(c), c.len_utf8()));
    }
}

impl Iterator for Units<'_> {
    type Item = Unit;

    fn next(&mut self) -> Option<Unit> {
        let (class, length) = self.ahead?;
        self.end += length;
        self.read();
        while let Some((extender, length)) = self.ahead
            && extender.is_extender()
        {
            self.end += length;
            self.read();
        }
        Some(Unit {
            class,
            end: self.end,
        })
    }
}

/// Where the segment that the text begins with ends, if it is a word.
pub(super) fn word_end(text: &str) -> Option<usize> {
    let mut units = Units::new(text);
    let first = units.next()?;
    match first.class {
        Letter | LetterPictograph | Hebrew | Numeric | Katakana | ExtendNumLet => {
            run_end(first, units)
        }
        Complex | ComplexExtend => {
            let run = units.take_while(|unit| unit.class == Complex);
            Some(run.last().unwrap_or(first).end)
        }
        // WB15, WB16
        RegionalIndicator => units
            .next()
            .filter(|second| second.class == RegionalIndicator)
            .map(|second| second.end),
        // WB999
        Ideograph | Hiragana => Some(first.end),
        _ => None,
    }
}

/// The end of a run of letters, digits, Katakana and what joins them.
fn run_end(first: Unit, mut units: Units<'_>) -> Option<usize> {
    let Unit {
        class: mut before,
        mut end,
    } = first;
    let mut is_word = before != ExtendNumLet;
    let mut takes_mark = true;
    while let Some(unit) = units.next() {
        if joins(before, unit.class) {
            (before, end) = (unit.class, unit.end);
            is_word |= before != ExtendNumLet;
            takes_mark = true;
        } else if !takes_mark {
            break;
        } else if before == Hebrew && unit.class == SingleQuote {
            // WB7a
            end = unit.end;
            takes_mark = false;
        } else if let Some(after) = units.next()
            && joins_over(before, unit.class, after.class)
        {
            takes_mark = unit.class != DoubleQuote;
            // A Hebrew letter after a mark takes no quote of its own.
            before = if after.class == Hebrew {
                Letter
            } else {
                after.class
            };
            end = after.end;
        } else {
            break;
        }
    }
    is_word.then_some(end)
}

/// Whether there is no boundary between two units side by side.
fn joins(before: Class, after: Class) -> bool {
    match (before, after) {
        // WB5, WB8, WB9, WB10
        (
            Letter | LetterPictograph | Hebrew | Numeric,
            Letter | LetterPictograph | Hebrew | Numeric,
        ) => true,
        // WB13
        (Katakana, Katakana) => true,
        // WB13a
        (Letter | LetterPictograph | Hebrew | Numeric | Katakana | ExtendNumLet, ExtendNumLet) => {
            true
        }
        // WB13b
        (ExtendNumLet, Letter | LetterPictograph | Hebrew | Numeric | Katakana) => true,
        _ => false,
    }
}

/// Whether there is no boundary on either side of a mark between two units.
fn joins_over(before: Class, mark: Class, after: Class) -> bool {
    match mark {
        // WB6, WB7
        MidLetter => before.is_letter() && after.is_letter(),
        // WB11, WB12
        MidNum => (before, after) == (Numeric, Numeric),
        // WB6, WB7, WB11, WB12
        MidNumLet | SingleQuote => {
            before.is_letter() && after.is_letter() || (before, after) == (Numeric, Numeric)
        }
        // WB7b, WB7c
        DoubleQuote => (before, after) == (Hebrew, Hebrew),
        _ => false,
    }
}
