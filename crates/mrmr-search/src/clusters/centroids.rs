//! Centroids in the codes of the rows.

use rayon::prelude::*;

use crate::exact::codes::Codes;
use crate::kernels::{COLUMNS, Kernels, QueryCodes, ROWS};
use crate::metric::{Metric, square};
use crate::vectors::Vectors;

/// Centroids, and their codes less the mean of the rows.
pub(crate) struct Centroids {
    pub(crate) vectors: Vectors,
    pub(crate) codes: Codes,
}

impl Centroids {
    pub(crate) fn new(metric: Metric, vectors: Vectors, mean: &[f32]) -> Self {
        let squares: Vec<f64> = vectors.rows().map(square).collect();
        let codes = Codes::about(mean.to_vec(), metric, &vectors, &squares);
        Centroids { vectors, codes }
    }

    pub(crate) fn len(&self) -> usize {
        self.vectors.len()
    }

    /// For each row, by codes that are less the same mean, the nearest centroid; the first of equal ones.
    pub(crate) fn nearest(&self, rows: &Codes, count: usize, kernels: Kernels) -> Vec<u32> {
        let centroids = self.as_queries();
        let (scales, halves) = self.scales_and_halves();
        let mut nearest = vec![0; count];
        let groups = nearest.par_chunks_mut(ROWS).enumerate();
        groups.for_each_init(
            || vec![[0; ROWS]; self.len()],
            |dots, (group, nearest)| {
                (kernels.code_dots)(rows.lines(group), &centroids, dots);
                let row_scales = &rows.bounds[group].scale;
                let (mut best, mut numbers) = ([f32::NEG_INFINITY; ROWS], [0u32; ROWS]);
                for (number, ((dots, scale), half)) in
                    dots.iter().zip(&scales).zip(&halves).enumerate()
                {
                    for lane in 0..ROWS {
                        // <y, c> - |c|^2 / 2, largest where |y - c| is least.
                        let value = dots[lane] as f32 * row_scales[lane] * scale - half;
                        let better = value > best[lane];
                        best[lane] = if better { value } else { best[lane] };
                        numbers[lane] = if better { number as u32 } else { numbers[lane] };
                    }
                }
                nearest.copy_from_slice(&numbers[..nearest.len()]);
            },
        );
        nearest
    }

    /// The codes, centroid after centroid.
    fn as_queries(&self) -> QueryCodes {
        let words = self.codes.words;
        let mut queries = QueryCodes {
            words,
            codes: Vec::with_capacity(self.len() * words),
            sums: Vec::with_capacity(self.len()),
        };
        for number in 0..self.len() {
            let (lines, lane) = (self.codes.lines(number / ROWS), number % ROWS);
            let mut sum = 0;
            for line in lines {
                let codes: [i8; COLUMNS] = std::array::from_fn(|n| line.0[lane * COLUMNS + n]);
                sum += codes.iter().map(|code| i32::from(*code)).sum::<i32>();
                queries
                    .codes
                    .push(i32::from_ne_bytes(codes.map(|code| code as u8)));
            }
            queries.sums.push(sum);
        }
        queries
    }

    /// For each centroid the scale of its codes, and half its square.
    fn scales_and_halves(&self) -> (Vec<f32>, Vec<f32>) {
        let lanes = (0..self.len()).map(|number| {
            let bounds = &self.codes.bounds[number / ROWS];
            let length = bounds.length[number % ROWS];
            (bounds.scale[number % ROWS], length * length * 0.5)
        });
        lanes.unzip()
    }
}
