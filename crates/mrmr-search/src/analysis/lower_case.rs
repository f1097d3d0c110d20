//! Lower case as Lucene has it.

/// Java's `Character.toLowerCase`, one character for one: `İ` is `i`, a final `Σ` is `σ`.
pub(super) fn push_lower_case(word: &str, lower: &mut String) {
    if word.is_ascii() {
        lower.push_str(word);
        lower.make_ascii_lowercase();
    } else {
        lower.extend(word.chars().map(lower_case));
    }
}

/// See [`push_lower_case`].
pub(super) fn lower_case(c: char) -> char {
    c.to_lowercase().next().unwrap_or(c)
}
