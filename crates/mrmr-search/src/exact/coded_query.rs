//! Queries in 8 bits, and the bounds of a row's score that follow.

use super::codes::{Codes, FEW, SUM, encode, scale, up};
use crate::kernels::{COLUMNS, QueryCodes, ROWS, Reach, RowBounds};
use crate::metric::{Metric, square};

/// More than the roundings of an upper bound in 32 bits, as a factor of its terms.
const TERMS: f64 = 64.0 / (1u64 << 24) as f64;

/// A query in codes. Scores of rows are bounded up to a factor and a summand that are the same for all
/// rows; docs/exact-search.md derives the numbers.
#[derive(Clone)]
pub(crate) struct CodedQuery {
    /// The floor apart, what bounds a row's score from above.
    pub(super) reach: Reach,
    /// The numbers in the columns without codes.
    weights: Vec<f32>,
    /// Half the reciprocal of the query's norm at Euclidean distance, rounded up.
    pub(super) square: f64,
    /// What every bound is further off, whatever the row.
    slack: f64,
    /// A score times the factor, plus the summand, is what is bounded.
    factor: f64,
    summand: f64,
    /// More than the roundings of that, as a factor, and of the summand.
    rounding: f64,
    summand_rounding: f64,
}

impl CodedQuery {
    /// The query, its codes added to those of others; none where 32 bits do not hold the bounds.
    pub(crate) fn new(
        metric: Metric,
        query: &[f32],
        codes: &Codes,
        coded: &mut QueryCodes,
    ) -> Option<Self> {
        let centre = codes.mean.iter().map(|mean| match metric {
            Metric::Euclidean => f64::from(*mean),
            _ => 0.0,
        });
        let mut unit: Vec<f64> = query
            .iter()
            .zip(centre)
            .map(|(x, c)| f64::from(*x) - c)
            .collect();
        let norm = norm(&unit);
        let half = match metric {
            Metric::Euclidean => 0.5 / norm,
            _ => 0.0,
        };
        if norm == 0.0 || half > LARGEST || norm > LARGEST * LARGEST {
            return None;
        }
        if half * codes.largest_square > LARGEST {
            return None;
        }
        unit.iter_mut().for_each(|x| *x /= norm);

        let towards_mean: f64 = unit
            .iter()
            .zip(&codes.mean)
            .map(|(x, mean)| x * f64::from(*mean))
            .sum();
        let apart = codes.apart.iter();
        let weights: Vec<f32> = apart
            .map(|column| std::mem::take(&mut unit[*column]) as f32)
            .collect();
        let scale = Some(scale(&unit))
            .filter(|scale| *scale > SMALLEST)
            .unwrap_or(0.0);
        let (mut error, mut length, mut sum) = (0.0, 0.0, 0);
        for columns in unit.chunks(COLUMNS) {
            let mut word = [0u8; COLUMNS];
            for (x, byte) in columns.iter().zip(&mut word) {
                let code = encode(*x, scale);
                let kept = f64::from(scale) * f64::from(code);
                error += (x - kept) * (x - kept);
                length += kept * kept;
                sum += i32::from(code);
                *byte = code as u8;
            }
            coded.codes.push(i32::from_ne_bytes(word));
        }
        coded.sums.push(sum);

        let slack = (query.len() + 16) as f64 * FEW;
        let error = f64::sqrt(error) * SUM + FEW;
        let length = f64::sqrt(length) * SUM;
        let mean = square(&codes.mean).sqrt() * SUM;
        let (factor, summand, summand_size) = match metric {
            Metric::Cosine => (1.0, -towards_mean, mean),
            Metric::Dot => (1.0 / norm, -towards_mean, mean),
            Metric::Euclidean => (half, norm / 2.0, norm / 2.0),
        };
        let offset = match metric {
            Metric::Cosine => slack + FEW,
            Metric::Dot => slack * mean,
            Metric::Euclidean => slack * norm,
        };
        let products = if weights.is_empty() { 0.0 } else { TERMS };
        let reach = Reach {
            scale,
            residual: up(length * (1.0 + TERMS)),
            length: up((error + TERMS * length) * (1.0 + TERMS)),
            whole: up((slack + products) * (1.0 + TERMS)),
            square: (half * (1.0 - TERMS)) as f32,
            floor: f32::NEG_INFINITY,
        };
        Some(CodedQuery {
            reach,
            weights,
            square: half * (1.0 + TERMS),
            slack: offset + UNDERFLOW * (1.0 + half),
            factor,
            summand,
            rounding: slack,
            summand_rounding: slack * summand_size,
        })
    }

