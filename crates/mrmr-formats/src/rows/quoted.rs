//! Pieces of files within messages: short, on one line, whatever they hold.

/// The most characters of a file that a message shows.
const LONGEST: usize = 80;

/// The text in double quotes; what cannot be printed is escaped, what is too long is cut.
pub(crate) fn quoted(text: &[u8]) -> String {
    // Four bytes a character at most; a line of a gigabyte must not be copied.
    let cut = text.len() > 4 * (LONGEST + 1);
    let text = String::from_utf8_lossy(&text[..text.len().min(4 * (LONGEST + 1))]);
    let mut shown = String::from("\"");
    for (count, character) in text.chars().enumerate() {
        if count == LONGEST {
            shown.push_str("...\"");
            return shown;
        }
        match character {
            _ if character.is_control() || character == '\u{feff}' => {
                shown.extend(character.escape_default());
            }
            _ => shown.push(character),
        }
    }
    shown.push_str(if cut { "...\"" } else { "\"" });
    shown
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn short_text_is_shown_whole() {
        assert_eq!(quoted("a \"b\" ü".as_bytes()), "\"a \"b\" ü\"");
        assert_eq!(quoted(b"a\tb\xff"), "\"a\\tb\u{fffd}\"");
    }

    #[test]
    fn long_text_is_cut_at_80_characters() {
        assert_eq!(quoted(&[b'x'; 80]), format!("\"{}\"", "x".repeat(80)));
        assert_eq!(quoted(&[b'x'; 81]), format!("\"{}...\"", "x".repeat(80)));
        assert_eq!(quoted(&[b'x'; 9999]), format!("\"{}...\"", "x".repeat(80)));
    }
}
