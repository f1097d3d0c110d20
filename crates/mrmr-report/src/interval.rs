//! Confidence intervals beside means.

use mrmr_measures::statistics::{Bootstrap, Interval, IntervalMethod, mean_interval};
use mrmr_measures::{Aggregate, MeasureSpec, MeasureValues};
use serde_json::{Value, json};

use crate::number::Numbers;

/// The interval of a measure's mean over all queries, or over these places of them; a sum has none.
pub(crate) fn of(
    measure: &MeasureValues,
    places: Option<&[usize]>,
    bootstrap: &Bootstrap,
) -> Option<Interval> {
    if measure.spec.definition().aggregate != Aggregate::Mean {
        return None;
    }
    Some(match places {
        None => mean_interval(&measure.values, bootstrap),
        Some(places) => {
            let values: Vec<f64> = places.iter().map(|at| measure.values[*at]).collect();
            mean_interval(&values, bootstrap)
        }
    })
}

/// `[0.4712, 0.5221]`; nothing where the values say nothing about how others would differ.
pub(crate) fn show(numbers: &Numbers, spec: &MeasureSpec, interval: &Interval) -> String {
    if interval.method == IntervalMethod::Point {
        return String::new();
    }
    format!(
        "[{}, {}]",
        numbers.show(spec, interval.low),
        numbers.show(spec, interval.high)
    )
}

/// An interval with how it was found.
pub(crate) fn value(interval: &Interval) -> Value {
    json!({
        "low": interval.low,
        "high": interval.high,
        "level": interval.level,
        "method": interval.method.to_string(),
    })
}

/// What the brackets in a table mean.
pub(crate) fn note(bootstrap: &Bootstrap) -> String {
    format!(
        "[..]: {} % intervals of the mean, BCa bootstrap over queries",
        percent(bootstrap.level)
    )
}

/// A level as a percentage, without an end that rounding made.
pub(crate) fn percent(level: f64) -> f64 {
    (level * 1e6).round() / 1e4
}
