//! Numbers as they stand in files, read strictly.

/// A score: a decimal number or an infinite one, never NaN.
///
/// Nothing may stand before or after it but white space: no `0,9`, `1_000`, `0x1p3` or `5%`.
pub(crate) fn score(text: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(trim(text)).ok()?;
    text.parse().ok().filter(|score: &f64| !score.is_nan())
}

/// A grade: a finite decimal number.
pub(super) fn grade(text: &[u8]) -> Option<f64> {
    score(text).filter(|grade| grade.is_finite())
}

/// A rank: a whole number from 0.
pub(super) fn rank(text: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(trim(text)).ok()?;
    text.parse().ok().filter(|rank| *rank >= 0)
}

/// The bytes without the spaces, tabs and carriage returns around them.
pub(super) fn trim(mut text: &[u8]) -> &[u8] {
    while let [b' ' | b'\t' | b'\r', rest @ ..] | [rest @ .., b' ' | b'\t' | b'\r'] = text {
        text = rest;
    }
    text
}

/// Whether a text says that it is not a number.
pub(super) fn is_nan(text: &[u8]) -> bool {
    let text = trim(text);
    let text = text
        .strip_prefix(b"-")
        .or(text.strip_prefix(b"+"))
        .unwrap_or(text);
    text.eq_ignore_ascii_case(b"nan")
}

/// What may have been meant by something that is no number.
pub(super) fn hint(text: &[u8]) -> Option<String> {
    if is_nan(text) {
        return Some("NaN has no place in an order; find out why the system gave it".to_owned());
    }
    let text = std::str::from_utf8(trim(text)).ok()?;
    let dotted = text.replace(',', ".");
    if dotted != text && dotted.parse::<f64>().is_ok() {
        return Some(format!("a decimal comma? write {dotted}"));
    }
    let plain = text.replace(['_', ','], "");
    if plain != text && plain.parse::<f64>().is_ok() {
        return Some(format!("separators between digits? write {plain}"));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_read_exactly() {
        for (text, value) in [
            ("1", 1.0),
            ("1.0", 1.0),
            ("+1", 1.0),
            (" -0.5\r", -0.5),
            (".5", 0.5),
            ("1e-3", 1e-3),
            ("0.8213297128677368", 0.8213297128677368),
        ] {
            assert_eq!(score(text.as_bytes()), Some(value), "{text}");
            assert_eq!(grade(text.as_bytes()), Some(value), "{text}");
        }
    }

    #[test]
    fn a_score_may_be_infinite_and_a_grade_may_not() {
        for text in ["inf", "-inf", "Infinity", "-INFINITY", "1e999"] {
            assert!(
                score(text.as_bytes()).is_some_and(f64::is_infinite),
                "{text}"
            );
            assert_eq!(grade(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn everything_else_is_no_number() {
        for text in [
            "", " ", "nan", "-NaN", "0,9", "1_000", "0x10", "0x1p3", "1.2.3", "5%", "1 2", "abc",
            "1e", "--1", "１",
        ] {
            assert_eq!(score(text.as_bytes()), None, "{text}");
        }
        assert_eq!(score(b"\xff"), None);
    }

    #[test]
    fn a_rank_is_a_whole_number_from_0() {
        assert_eq!(rank(b" 7\r"), Some(7));
        assert_eq!(rank(b"0"), Some(0));
        for text in ["-1", "1.5", "", "x"] {
            assert_eq!(rank(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn a_hint_says_what_may_have_been_meant() {
        assert_eq!(hint(b"0,9").as_deref(), Some("a decimal comma? write 0.9"));
        assert_eq!(
            hint(b"1_000").as_deref(),
            Some("separators between digits? write 1000")
        );
        assert!(hint(b"nan").is_some());
        assert_eq!(hint(b"abc"), None);
    }
}
