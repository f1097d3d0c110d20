//! The interval of a mean.

use std::fmt;

use super::bootstrap::{Bootstrap, Resampling, resample};
use super::exact_sum::ExactSums;
use super::saddlepoint::Saddlepoint;
use crate::mean::mean;

/// From where to where a mean may lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The share of experiments whose interval holds the true mean, 0.95 by default.
    pub level: f64,
    /// How the ends were found.
    pub method: IntervalMethod,
}

/// How the ends of an interval were found; its text form says it in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IntervalMethod {
    /// No or one value, or all of them equal: the interval is the mean itself.
    Point,
    /// BCa from resamples that were drawn.
    Resampled {
        /// How many.
        resamples: usize,
        /// The seed.
        seed: u64,
    },
    /// BCa from the distribution of the resampled mean, by a saddlepoint approximation.
    Saddlepoint,
}

impl fmt::Display for IntervalMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IntervalMethod::Point => f.write_str("a point: fewer than two different values"),
            IntervalMethod::Resampled { resamples, seed } => {
                write!(f, "BCa bootstrap, {resamples} resamples, seed {seed}")
            }
            IntervalMethod::Saddlepoint => {
                f.write_str("BCa bootstrap, all resamples by saddlepoint approximation")
            }
        }
    }
}

/// The bias-corrected and accelerated bootstrap interval of the mean of some values, one a query.
///
/// It is a point where there are fewer than two different values (0 of none). It is NaN where a
/// value is, or where `bootstrap` does not pass [`Bootstrap::check`].
///
/// ```
/// use mrmr_measures::statistics::{Bootstrap, mean_interval};
/// let interval = mean_interval(&[0.2, 0.4, 0.4, 0.5, 1.0, 0.3], &Bootstrap::default());
/// assert!(interval.low < 0.35 && 0.6 < interval.high);
/// assert_eq!(interval.method.to_string(), "BCa bootstrap, 10000 resamples, seed 42");
/// ```
///
/// Source: Efron 1987, *Better bootstrap confidence intervals*. The share of resamples below the
/// mean counts those equal to it half, and quantiles are interpolated linearly, as in scipy.
pub fn mean_interval(values: &[f64], bootstrap: &Bootstrap) -> Interval {
    let interval = |low, high, method| Interval {
        low,
        high,
        level: bootstrap.level,
        method,
    };
    if bootstrap.check().is_err() || values.iter().any(|value| !value.is_finite()) {
        return interval(f64::NAN, f64::NAN, IntervalMethod::Point);
    }
    let (values, reversed) = oriented(values);
    let middle = mean(values.iter().copied());
    let Some(sums) = ExactSums::new(&values) else {
        let middle = if reversed { -middle } else { middle };
        return interval(middle, middle, IntervalMethod::Point);
    };
    let moments = Saddlepoint::new(&values, middle);
    let by_saddlepoint = match bootstrap.resampling {
        Resampling::Automatic => moments.is_accurate(),
        Resampling::Drawn => false,
        Resampling::Saddlepoint => true,
    };
    let (low, high, method) = if by_saddlepoint {
        let [low, high] = moments.interval(bootstrap.level);
        (low, high, IntervalMethod::Saddlepoint)
    } else {
        let [low, high] = resample(&sums, moments.acceleration(), bootstrap);
        let method = IntervalMethod::Resampled {
            resamples: bootstrap.resamples,
            seed: bootstrap.seed,
        };
        (low, high, method)
    };
    if reversed {
        interval(-high, -low, method)
    } else {
        interval(low, high, method)
    }
}

/// The values in ascending order, or their negatives: of the two the larger list, so that the
/// interval of negated values is the negated interval, and of reordered values the same.
fn oriented(values: &[f64]) -> (Vec<f64>, bool) {
    let mut plain: Vec<f64> = values.iter().map(|value| value + 0.0).collect();
    plain.sort_unstable_by(f64::total_cmp);
    let negated: Vec<f64> = plain.iter().rev().map(|value| 0.0 - value).collect();
    let order = plain.iter().zip(&negated).map(|(a, b)| a.total_cmp(b));
    let reversed = order.into_iter().find(|order| order.is_ne()) == Some(std::cmp::Ordering::Less);
    (if reversed { negated } else { plain }, reversed)
}
