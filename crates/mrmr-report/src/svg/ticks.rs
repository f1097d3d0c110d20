//! Where an axis has its ticks.

/// Round numbers from at most `low` to at least `high`, about `count` of them.
pub(super) fn linear(low: f64, high: f64, count: usize) -> Vec<f64> {
    let span = (high - low).max(f64::MIN_POSITIVE);
    let rough = span / count.max(1) as f64;
    let magnitude = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|factor| factor * magnitude)
        .find(|step| *step >= rough * 0.999)
        .unwrap_or(10.0 * magnitude);
    // A step of 10^-n is counted in wholes of it, so that no tick has an end that rounding made.
    let per_unit = (1.0 / step).round();
    let at = |index: f64| match step < 1.0 {
        true => index / per_unit,
        false => index * step,
    };
    let first = (low / step + 1e-9).floor() as i64;
    let last = (high / step - 1e-9).ceil() as i64;
    (first..=last).map(|index| at(index as f64)).collect()
}

/// Powers of ten, or 1, 2 and 5 times these where there are few, from at most `low` to at least `high`, all above 0.
pub(super) fn logarithmic(low: f64, high: f64) -> Vec<f64> {
    let decades = (high / low).log10();
    let factors: &[f64] = if decades > 3.0 {
        &[1.0]
    } else {
        &[1.0, 2.0, 5.0]
    };
    let first = low.log10().floor() as i32;
    let last = high.log10().ceil() as i32;
    let all: Vec<f64> = (first..=last)
        .flat_map(|power| factors.iter().map(move |factor| scaled(*factor, power)))
        .collect();
    let start = all.iter().rposition(|tick| *tick <= low).unwrap_or(0);
    let end = all.iter().position(|tick| *tick >= high);
    all[start..=end.unwrap_or(all.len() - 1)].to_vec()
}

fn scaled(factor: f64, power: i32) -> f64 {
    match power < 0 {
        true => factor / 10f64.powi(-power),
        false => factor * 10f64.powi(power),
    }
}

/// A number at a tick: `0.95`, `2,000`.
pub(super) fn number(value: f64) -> String {
    let text = format!("{}", (value * 1e9).round() / 1e9);
    match text.split_once('.') {
        None if value.abs() >= 1000.0 => grouped(&text),
        _ => text,
    }
}

fn grouped(digits: &str) -> String {
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) && digit.is_ascii_digit() {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_enclose_the_values() {
        assert_eq!(linear(0.871, 1.0, 5), [0.85, 0.9, 0.95, 1.0]);
        assert_eq!(linear(0.0, 1.0, 5), [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]);
        assert_eq!(linear(3.0, 42.0, 4), [0.0, 10.0, 20.0, 30.0, 40.0, 50.0]);
        assert_eq!(logarithmic(1_300.0, 9_100.0), [1e3, 2e3, 5e3, 1e4]);
        assert_eq!(logarithmic(0.3, 0.4), [0.2, 0.5]);
        assert_eq!(
            logarithmic(7.0, 90_000.0),
            [1.0, 10.0, 100.0, 1e3, 1e4, 1e5]
        );
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(number(0.95), "0.95");
        assert_eq!(number(20_000.0), "20,000");
        assert_eq!(number(1_234_567.0), "1,234,567");
        assert_eq!(number(0.0), "0");
    }
}
