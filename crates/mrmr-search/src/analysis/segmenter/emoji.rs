//! Emoji sequences of UTS #51, with the extenders that UAX #29 (WB4) allows within them.

use super::classes::Class;

const JOINER: char = '\u{200D}';
const TEXT_STYLE: char = '\u{FE0E}';
const EMOJI_STYLE: char = '\u{FE0F}';
const KEYCAP: char = '\u{20E3}';
const CANCEL_TAG: char = '\u{E007F}';

/// Where the emoji that the text begins with ends.
pub(super) fn emoji_end(text: &str) -> Option<usize> {
    let rest = match text.chars().next()? {
        '0'..='9' | '#' | '*' => after_keycap(&text[1..])?,
        _ => after_sequence(text)?,
    };
    Some(text.len() - rest.len())
}

/// `emoji_keycap_sequence`: what is after it, from the text after the digit or sign.
fn after_keycap(text: &str) -> Option<&str> {
    let rest = after_extenders(text);
    let styled = rest
        .strip_prefix(EMOJI_STYLE)
        .and_then(|rest| rest.strip_prefix(KEYCAP));
    match styled {
        Some(rest) => Some(after_extenders(rest)),
        None => before(text, rest).contains(KEYCAP).then_some(rest),
    }
}

/// `emoji_tag_sequence`, or `emoji_zwj_sequence` of one element or more.
fn after_sequence(text: &str) -> Option<&str> {
    let mut rest = after_element(text)?;
    if before(text, rest).ends_with(EMOJI_STYLE)
        && let Some(rest) = after_tags(rest)
    {
        return Some(rest);
    }
    loop {
        // Without a style, the joiner is among the extenders of the element.
        let joined = if before(text, rest).ends_with(JOINER) {
            Some(rest)
        } else {
            rest.strip_prefix(JOINER)
        };
        match joined.and_then(after_element) {
            Some(after) => rest = after,
            None => return Some(rest),
        }
    }
}

/// `emoji_zwj_element`: a pictograph, with a style or without, or a modifier alone.
fn after_element(text: &str) -> Option<&str> {
    // WB3c
    let mut chars = text.trim_start_matches(JOINER).chars();
    if chars.next().is_some_and(|c| Class::of(c).is_pictograph()) {
        let rest = after_extenders(chars.as_str());
        return Some(rest.strip_prefix(EMOJI_STYLE).unwrap_or(rest));
    }
    text.strip_prefix(|c| matches!(c, '\u{1F3FB}'..='\u{1F3FF}'))
        .map(after_extenders)
}

/// `tag_spec` and `tag_end`.
fn after_tags(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(|c| matches!(c, '\u{E0020}'..='\u{E007E}'));
    if rest.len() == text.len() {
        return None;
    }
    rest.strip_prefix(CANCEL_TAG)
}

fn after_extenders(text: &str) -> &str {
    text.trim_start_matches(|c| {
        !matches!(c, TEXT_STYLE | EMOJI_STYLE) && Class::of(c).is_extender()
    })
}

/// The text without its end `rest`.
fn before<'a>(text: &'a str, rest: &str) -> &'a str {
    &text[..text.len() - rest.len()]
}
