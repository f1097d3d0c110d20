//! What the rules know of a character: one class each.

use std::sync::LazyLock;

use super::tables::RANGES;

/// The `Word_Break` property, parted further where emoji and the scripts without spaces ask for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// None of the others: no segment begins with it and none holds it.
    Other,
    /// `ALetter`.
    Letter,
    /// `ALetter` that is `Extended_Pictographic` too, as ℹ and Ⓜ are.
    LetterPictograph,
    /// `Hebrew_Letter`.
    Hebrew,
    /// `Numeric`.
    Numeric,
    /// `Katakana`.
    Katakana,
    /// `ExtendNumLet`: the low line and its like.
    ExtendNumLet,
    /// `MidLetter`: the colon and its like.
    MidLetter,
    /// `MidNum`: the comma and its like.
    MidNum,
    /// `MidNumLet`: the full stop and its like.
    MidNumLet,
    /// `Single_Quote`.
    SingleQuote,
    /// `Double_Quote`.
    DoubleQuote,
    /// `Regional_Indicator`: half a flag.
    RegionalIndicator,
    /// `Extend`, `Format` or `ZWJ`: an extender.
    Extend,
    /// An extender whose `Line_Break` is `Complex_Context`, as Thai vowel signs are.
    ComplexExtend,
    /// `Extended_Pictographic` and no letter.
    Pictograph,
    /// `Line_Break` is `Complex_Context`: Thai, Lao, Khmer, Myanmar, ...
    Complex,
    /// Script Han and no letter.
    Ideograph,
    /// Script Hiragana and no letter.
    Hiragana,
}

impl Class {
    pub(super) fn is_letter(self) -> bool {
        matches!(
            self,
            Class::Letter | Class::LetterPictograph | Class::Hebrew
        )
    }

    pub(super) fn is_extender(self) -> bool {
        matches!(self, Class::Extend | Class::ComplexExtend)
    }

    pub(super) fn is_pictograph(self) -> bool {
        matches!(self, Class::Pictograph | Class::LetterPictograph)
    }

    pub(super) fn of(c: char) -> Class {
        let point = c as usize;
        CLASSES.blocks[usize::from(CLASSES.block[point >> 8])][point & 0xFF]
    }
}

const BLOCKS: usize = 0x1100;

/// The class of every code point, in blocks of 256 of which equal ones are kept once.
struct Classes {
    block: [u16; BLOCKS],
    blocks: Vec<[Class; 256]>,
}

static CLASSES: LazyLock<Classes> = LazyLock::new(|| {
    let mut flat = vec![Class::Other; BLOCKS * 256];
    for (class, ranges) in RANGES {
        for (first, last) in ranges {
            flat[*first as usize..=*last as usize].fill(class);
        }
    }
    let mut block = [0; BLOCKS];
    let mut blocks: Vec<[Class; 256]> = Vec::new();
    for (place, content) in flat.as_chunks::<256>().0.iter().enumerate() {
        let known = blocks.iter().position(|seen| seen == content);
        block[place] = known.unwrap_or(blocks.len()) as u16;
        if known.is_none() {
            blocks.push(*content);
        }
    }
    Classes { block, blocks }
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_in_order_and_no_character_is_in_two_classes() {
        let mut all = Vec::new();
        for (_, ranges) in RANGES {
            assert!(ranges.is_sorted());
            all.extend_from_slice(ranges);
        }
        all.sort_unstable();
        assert!(all.iter().all(|(first, last)| first <= last));
        assert!(all.array_windows().all(|[left, right]| left.1 < right.0));
    }

    #[test]
    fn every_character_of_a_range_has_its_class_and_the_next_has_not() {
        for (class, ranges) in RANGES {
            for (first, last) in ranges {
                let of = |point| char::from_u32(point).map(Class::of);
                assert_eq!(of(*first), Some(class));
                assert_eq!(of(*last), Some(class));
                assert_ne!(of(last + 1), Some(class));
            }
        }
    }

    #[test]
    fn classes_are_those_of_unicode_12_1() {
        for (c, class) in [
            ('a', Class::Letter),
            ('ℹ', Class::LetterPictograph),
            ('א', Class::Hebrew),
            ('7', Class::Numeric),
            ('\u{FF17}', Class::Numeric),
            ('々', Class::Letter),
            ('漢', Class::Ideograph),
            ('ひ', Class::Hiragana),
            ('ー', Class::Katakana),
            ('ก', Class::Complex),
            ('ั', Class::ComplexExtend),
            ('\u{200D}', Class::Extend),
            ('\u{1F3FF}', Class::Extend),
            ('😀', Class::Pictograph),
            ('#', Class::Other),
        ] {
            assert_eq!(Class::of(c), class, "{c:?}");
        }
    }
}
