//! Rows made to mislead a first pass, in every set of instructions, against all scores in 64 bits.

use super::index::ExactIndex;
use crate::index::Index;
use crate::kernels::Kernels;
use crate::metric::Metric;
use crate::top_k::{Neighbour, Precedence, TopK};
use crate::vectors::Vectors;

/// Numbers between -1 and 1 that look random and are the same everywhere.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f32 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 40) as f32 / (1 << 23) as f32 - 1.0
    }

    fn vectors(
        &mut self,
        rows: usize,
        dimension: usize,
        of: impl Fn(usize, usize, f32) -> f32,
    ) -> Vectors {
        let places = (0..rows).flat_map(|row| (0..dimension).map(move |column| (row, column)));
        let numbers = places.map(|(row, column)| of(row, column, self.next()));
        Vectors::new(dimension, numbers.collect()).unwrap()
    }
}

fn reference(metric: Metric, rows: &Vectors, query: &[f32], k: usize) -> Vec<Neighbour> {
    let mut top = TopK::new(k, &Precedence::Rows);
    for (row, vector) in rows.rows().enumerate() {
        top.offer(row as u32, metric.score(query, vector));
    }
    top.into_sorted()
}

fn check(rows: &Vectors, queries: &Vectors, ks: &[usize]) {
    for metric in Metric::ALL {
        let (mut index, _) = ExactIndex::builder(*metric, rows.clone()).build().unwrap();
        for k in ks {
            let expected: Vec<_> = queries
                .rows()
                .map(|query| reference(*metric, rows, query, *k))
                .collect();
            for (name, kernels) in Kernels::available() {
                index.kernels = kernels;
                for threads in [1, 3] {
                    let pool = rayon::ThreadPoolBuilder::new()
                        .num_threads(threads)
                        .build()
                        .unwrap();
                    for batch in [1, 5, queries.len().max(1)] {
                        let starts = (0..queries.len()).step_by(batch);
                        let batches = starts
                            .map(|first| queries.slice(first..queries.len().min(first + batch)));
                        let found: Vec<_> = batches
                            .flat_map(|batch| pool.install(|| index.search(&batch, *k).unwrap()))
                            .collect();
                        assert!(
                            found == expected,
                            "{metric}, k {k}, {name}, {threads} threads, batches of {batch}"
                        );
                    }
                }
            }
            // Without codes: the pass in 32 bits alone.
            let codes = index.codes.take();
            for (name, kernels) in Kernels::available() {
                index.kernels = kernels;
                assert!(
                    index.search(queries, *k).unwrap() == expected,
                    "{metric}, k {k}, {name}, 32 bits"
                );
            }
            index.codes = codes;
        }
    }
}

#[test]
fn a_few_columns_far_larger_than_the_others() {
    let mut noise = Noise(1);
    let outlier = |_, column, x| if column % 17 == 3 { x * 1000.0 } else { x };
    check(
        &noise.vectors(2000, 40, outlier),
        &noise.vectors(9, 40, outlier),
        &[1, 10, 300],
    );
}

#[test]
fn rows_that_differ_below_32_bits() {
    let mut noise = Noise(2);
    let near = |row: usize, column, x: f32| {
        let base = ((column * 37 % 19) as f32 - 9.0) / 7.0;
        let step = if row.is_multiple_of(3) { 0.0 } else { x * 1e-7 };
        base * (1.0 + step)
    };
    check(
        &noise.vectors(1500, 33, near),
        &noise.vectors(7, 33, near),
        &[1, 20],
    );
}

#[test]
fn rows_far_from_the_origin_and_stretched() {
    let mut noise = Noise(3);
    let stretched = |_, column: usize, x: f32| 100.0 + x / (1 + column * column) as f32;
    check(
        &noise.vectors(2000, 24, stretched),
        &noise.vectors(9, 24, stretched),
        &[1, 10],
    );
}

#[test]
fn rows_and_queries_of_huge_and_tiny_norms() {
    let mut noise = Noise(4);
    let sizes = [
        1.0, 1e-44, 1e-38, 1e-20, 1e-10, 1e-3, 1e6, 1e14, 1e17, 1e30, 3e38, 0.0,
    ];
    let sized = |row: usize, _, x: f32| x * sizes[row * 7 % sizes.len()];
    check(
        &noise.vectors(1200, 12, sized),
        &noise.vectors(24, 12, sized),
        &[1, 10, 400],
    );
    let tiny = |_, _, x: f32| x * 1e-41;
    check(
        &noise.vectors(300, 5, tiny),
        &noise.vectors(5, 5, tiny),
        &[3],
    );
}