    /// The numbers in the columns without codes.
    pub(super) fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// What every bound is further off, whatever the row.
    pub(crate) fn slack(&self) -> f64 {
        self.slack
    }

    /// Not more than what the upper bound of a row is that has this score or a better one.
    pub(super) fn threshold(&self, score: f64) -> f64 {
        let scaled = score * self.factor;
        let value = scaled + self.summand;
        match value.is_finite() {
            true => value - self.rounding * scaled.abs() - self.summand_rounding,
            false => f64::NEG_INFINITY,
        }
    }

    /// Which rows reach a threshold, a score's lower bound.
    pub(crate) fn reach(&self, threshold: f64) -> Reach {
        let floor = (threshold - self.slack) as f32;
        Reach {
            // Down, and a little further: the difference was rounded too.
            floor: floor.next_down().next_down(),
            ..self.reach
        }
    }

    /// The middle of what a row's score can be, given the dot product of the codes; all columns must have codes.
    pub(crate) fn middle(&self, rows: &RowBounds, lane: usize, dot: i32) -> f64 {
        let scale = f64::from(self.reach.scale) * f64::from(rows.scale[lane]);
        scale * f64::from(dot) - self.square * f64::from(rows.square[lane])
    }

    /// The least and the greatest that a row's score can be, given the dot product of the codes.
    pub(crate) fn around(
        &self,
        rows: &RowBounds,
        apart: &[[f32; ROWS]],
        lane: usize,
        dot: i32,
    ) -> (f64, f64) {
        let of_lane = |numbers: &[f32; ROWS]| f64::from(numbers[lane]);
        let (residual, length) = (of_lane(&rows.residual), of_lane(&rows.length));
        let (whole, square) = (of_lane(&rows.whole), of_lane(&rows.square));
        let products = self.weights.iter().zip(apart);
        let products = products.map(|(weight, column)| f64::from(*weight) * of_lane(column));
        let middle = f64::from(self.reach.scale) * f64::from(dot) * of_lane(&rows.scale)
            + products.sum::<f64>();
        let radius = f64::from(self.reach.residual) * residual
            + f64::from(self.reach.length) * length
            + f64::from(self.reach.whole) * whole
            + self.slack;
        let lower = middle - radius - self.square * square;
        let upper = middle + radius - f64::from(self.reach.square) * square;
        (lower, upper)
    }
}

/// A scale below this is none: products with it would be too small for 32 bits.
const SMALLEST: f32 = 1.0 / (1u64 << 62) as f32;
/// Nothing in 32 bits overflows where the terms are not larger.
const LARGEST: f64 = (1u64 << 60) as f64;
/// More than what is lost where a term in 32 bits is too small for its digits: 2^-140.
const UNDERFLOW: f64 = FEW * FEW / (1u64 << 40) as f64;

fn norm(numbers: &[f64]) -> f64 {
    numbers.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// Room for the codes of some queries.
pub(crate) fn no_codes(codes: &Codes, queries: usize) -> QueryCodes {
    QueryCodes {
        words: codes.words,
        codes: Vec::with_capacity(queries * codes.words),
        sums: Vec::with_capacity(queries),
    }
}

/// Dot products of a group of rows with nothing in them yet.
pub(crate) fn no_dots(queries: usize) -> Vec<[i32; ROWS]> {
    vec![[0; ROWS]; queries]
}
