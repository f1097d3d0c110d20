//! How far a score of the first pass can be from the score.

use crate::metric::{Metric, square};

/// The fewest lanes in which a dot product is summed.
const LANES: usize = 8;
/// The unit of rounding of 32-bit numbers.
const UNIT: f64 = 1.0 / (1u64 << 24) as f64;
/// Rows whose norm is not between 1 / `EXTREME` and `EXTREME` have no bound: they always survive.
const EXTREME: f64 = (1u64 << 50) as f64;

/// Bounds of scores, up to a factor and a summand that are the same for all rows of a query.
///
/// Let `q` be the query divided by its norm, `q'` what 32 bits keep of it, `x` a row, `d` the dimension,
/// `u = 2^-24`, and `p` the dot product of `q'` and `x` in 32 bits. A product goes into `p` through one
/// multiplication, at most `ceil(d / 8)` additions in its lane and 3 over the lanes: `m = ceil(d / 8) + 4`
/// roundings. (With 16 lanes there is one more over the lanes, but the first in a lane, to 0, is none; where
/// multiplication and addition are one, there are fewer.) Hence (Higham, "Accuracy and Stability of Numerical Algorithms", 3.1)
///
/// ```text
/// |p - q'x| <= g |q'| |x| + d 2^-149      with g = m u / (1 - m u)
/// |q'x - qx| <= |q' - q| |x| <= 1.01 u |x|
/// ```
///
/// With `2^-50 <= |x| <= 2^50` and `d <= 2^20` nothing overflows, and what is lost to underflow, to
/// `|q'|` above 1, and to roundings in 64 bits (of this bound and of the score) is below `0.5 u |x|`. So
///
/// ```text
/// |p - qx| <= (g + 2 u) |x| = beta |x|
/// ```
///
/// and a score lies within: cosine `p / |x| +- beta`; dot `p +- beta |x|`, times the query's norm;
/// euclidean `2 |query| p - |x|^2 +- 2 |query| |x| beta`, less the query's square, where the 64-bit
/// roundings no longer vanish beside `beta` and get `(d + 16) 2^-50 (|query| + |x|)^2` of their own.
pub(super) struct Bound {
    metric: Metric,
    beta: f64,
    /// See above: the factor of `(|query| + |x|)^2`.
    slack: f64,
    /// For each row its norm; NaN where there is no bound.
    norms: Vec<f64>,
}

impl Bound {
    pub(super) fn new(metric: Metric, dimension: usize, squares: &[f64]) -> Self {
        let roundings = (dimension.div_ceil(LANES) + 4) as f64;
        let norms = squares.iter().map(|square| {
            let norm = square.sqrt();
            if ordinary(norm) { norm } else { f64::NAN }
        });
        Bound {
            metric,
            beta: roundings * UNIT / (1.0 - roundings * UNIT) + 2.0 * UNIT,
            slack: (dimension + 16) as f64 / (1u64 << 50) as f64,
            norms: norms.collect(),
        }
    }

    /// How many rows have no bound.
    pub(super) fn extreme_rows(&self) -> usize {
        self.norms.iter().filter(|norm| norm.is_nan()).count()
    }

    /// The least and the greatest that a row's score can be, given `p`.
    #[inline]
    pub(super) fn around(&self, query_norm: f64, row: usize, p: f32) -> (f64, f64) {
        let norm = self.norms[row];
        if norm.is_nan() {
            return (f64::NEG_INFINITY, f64::INFINITY);
        }
        let p = f64::from(p);
        let (middle, radius) = match self.metric {
            Metric::Cosine if norm == 0.0 => (0.0, 0.0),
            Metric::Cosine => (p / norm, self.beta),
            Metric::Dot => (p, self.beta * norm),
            Metric::Euclidean => {
                let both = query_norm + norm;
                let radius = 2.0 * query_norm * norm * self.beta + self.slack * both * both;
                (2.0 * query_norm * p - norm * norm, radius)
            }
        };
        (middle - radius, middle + radius)
    }
}

/// Whether rows of this norm have a bound.
pub(crate) fn ordinary(norm: f64) -> bool {
    norm == 0.0 || (1.0 / EXTREME..=EXTREME).contains(&norm)
}

/// A query made ready: divided by its norm, in 32 bits; the norm.
pub(crate) fn unit(query: &[f32]) -> (Vec<f32>, f64) {
    let norm = square(query).sqrt();
    let divisor = if norm == 0.0 { 1.0 } else { norm };
    let unit = query.iter().map(|x| (f64::from(*x) / divisor) as f32);
    (unit.collect(), norm)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::Kernels;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_score_lies_within_its_bounds(
            pairs in prop::collection::vec((-1.0f32..1.0, -1.0f32..1.0), 1..70),
            exponent in -30i32..30,
        ) {
            let query: Vec<f32> = pairs.iter().map(|pair| pair.0 * 2f32.powi(-exponent)).collect();
            let row: Vec<f32> = pairs.iter().map(|pair| pair.1 * 2f32.powi(exponent)).collect();
            let (unit, norm) = unit(&query);
            for (metric, (_, kernels)) in Metric::ALL.iter().flat_map(|m| Kernels::available().map(move |k| (m, k))) {
                let mut dots = [[0.0]];
                (kernels.dots_of_one)([&unit], &row, &mut dots);
                let [[p]] = dots;
                let bound = Bound::new(*metric, query.len(), &[square(&row)]);
                let (low, high) = bound.around(norm, 0, p);
                let score = metric.score(&query, &row);
                let value = match metric {
                    Metric::Cosine => score,
                    Metric::Dot => if norm == 0.0 { 0.0 } else { score / norm },
                    Metric::Euclidean => score + square(&query),
                };
                prop_assert!(low <= value && value <= high, "{metric}: {low} {value} {high}");
            }
        }
    }
}
