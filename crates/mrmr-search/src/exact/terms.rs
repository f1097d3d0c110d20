//! Every term of the bounds is needed: vectors made so that one term alone carries a bound, which breaks once that term
//! is made a little smaller. A term that no vectors here can break has no part in this file: see docs/exact-search.md.

use super::bound::{Bound, unit};
use super::coded_query::{CodedQuery, no_codes, no_dots};
use super::codes::Codes;
use crate::kernels::{Apart, Kernels, ROWS, RowBounds};
use crate::metric::{Metric, square};
use crate::vectors::Vectors;

const DIMENSION: usize = 64;

struct Case {
    metric: Metric,
    rows: Vectors,
    query: Vec<f32>,
}

type Change = fn(&mut RowBounds, &mut CodedQuery);

impl Case {
    /// Rows and their opposites: the mean is 0.
    fn centred(metric: Metric, rows: Vec<Vec<f32>>, query: Vec<f32>) -> Self {
        let opposites = rows.iter().map(|row| row.iter().map(|x| -x).collect());
        let all: Vec<Vec<f32>> = opposites.chain(rows.iter().cloned()).collect();
        Case {
            metric,
            rows: Vectors::new(query.len(), all.concat()).unwrap(),
            query,
        }
    }

    /// Whether the bounds of all rows hold, in 64 bits and in 32, after a change to their terms.
    fn holds(&self, change: Change) -> bool {
        let squares: Vec<f64> = self.rows.rows().map(square).collect();
        let codes = Codes::new(self.metric, &self.rows, &squares).unwrap();
        let mut coded = no_codes(&codes, 1);
        let mut query = CodedQuery::new(self.metric, &self.query, &codes, &mut coded).unwrap();
        let mut all_hold = true;
        let mut changed = codes.bounds.clone();
        let unchanged = query.clone();
        for bounds in &mut changed {
            query = unchanged.clone();
            change(bounds, &mut query);
        }
        for (group, bounds) in changed.iter().enumerate() {
            let mut dots = no_dots(1);
            (Kernels::detect().code_dots)(codes.lines(group), &coded, &mut dots);
            let apart = Apart {
                rows: codes.apart_rows(group),
                queries: query.weights(),
            };
            for lane in 0..ROWS.min(self.rows.len() - group * ROWS) {
                let value = self.value(&codes.mean, group * ROWS + lane);
                let (lower, upper) = query.around(bounds, apart.rows, lane, dots[0][lane]);
                all_hold &= lower <= value && value <= upper;
                for (_, kernels) in Kernels::available() {
                    let mut masks = [0];
                    (kernels.reaching)(bounds, apart, &[query.reach(value)], &dots, &mut masks);
                    all_hold &= masks[0] >> lane & 1 == 1;
                }
            }
        }
        all_hold
    }

    /// What is bounded, from the vectors as they are.
    fn value(&self, mean: &[f32], row: usize) -> f64 {
        let row = self.rows.row(row);
        let norm = square(row).sqrt();
        let (mut dot, mut query_square, mut row_square) = (0.0, 0.0, 0.0);
        for ((x, q), m) in row.iter().zip(&self.query).zip(mean) {
            let (x, q, m) = (f64::from(*x), f64::from(*q), f64::from(*m));
            let (y, t) = match self.metric {
                Metric::Cosine => (x / norm, q),
                Metric::Dot => (x, q),
                Metric::Euclidean => (x, q - m),
            };
            let c = y - m;
            dot += t * c;
            query_square += t * t;
            row_square += c * c;
        }
        let length = query_square.sqrt();
        match self.metric {
            Metric::Euclidean => dot / length - row_square / (2.0 * length),
            _ => dot / length,
        }
    }

    /// Holds as it is, and no longer after the change.
    fn breaks(&self, change: Change) -> bool {
        assert!(self.holds(|_, _| {}), "{} as it is", self.metric);
        !self.holds(change)
    }
}

/// 1 or -1, without pattern.
fn sign(column: usize) -> f32 {
    if column * 37 % 11 < 5 { 1.0 } else { -1.0 }
}

/// What has codes of this size, off by the same part of a step in the same direction but for the first column, which
/// has the largest code.
fn off(code: f32, part: f32) -> Vec<f32> {
    let columns = (0..DIMENSION).map(|column| match column {
        0 => 127.0 * sign(0),
        _ => (code + part) * sign(column),
    });
    columns.collect()
}

/// What its codes hold.
fn whole() -> Vec<f32> {
    (0..DIMENSION).map(|column| 127.0 * sign(column)).collect()
}

#[test]
fn what_codes_lose_of_rows_all_in_the_direction_of_the_query() {
    for metric in [Metric::Dot, Metric::Euclidean] {
        let rows = vec![off(40.0, 0.45), off(90.0, -0.45)];
        let case = Case::centred(metric, rows, whole());
        assert!(case.breaks(|rows, _| rows.residual = rows.residual.map(|x| x * 0.97)));
        assert!(case.breaks(|_, query| query.reach.residual *= 0.97));
    }
}

