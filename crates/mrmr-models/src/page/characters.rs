//! What characters are to a page: line ends, controls, marks without a form, emoji, Chinese, Japanese and Korean.

/// The paragraphs of a text: lines as its line ends divide it; of several empty ones that follow each other the first,
/// none at the beginning or the end. Control characters become U+FFFD and are counted.
pub(super) fn paragraphs(text: &str) -> (Vec<String>, usize) {
    let mut controls = 0;
    let mut paragraphs: Vec<String> = Vec::new();
    let text = text.replace("\r\n", "\n");
    for line in text.split(is_line_end) {
        let line = line.trim_end();
        if line.is_empty() {
            if paragraphs.last().is_some_and(|last| !last.is_empty()) {
                paragraphs.push(String::new());
            }
            continue;
        }
        let shown = line.chars().map(|c| {
            if is_control(c) {
                controls += 1;
                char::REPLACEMENT_CHARACTER
            } else {
                c
            }
        });
        paragraphs.push(shown.collect());
    }
    if paragraphs.last().is_some_and(String::is_empty) {
        paragraphs.pop();
    }
    (paragraphs, controls)
}

fn is_line_end(c: char) -> bool {
    matches!(
        c,
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}

/// Controls but for the tab, and code points that are no characters.
fn is_control(c: char) -> bool {
    (c.is_control() && c != '\t')
        || matches!(c, '\u{fdd0}'..='\u{fdef}')
        || u32::from(c) & 0xfffe == 0xfffe
}

/// Characters without a form of their own (Unicode's Default_Ignorable_Code_Point): joiners, directions, variants.
pub(super) fn is_formless(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Whether a cluster of characters is an emoji: one that is in colour by itself, or is asked to be (U+FE0F).
pub(super) fn is_emoji(cluster: &str) -> bool {
    if cluster.contains('\u{fe0e}') {
        return false;
    }
    cluster.contains('\u{fe0f}')
        || cluster.chars().next().is_some_and(|first| {
            matches!(first, '\u{1f1e6}'..='\u{1f1ff}' | '\u{1f300}'..='\u{1f64f}'
                | '\u{1f680}'..='\u{1f6ff}' | '\u{1f7e0}'..='\u{1f7eb}' | '\u{1f90c}'..='\u{1faff}')
                // Unicode's Emoji_Presentation of the older blocks.
                || "⌚⌛⏩⏪⏫⏬⏰⏳◽◾☔☕♈♉♊♋♌♍♎♏♐♑♒♓♿⚓⚡⚪⚫⚽⚾⛄⛅⛎⛔⛪⛲⛳⛵⛺⛽✅✊✋✨❌❎❓❔❕❗➕➖➗➰➿⬛⬜⭐⭕\u{1f004}\u{1f0cf}\u{1f18e}\u{1f191}\u{1f192}\u{1f193}\u{1f194}\u{1f195}\u{1f196}\u{1f197}\u{1f198}\u{1f199}\u{1f19a}\u{1f201}\u{1f21a}\u{1f22f}\u{1f232}\u{1f233}\u{1f234}\u{1f235}\u{1f236}\u{1f238}\u{1f239}\u{1f23a}\u{1f250}\u{1f251}"
                    .contains(first)
        })
}

/// Whether a character is one of those that Chinese, Japanese and Korean fonts share.
pub(super) fn is_cjk(c: char) -> bool {
    matches!(c, '\u{1100}'..='\u{11ff}' | '\u{2e80}'..='\u{9fff}' | '\u{a960}'..='\u{a97f}'
        | '\u{ac00}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe4f}'
        | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}')
}

/// Whose forms of the characters that Chinese, Japanese and Korean share a text has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Han {
    Simplified,
    Japanese,
    Korean,
}

impl Han {
    /// Kana make a text Japanese, Hangul without kana makes it Korean; every other has the forms of simplified Chinese.
    pub(super) fn of(text: &str) -> Self {
        let mut korean = false;
        for c in text.chars() {
            match c {
                '\u{3041}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' => return Han::Japanese,
                '\u{1100}'..='\u{11ff}' | '\u{3131}'..='\u{318e}' | '\u{ac00}'..='\u{d7a3}' => {
                    korean = true;
                }
                _ => {}
            }
        }
        if korean { Han::Korean } else { Han::Simplified }
    }

    /// What the family of such a font is called at the end.
    pub(super) fn endings(self) -> &'static [&'static str] {
        match self {
            Han::Simplified => &["Sans CJK SC", "Sans SC"],
            Han::Japanese => &["Sans CJK JP", "Sans JP"],
            Han::Korean => &["Sans CJK KR", "Sans KR"],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_divide_and_empty_lines_are_one() {
        let (lines, controls) = paragraphs("\r\n a\r\nb\u{2028}c\n\n \n\nd\0\u{1b}\te\n\n");
        assert_eq!(lines, [" a", "b", "c", "", "d\u{fffd}\u{fffd}\te"]);
        assert_eq!(controls, 2);
        assert_eq!(paragraphs(" \n\t"), (Vec::new(), 0));
    }

    #[test]
    fn emoji_are_told_by_their_character_or_the_mark_behind() {
        for emoji in [
            "😀",
            "⚡",
            "❤\u{fe0f}",
            "1\u{fe0f}\u{20e3}",
            "🇪🇺",
            "👩\u{200d}🔬",
        ] {
            assert!(is_emoji(emoji), "{emoji}");
        }
        for other in ["1", "❤", "⚡\u{fe0e}", "∑", "漢"] {
            assert!(!is_emoji(other), "{other}");
        }
    }

    #[test]
    fn han_follows_the_text_around() {
        assert_eq!(Han::of("直角"), Han::Simplified);
        assert_eq!(Han::of("直角です"), Han::Japanese);
        assert_eq!(Han::of("직각 直角"), Han::Korean);
    }
}
