//! Where the graph lives: a space in which what is near scores high.

use rayon::prelude::*;

use crate::exact::{encode, scale};
use crate::kernels::{STRIP, Strip};
use crate::metric::{Metric, square};
use crate::rows::Rows;

/// Rows whose mean is found together.
const CHUNK: usize = 4096;

/// The coordinate that makes all rows as long as the longest also makes those nearest to a query that have the
/// largest product with it (Bachrach and others, 2014). So much of it is taken: with all, long rows are cut off
/// from short ones of their direction, and with none, the order of distances is not that of products. It
/// matters for links alone; a query is compared by products. docs/hnsw.md has figures.
const MORE: f64 = 0.5;

/// How rows become points: divided by their norm at cosine similarity; at dot product with a coordinate more,
/// see [`MORE`]. Then less the mean of all, and divided by what makes none longer than 1.
pub(super) struct Space {
    metric: Metric,
    mean: Vec<f64>,
    mean_extra: f64,
    /// The largest norm.
    longest: f64,
    divisor: f64,
}

/// A vector in codes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position {
    /// What the codes are multiplied by.
    pub(super) scale: f32,
    /// Half the square of the vector before it was coded; for a query, what those of points count.
    pub(super) half: f32,
    /// The coordinate more.
    pub(super) extra: f32,
    /// The sum of the codes.
    pub(super) sum: i32,
}

impl Space {
    pub(super) fn new(rows: &Rows) -> Self {
        let longest = rows.squares.iter().copied().fold(0.0, f64::max).sqrt();
        let mut space = Space {
            metric: rows.metric,
            mean: vec![0.0; rows.vectors.dimension()],
            mean_extra: 0.0,
            longest,
            divisor: match rows.metric {
                Metric::Cosine => 2.0,
                _ if longest == 0.0 => 1.0,
                _ => 2.0 * longest,
            },
        };
        (space.mean, space.mean_extra) = space.mean_of(rows);
        space
    }

    /// The mean, summed in an order that does not depend on the threads.
    fn mean_of(&self, rows: &Rows) -> (Vec<f64>, f64) {
        let dimension = rows.vectors.dimension();
        let numbers = rows.vectors.as_slice().par_chunks(CHUNK * dimension);
        let parts: Vec<(Vec<f64>, f64)> = numbers
            .zip(rows.squares.par_chunks(CHUNK))
            .map(|(numbers, squares)| {
                let (mut sums, mut extra) = (vec![0.0; dimension], 0.0);
                for (row, square) in numbers.chunks_exact(dimension).zip(squares) {
                    let divisor = self.divisor_of_row(*square);
                    for (sum, x) in sums.iter_mut().zip(row) {
                        *sum += f64::from(*x) / divisor;
                    }
                    extra += self.extra(*square);
                }
                (sums, extra)
            })
            .collect();
        let (mut sums, mut extra) = (vec![0.0; dimension], 0.0);
        for (part, part_extra) in parts {
            sums.iter_mut().zip(part).for_each(|(sum, x)| *sum += x);
            extra += part_extra;
        }
        let count = rows.len().max(1) as f64;
        sums.iter_mut().for_each(|sum| *sum /= count);
        (sums, extra / count)
    }

    fn divisor_of_row(&self, square: f64) -> f64 {
        match self.metric {
            Metric::Cosine if square != 0.0 => square.sqrt(),
            _ => 1.0,
        }
    }

    fn extra(&self, square: f64) -> f64 {
        match self.metric {
            Metric::Dot => MORE * (self.longest * self.longest - square).max(0.0).sqrt(),
            _ => 0.0,
        }
    }

    /// A row with its square; `numbers` is room to work in.
    pub(super) fn row(
        &self,
        row: &[f32],
        row_square: f64,
        numbers: &mut Vec<f64>,
        strips: &mut [Strip],
    ) -> Position {
        let divisor = self.divisor_of_row(row_square);
        let centred = row
            .iter()
            .zip(&self.mean)
            .map(|(x, mean)| (f64::from(*x) / divisor - mean) / self.divisor);
        numbers.clear();
        numbers.extend(centred);
        let extra = (self.extra(row_square) - self.mean_extra) / self.divisor;
        let norm: f64 = numbers.iter().map(|x| x * x).sum();
        let (scale, sum) = encode_all(numbers, strips);
        Position {
            scale,
            half: (0.5 * (norm + extra * extra)) as f32,
            extra: extra as f32,
            sum,
        }
    }

    /// A query; none where all rows score the same.
    pub(super) fn query(
        &self,
        query: &[f32],
        numbers: &mut Vec<f64>,
        strips: &mut [Strip],
    ) -> Option<Position> {
        let norm = square(query).sqrt();
        if norm == 0.0 && self.metric != Metric::Euclidean {
            return None;
        }
        numbers.clear();
        let numbers_of = query.iter().map(|x| f64::from(*x));
        let mut weight = 1.0;
        match self.metric {
            Metric::Dot => {
                weight = 0.0;
                numbers.extend(numbers_of.map(|x| x / norm));
            }
            Metric::Cosine => {
                let centred = numbers_of.zip(&self.mean);
                numbers.extend(centred.map(|(x, mean)| (x / norm - mean) / self.divisor));
            }
            Metric::Euclidean => {
                let centred = numbers_of.zip(&self.mean);
                numbers.extend(centred.map(|(x, mean)| (x - mean) / self.divisor));
                // Far away only the direction matters, and 32 bits hold it.
                let away = numbers.iter().map(|x| x * x).sum::<f64>().sqrt();
                if away > 1.0 {
                    weight = 1.0 / away;
                    numbers.iter_mut().for_each(|x| *x /= away);
                }
            }
        }
        let (scale, sum) = encode_all(numbers, strips);
        Some(Position {
            scale,
            half: weight as f32,
            extra: 0.0,
            sum,
        })
    }
}

/// Codes, with zeros behind, their scale and their sum.
fn encode_all(numbers: &[f64], strips: &mut [Strip]) -> (f32, i32) {
    let scale = scale(numbers);
    let mut sum = 0;
    for (numbers, strip) in numbers.chunks(STRIP).zip(strips) {
        strip.0 = [0; STRIP];
        for (x, code) in numbers.iter().zip(&mut strip.0) {
            *code = encode(*x, scale);
            sum += i32::from(*code);
        }
    }
    (scale, sum)
}
