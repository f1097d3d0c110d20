//! The words that ASCII alone decides, without a look at the rules.

/// Whether a byte joins with its like: letters, digits and the low line (WB5, WB8 to WB10, WB13a, WB13b).
fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The text from the first character that a segment may begin with.
pub(super) fn skip_between(text: &str) -> &str {
    let begins = |byte: &u8| !byte.is_ascii() || is_word_byte(*byte) || matches!(byte, b'#' | b'*');
    let start = text.bytes().position(|byte| begins(&byte));
    &text[start.unwrap_or(text.len())..]
}

/// Where a word of ASCII ends that is followed by ASCII which cannot continue it.
pub(super) fn word_end(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let end = bytes
        .iter()
        .position(|byte| !is_word_byte(*byte))
        .unwrap_or(bytes.len());
    let ends = match &bytes[end..] {
        [] => true,
        // WB6, WB7, WB11, WB12: a mark may join what is on both its sides.
        [b'\'' | b',' | b'.' | b':' | b';', after @ ..] => after
            .first()
            .is_none_or(|byte| byte.is_ascii() && !is_word_byte(*byte)),
        [after, ..] => after.is_ascii(),
    };
    let is_word = bytes[..end].iter().any(|byte| *byte != b'_');
    (ends && is_word).then_some(end)
}