#[test]
fn what_codes_lose_of_a_query_all_in_the_direction_of_a_row() {
    for metric in [Metric::Dot, Metric::Euclidean] {
        let case = Case::centred(metric, vec![whole()], off(40.0, 0.45));
        assert!(case.breaks(|rows, _| rows.length = rows.length.map(|x| x * 0.97)));
        assert!(case.breaks(|_, query| query.reach.length *= 0.97));
    }
}

#[test]
fn at_cosine_similarity_rows_are_divided_first() {
    let case = Case::centred(Metric::Cosine, vec![off(40.0, 0.45)], whole());
    assert!(case.breaks(|rows, _| rows.residual = rows.residual.map(|x| x * 0.97)));
    let case = Case::centred(Metric::Cosine, vec![whole()], off(40.0, 0.45));
    assert!(case.breaks(|rows, _| rows.length = rows.length.map(|x| x * 0.97)));
}

#[test]
fn squares_of_rows_at_euclidean_distance() {
    let case = Case::centred(Metric::Euclidean, vec![whole()], whole());
    assert!(case.breaks(|_, query| query.reach.square *= 1.001));
    assert!(case.breaks(|_, query| query.square *= 0.999));
    assert!(case.breaks(|rows, _| rows.square = rows.square.map(|x| x * 1.001)));
}

#[test]
fn roundings_in_32_bits_of_the_products_of_codes() {
    // Queries whose scale 32 bits hold nearly, so that their own error hides nothing.
    let query = |small: usize| -> Vec<f32> {
        let columns = (0..DIMENSION).map(|column| match column < small {
            true => 63.0 * 128.0,
            false => 127.0 * 128.0 * sign(column),
        });
        columns.collect()
    };
    let lost = |small: &usize| {
        let norm = square(&query(*small)).sqrt();
        (f64::from((128.0 / norm) as f32) * norm / 128.0 - 1.0).abs()
    };
    let best = (0..DIMENSION)
        .min_by(|a, b| lost(a).total_cmp(&lost(b)))
        .unwrap();
    assert!(lost(&best) < 1e-9);
    // Among them rows where the two terms of the distance are nearly equal: then the threshold has no roundings to hide
    // theirs.
    let rows = (1..255).map(|row| {
        let columns = (0..DIMENSION).map(|column| (row * 127) as f32 * sign(column));
        columns.collect()
    });
    let case = Case::centred(Metric::Euclidean, rows.collect(), query(best));
    // Much more is allowed than is lost here: without any of it the bound breaks.
    assert!(case.breaks(|rows, query| {
        rows.residual = [0.0; ROWS];
        query.reach.length *= 0.001;
        query.reach.whole = 0.0;
        query.reach.square *= 1.0 + 64.0 / (1 << 24) as f32;
    }));
}

#[test]
fn roundings_in_32_bits_of_the_columns_apart() {
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1664525).wrapping_add(1013904223);
        (state >> 8) as f32 / (1 << 23) as f32 - 1.0
    };
    let mut row = || -> Vec<f32> {
        let columns = (0..DIMENSION)
            .map(|column| next() * if column == 5 || column == 9 { 1e5 } else { 1.0 });
        columns.collect()
    };
    let rows = (0..100).map(|_| row()).collect();
    let mut query = vec![0.0; DIMENSION];
    (query[5], query[6], query[9]) = (1e9, 1.0, 7e8);
    let case = Case::centred(Metric::Dot, rows, query);
    assert!(case.breaks(|_, query| query.reach.whole = 0.0));
}

#[test]
fn roundings_of_a_sum_in_32_bits_that_all_go_one_way() {
    // In each of 8 lanes 1, and then what is too small to be added to it.
    let dimension = 8 * 256;
    let root = 8f64.sqrt();
    let small = (2f64.powi(-24) * 0.999).sqrt();
    let of = |first: f64, others: f64| -> Vec<f32> {
        let columns = (0..dimension).map(|column| if column < 8 { first } else { others } as f32);
        columns.collect()
    };
    let (query, row) = (
        of(1.0 / root, small / root),
        of(root * 1.0001, small * root),
    );
    let (unit, norm) = unit(&query);
    let (_, portable) = Kernels::available().last().unwrap();
    let mut dots = [[0.0; ROWS]];
    (portable.float_dots)(&[&unit], &row, &mut dots);
    let score = Metric::Cosine.score(&query, &row);
    let holds = |part: f64| {
        let mut bound = Bound::new(Metric::Cosine, dimension, &[square(&row)]);
        bound.beta *= part;
        bound.around(norm, 0, dots[0][0]).1 >= score
    };
    assert!(holds(1.0));
    assert!(!holds(0.94));
}
