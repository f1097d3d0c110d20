//! Numbers as C reads and prints them.

/// `atol`: the whole number that a text starts with, else 0.
pub(super) fn leading_integer(text: &str) -> i64 {
    let text = text.trim_start_matches(is_space);
    let (negative, digits) = match text.as_bytes().first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let mut value = 0i64;
    for digit in digits.bytes().take_while(u8::is_ascii_digit) {
        let digit = i64::from(digit - b'0');
        value = value.saturating_mul(10);
        value = if negative {
            value.saturating_sub(digit)
        } else {
            value.saturating_add(digit)
        };
    }
    value
}

/// `atof`: the decimal number that a text starts with, else 0.
pub(super) fn leading_number(text: &str) -> f64 {
    let text = text.trim_start_matches(is_space);
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        from + bytes[from..]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count()
    };
    let start = usize::from(matches!(bytes.first(), Some(b'-' | b'+')));
    let mut end = digits(start);
    let mut any = end > start;
    if bytes.get(end) == Some(&b'.') {
        let after = digits(end + 1);
        any |= after > end + 1;
        end = after;
    }
    if !any {
        return 0.0;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'-' | b'+')));
        let after = digits(end + 1 + sign);
        if after > end + 1 + sign {
            end = after;
        }
    }
    // What was cut out is a decimal number, which Rust rounds as C does.
    text[..end].parse().unwrap_or(0.0)
}

/// `%6.4f`.
pub(super) fn fixed(value: f64) -> String {
    if value.is_nan() {
        // The sign that x86 gives to 0 / 0, on every machine.
        "  -nan".to_owned()
    } else {
        format!("{value:6.4}")
    }
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t'..='\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_far_as_they_go() {
        for (text, value) in [
            ("12", 12),
            (" -3x", -3),
            ("+7.9", 7),
            ("x", 0),
            ("", 0),
            ("-", 0),
            ("99999999999999999999", i64::MAX),
        ] {
            assert_eq!(leading_integer(text), value, "{text:?}");
        }
        for (text, value) in [
            (".25", 0.25),
            ("5.", 5.0),
            ("-1e3", -1000.0),
            ("2e", 2.0),
            ("2e+", 2.0),
            ("1.5.7", 1.5),
            (".", 0.0),
            ("x", 0.0),
            ("-", 0.0),
        ] {
            assert_eq!(leading_number(text), value, "{text:?}");
        }
    }

    #[test]
    fn values_are_printed_with_ties_to_even() {
        assert_eq!(fixed(1.0 / 32.0), "0.0312");
        assert_eq!(fixed(3.0 / 32.0), "0.0938");
        assert_eq!(fixed(-58.0), "-58.0000");
        assert_eq!(fixed(-1e-9), "-0.0000");
        assert_eq!(fixed(f64::INFINITY), "   inf");
        assert_eq!(fixed(f64::NAN), "  -nan");
    }
}
