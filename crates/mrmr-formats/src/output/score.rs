//! Numbers in their shortest form that reads back to the same bits.

use std::fmt::Write;

/// Writes a score into `text`: `2`, `0.1`, `1e-7`, `inf`.
pub(super) fn shortest(score: f64, text: &mut String) {
    text.clear();
    // Writing to a string cannot fail.
    let _ = write!(text, "{score:?}");
    if text.ends_with(".0") {
        text.truncate(text.len() - 2);
    }
}

#[cfg(test)]
mod tests {
    use super::shortest;

    #[test]
    fn scores_are_short_and_exact() {
        let mut text = String::new();
        for (score, expected) in [
            (2.0, "2"),
            (-0.0, "-0"),
            (0.1, "0.1"),
            (1e-7, "1e-7"),
            (1e300, "1e300"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            shortest(score, &mut text);
            assert_eq!(text, expected);
            assert_eq!(text.parse::<f64>().unwrap().to_bits(), score.to_bits());
        }
    }
}