#[test]
fn one_column_and_thousands() {
    let mut noise = Noise(5);
    let same = |_, _, x| x;
    check(
        &noise.vectors(700, 1, same),
        &noise.vectors(9, 1, same),
        &[1, 10],
    );
    check(
        &noise.vectors(70, 8192, same),
        &noise.vectors(3, 8192, same),
        &[1, 10],
    );
}

#[test]
fn rows_all_alike_and_few_of_them() {
    let mut noise = Noise(6);
    let alike = |_, column: usize, _| column as f32 - 2.5;
    let same = |_, _, x| x;
    check(
        &noise.vectors(900, 7, alike),
        &noise.vectors(5, 7, same),
        &[1, 10],
    );
    check(
        &noise.vectors(900, 7, alike),
        &noise.vectors(5, 7, alike),
        &[10],
    );
    for rows in [0, 1, 2, 15, 16, 17] {
        check(
            &noise.vectors(rows, 6, same),
            &noise.vectors(5, 6, same),
            &[1, 5, 1000],
        );
    }
    check(
        &noise.vectors(20, 6, same),
        &noise.vectors(0, 6, same),
        &[3],
    );
}

#[test]
fn a_query_equal_to_the_mean_and_the_zero_query() {
    let rows = Vectors::new(2, vec![1.0, 0.0, -1.0, 0.0, 0.0, 1.0, 0.0, -1.0]).unwrap();
    check(
        &rows,
        &Vectors::new(2, vec![0.0, 0.0, 1.0, 1.0]).unwrap(),
        &[1, 3],
    );
}

mod every_score {
    use super::super::coded_query::{CodedQuery, no_codes, no_dots};
    use super::super::codes::Codes;
    use crate::kernels::{Apart, Kernels, ROWS};
    use crate::metric::{Metric, square};
    use crate::vectors::Vectors;
    use proptest::prelude::*;

    proptest! {
        /// Bounds hold up to a summand and a factor, so differences of scores are compared.
        #[test]
        fn no_row_is_better_than_its_upper_bound_says(
            (dimension, rows, query) in (1usize..30).prop_flat_map(|dimension| (
                Just(dimension),
                prop::collection::vec(-1.0f32..1.0, dimension * ROWS),
                prop::collection::vec(-1.0f32..1.0, dimension),
            )),
            exponents in prop::collection::vec(-12i32..12, 3),
            offset in -3.0f32..3.0,
        ) {
            let column = |i: usize| 2f32.powi(exponents[i % dimension % 3]);
            let scaled = |(i, x): (usize, f32)| (x + offset) * column(i);
            let rows = rows.into_iter().enumerate().map(scaled).collect();
            let query: Vec<f32> = query.into_iter().enumerate().map(scaled).collect();
            let rows = Vectors::new(dimension, rows).unwrap();
            let squares: Vec<f64> = rows.rows().map(square).collect();
            for metric in Metric::ALL {
                let codes = Codes::new(*metric, &rows, &squares).unwrap();
                let mut coded = no_codes(&codes, 1);
                let Some(code) = CodedQuery::new(*metric, &query, &codes, &mut coded) else {
                    continue;
                };
                let mut dots = no_dots(1);
                (Kernels::detect().code_dots)(codes.lines(0), &coded, &mut dots);
                let bounds: Vec<(f64, f64)> =
                    (0..ROWS).map(|lane| code.around(&codes.bounds[0], codes.apart_rows(0), lane, dots[0][lane])).collect();
                let scores: Vec<f64> = rows.rows().map(|row| metric.score(&query, row)).collect();
                for (left, (_, upper)) in bounds.iter().enumerate() {
                    for (right, (lower, _)) in bounds.iter().enumerate() {
                        prop_assert!(upper >= lower || scores[left] < scores[right]);
                    }
                    let norm = square(&query).sqrt();
                    if *metric != Metric::Dot || norm == 0.0 {
                        continue;
                    }
                    // The bound in 32 bits does not lie below the score itself.
                    let mean = metric.score(&query, &codes.mean) / norm;
                    let threshold = scores[left] / norm - mean - 1e-13 * (mean.abs() + 1e-9);
                    for (name, kernels) in Kernels::available() {
                        let mut masks = [0];
                        let reach = [code.reach(threshold)];
                        let apart = Apart { rows: codes.apart_rows(0), queries: code.weights() };
                        (kernels.reaching)(&codes.bounds[0], apart, &reach, &dots, &mut masks);
                        prop_assert!(masks[0] >> left & 1 == 1, "{}", name);
                    }
                }
            }
        }
    }
}
