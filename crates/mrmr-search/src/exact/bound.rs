//! How far a score of the first pass can be from the score.

use crate::kernels::{FloatReach, ROWS, RowNorms};
use crate::metric::{Metric, square};

/// The fewest lanes in which a dot product is summed.
const LANES: usize = 8;
/// The unit of rounding of 32-bit numbers.
const UNIT: f64 = 1.0 / (1u64 << 24) as f64;
/// Rows whose norm is not between 1 / `EXTREME` and `EXTREME` have no bound: they always survive.
const EXTREME: f64 = (1u64 << 50) as f64;
/// More than what is lost where a term in 32 bits is too small for its digits.
const TINY: f64 = 1.0 / EXTREME / EXTREME / (1u64 << 40) as f64;

/// Bounds of scores, up to a factor and a summand that are the same for all rows of a query.
///
/// Let `q` be the query divided by its norm, `q'` what 32 bits keep of it, `x` a row, `d` the dimension,
/// `u = 2^-24`, and `p` the dot product of `q'` and `x` in 32 bits. A product goes into `p` through one
/// multiplication, at most `ceil(d / 8)` additions in its lane and 3 over the lanes: `m = ceil(d / 8) + 4`
/// roundings. (With 16 lanes there is one more over the lanes, but multiplication and addition are one.) Hence (Higham, "Accuracy and Stability of Numerical Algorithms", 3.1)
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
    pub(super) beta: f64,
    /// See above: the factor of `(|query| + |x|)^2`.
    slack: f64,
    /// For each row its norm; NaN where there is no bound.
    norms: Vec<f64>,
    /// The same in 32 bits, and their squares.
    groups: Vec<RowNorms>,
}

impl Bound {
    pub(super) fn new(metric: Metric, dimension: usize, squares: &[f64]) -> Self {
        let roundings = (dimension.div_ceil(LANES) + 4) as f64;
        let norms = squares.iter().map(|square| {
            let norm = square.sqrt();
            if ordinary(norm) { norm } else { f64::NAN }
        });
        let norms: Vec<f64> = norms.collect();
        let groups = norms.chunks(ROWS).map(|norms| {
            let norm = std::array::from_fn(|lane| norms.get(lane).map_or(0.0, |norm| *norm as f32));
            RowNorms {
                norm,
                square: norm.map(|norm| norm * norm),
            }
        });
        Bound {
            metric,
            beta: roundings * UNIT / (1.0 - roundings * UNIT) + 2.0 * UNIT,
            slack: (dimension + 16) as f64 / (1u64 << 50) as f64,
            groups: groups.collect(),
            norms,
        }
    }

    /// How many rows have no bound.
    pub(super) fn extreme_rows(&self) -> usize {
        self.norms.iter().filter(|norm| norm.is_nan()).count()
    }

    /// Not more than what the upper bound of a row is that has this score or a better one.
    pub(super) fn threshold(&self, query_norm: f64, score: f64) -> f64 {
        let (value, size) = match self.metric {
            _ if score == f64::NEG_INFINITY => return score,
            Metric::Cosine => (score, score.abs()),
            // Every row scores 0.
            Metric::Dot if query_norm == 0.0 => return f64::NEG_INFINITY,
            Metric::Dot => (score / query_norm, score.abs() / query_norm),
            Metric::Euclidean => {
                let square = query_norm * query_norm;
                (score + square, score.abs() + square)
            }
        };
        value - self.slack * size
    }

    /// The norms of a group of rows.
    pub(super) fn group(&self, group: usize) -> &RowNorms {
        &self.groups[group]
    }

    /// Which rows reach a threshold, an upper bound of [`Bound::around`].
    ///
    /// With `n` for `|x|` and `T` for the threshold, an upper bound reaches it where: cosine `p - (T - beta) n >= 0`;
    /// dot `p + beta n >= T`; euclidean, divided by `2 |query|`,
    /// `p + (beta + slack) n - (1 - slack) n^2 / (2 |query|) >= (T - slack |query|^2) / (2 |query|)`.
    /// In 32 bits, from norms in 32 bits, each of the four terms goes through at most 7 roundings, and `|p|` is at
    /// most `1.1 n`, so the sums of both sides are off by less than `8 u` of the terms.
    pub(super) fn reach(&self, query_norm: f64, threshold: f64) -> FloatReach {
        let (norm, square, floor) = match self.metric {
            Metric::Cosine => (self.beta - threshold, 0.0, 0.0),
            Metric::Dot => (self.beta, 0.0, threshold),
            Metric::Euclidean => {
                let half = 0.5 / query_norm;
                let floor = (threshold - self.slack * query_norm * query_norm) * half;
                (self.beta + self.slack, (1.0 - self.slack) * half, floor)
            }
        };
        let rounding = 16.0 * UNIT;
        let floor = floor - rounding * floor.abs() - TINY * (1.0 + square);
        let is_ordinary = square < EXTREME && norm.abs() < EXTREME && floor > f64::from(f32::MIN);
        match is_ordinary {
            true => FloatReach {
                norm: ((norm + rounding * (2.0 + norm.abs())) as f32).next_up(),
                square: (square * (1.0 - rounding)) as f32,
                floor: (floor as f32).next_down(),
            },
            // All rows do.
            false => FloatReach {
                norm: 0.0,
                square: 0.0,
                floor: f32::NEG_INFINITY,
            },
        }
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
                let mut dots = [[0.0; ROWS]];
                (kernels.float_dots)(&[&unit], &row, &mut dots);
                let p = dots[0][0];
                let bound = Bound::new(*metric, query.len(), &[square(&row)]);
                let (low, high) = bound.around(norm, 0, p);
                let score = metric.score(&query, &row);
                let value = match metric {
                    Metric::Cosine => score,
                    Metric::Dot => if norm == 0.0 { 0.0 } else { score / norm },
                    Metric::Euclidean => score + square(&query),
                };
                prop_assert!(low <= value && value <= high, "{metric}: {low} {value} {high}");
                // The bound in 32 bits does not lie below that one, nor far above it.
                let reaches = |threshold: f64| {
                    let mut masks = [0];
                    let reach = [bound.reach(norm, threshold)];
                    (kernels.float_reaching)(bound.group(0), &reach, &dots, &mut masks);
                    masks[0] & 1 == 1
                };
                prop_assert!(reaches(high), "{metric}: {high}");
                let size = high.abs() + square(&row).sqrt() + norm * norm + square(&row);
                if *metric == Metric::Dot && norm > 0.0 && size > 1e-30 {
                    prop_assert!(!reaches(high + 1e-5 * size), "{metric}: {high}");
                }
            }
        }
    }
}
