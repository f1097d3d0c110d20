//! What each segment of the columns is rounded to.

use std::ops::Range;

use rayon::prelude::*;

use crate::clusters::SAMPLE;
use crate::clusters::fine::Fine;
use crate::clusters::random::Random;
use crate::exact::codes::{divisor, mean};
use crate::kernels::segments::{BLOCK, Bytes, CENTROIDS, SegmentKernels};
use crate::rows::Rows;

/// The centroids of each segment, of rows less their mean; at cosine similarity rows are divided by their
/// norms first.
pub(super) struct Codebooks {
    pub(super) mean: Vec<f32>,
    pub(super) segments: Vec<Fine>,
}

impl Codebooks {
    /// The centroids, the codes of all rows, and the share of the variance that they lose.
    pub(super) fn train(
        rows: &Rows,
        segments: usize,
        seed: u64,
        kernels: SegmentKernels,
        advanced: impl Fn() + Sync,
    ) -> (Self, Vec<Bytes>, f64) {
        let mean = mean(rows.metric, &rows.vectors, &rows.squares);
        let factors = factors(rows);
        let usable = (0..rows.len() as u32).filter(|row| factors[*row as usize] != 0.0);
        let mut sample = Random::new(seed).sample(usable.collect(), CENTROIDS * SAMPLE);
        sample.sort_unstable();
        let dimension = rows.vectors.dimension();
        let trained = (0..segments).into_par_iter().map(|segment| {
            let columns = columns(dimension, segments, segment);
            let points = points(rows, &mean, &factors, &columns, sample.iter().copied());
            // Each segment draws from a place of its own.
            let seed = seed.wrapping_add((segment as u64).wrapping_mul(0xA076_1D64_78BD_642F));
            let fine = Fine::train(&points, columns.len(), seed, kernels);
            advanced();
            fine
        });
        let codebooks = Codebooks {
            segments: trained.collect(),
            mean,
        };
        let (codes, error) = codebooks.encode(rows, &factors, kernels);
        (codebooks, codes, error)
    }

    /// The codes, block after block of rows, segment after segment within each; the share that they lose.
    fn encode(&self, rows: &Rows, factors: &[f64], kernels: SegmentKernels) -> (Vec<Bytes>, f64) {
        let (dimension, segments) = (self.mean.len(), self.segments.len());
        let mut codes = vec![[0; BLOCK]; rows.len().div_ceil(BLOCK) * segments];
        let blocks = codes.par_chunks_exact_mut(segments).enumerate();
        let parts: Vec<(f64, f64)> = blocks
            .map(|(block, codes)| {
                let first = block * BLOCK;
                let inside = first as u32..rows.len().min(first + BLOCK) as u32;
                let (mut lost, mut all) = (0.0, 0.0);
                for (segment, (fine, codes)) in self.segments.iter().zip(codes).enumerate() {
                    let columns = columns(dimension, segments, segment);
                    let points = points(rows, &self.mean, factors, &columns, inside.clone());
                    let codes = &mut codes[..inside.len()];
                    (kernels.nearest)(&fine.nearest_first(), &points, codes);
                    for (point, code) in points.chunks_exact(columns.len()).zip(codes) {
                        for (x, column) in point.iter().zip(&fine.columns) {
                            let rest = f64::from(*x) - f64::from(column[usize::from(*code)]);
                            lost += rest * rest;
                            all += f64::from(*x) * f64::from(*x);
                        }
                    }
                }
                (lost, all)
            })
            .collect();
        let lost: f64 = parts.iter().map(|part| part.0).sum();
        let all: f64 = parts.iter().map(|part| part.1).sum();
        (codes, if all > 0.0 { lost / all } else { 0.0 })
    }

    pub(super) fn columns(&self, segment: usize) -> Range<usize> {
        columns(self.mean.len(), self.segments.len(), segment)
    }
}

/// The columns of a segment: the first segments are longer where the dimension is no multiple.
pub(super) fn columns(dimension: usize, segments: usize, segment: usize) -> Range<usize> {
    let (width, longer) = (dimension / segments, dimension % segments);
    let start = segment * width + segment.min(longer);
    start..start + width + usize::from(segment < longer)
}

/// For each row what it is multiplied by; 0 where it has no code.
fn factors(rows: &Rows) -> Vec<f64> {
    let factor = |square| divisor(rows.metric, square).map_or(0.0, |divisor| 1.0 / divisor);
    rows.squares.iter().map(|square| factor(*square)).collect()
}

/// Some columns of some rows less the mean; 0 where a row has no code.
fn points(
    rows: &Rows,
    mean: &[f32],
    factors: &[f64],
    columns: &Range<usize>,
    numbers: impl ExactSizeIterator<Item = u32>,
) -> Vec<f32> {
    let mut points = Vec::with_capacity(numbers.len() * columns.len());
    for row in numbers {
        let factor = factors[row as usize];
        let vector = &rows.vectors.row(row as usize)[columns.clone()];
        let centred = vector
            .iter()
            .zip(&mean[columns.clone()])
            .map(|(x, mean)| match factor {
                0.0 => 0.0,
                factor => (f64::from(*x) * factor - f64::from(*mean)) as f32,
            });
        points.extend(centred);
    }
    points
}

#[cfg(test)]
mod tests {
    use super::columns;

    #[test]
    fn the_first_segments_take_the_columns_that_are_left_over() {
        let all: Vec<_> = (0..3).map(|segment| columns(11, 3, segment)).collect();
        assert_eq!(all, [0..4, 4..8, 8..11]);
    }
}
