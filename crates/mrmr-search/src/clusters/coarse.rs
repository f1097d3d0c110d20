//! Whole rows into clusters.

use mrmr_core::Result;
use rayon::prelude::*;

use super::SAMPLE;
use super::centroids::Centroids;
use super::groups::Groups;
use super::random::Random;
use crate::exact::codes::{Codes, divisor};
use crate::kernels::Kernels;
use crate::metric::{Metric, square};
use crate::rows::Rows;
use crate::vectors::Vectors;

/// How often the centroids move.
pub(crate) const ITERATIONS: usize = 10;

/// How rows are to be divided.
pub(crate) struct Coarse<'a> {
    pub(crate) rows: &'a Rows,
    /// Of all rows.
    pub(crate) codes: &'a Codes,
    /// At least 1, and no more than there are rows, or 1 where there are none.
    pub(crate) clusters: usize,
    pub(crate) seed: u64,
    pub(crate) kernels: Kernels,
}

impl Coarse<'_> {
    /// Centroids that a sample of the rows is divided by; `moved` is called after each round.
    ///
    /// At cosine similarity rows are divided by their norms, and so are centroids. Rows without a bound
    /// (see docs/exact-search.md) move none.
    pub(crate) fn train(&self, moved: impl Fn()) -> Result<Centroids> {
        let mut random = Random::new(self.seed);
        let rows = self.rows;
        let all = 0..rows.len() as u32;
        let usable = all.filter(|row| self.divisor(*row).is_some()).collect();
        let mut sample = random.sample(usable, self.clusters.saturating_mul(SAMPLE));
        let first = sample
            .iter()
            .copied()
            .take(self.clusters)
            .collect::<Vec<u32>>();
        sample.sort_unstable();
        let whole = sample.len() == rows.len();
        let gathered = (!whole).then(|| self.codes.gathered(&sample));
        let codes = gathered.as_ref().unwrap_or(self.codes);

        let dimension = rows.vectors.dimension();
        let mut numbers = vec![0.0f32; self.clusters * dimension];
        for (centroid, row) in numbers.chunks_exact_mut(dimension).zip(&first) {
            self.mean_into(&[*row], centroid);
        }
        let mut before = Vec::new();
        for _ in 0..ITERATIONS {
            let centroids = self.centroids(numbers.clone())?;
            let nearest = centroids.nearest(codes, sample.len(), self.kernels);
            if nearest == before {
                break;
            }
            let groups = Groups::new(self.clusters, &nearest);
            let places = numbers.par_chunks_exact_mut(dimension).enumerate();
            places.for_each(|(cluster, centroid)| {
                let members = groups.of(cluster).iter();
                let members: Vec<u32> = members.map(|member| sample[*member as usize]).collect();
                self.mean_into(&members, centroid);
            });
            for (empty, donor) in groups.donors() {
                let members = groups.of(donor);
                let row = sample[members[random.below(members.len())] as usize];
                let centroid = &mut numbers[empty * dimension..(empty + 1) * dimension];
                self.mean_into(&[row], centroid);
            }
            before = nearest;
            moved();
        }
        self.centroids(numbers)
    }

    fn centroids(&self, numbers: Vec<f32>) -> Result<Centroids> {
        centroids_of(self.rows, numbers, self.codes)
    }

    fn divisor(&self, row: u32) -> Option<f64> {
        divisor(self.rows.metric, self.rows.squares[row as usize])
    }

    /// The mean of some rows, at cosine similarity divided by its norm; as it was where there is none.
    fn mean_into(&self, members: &[u32], centroid: &mut [f32]) {
        let mut sums = vec![0.0f64; centroid.len()];
        for row in members {
            let factor = 1.0 / self.divisor(*row).unwrap_or(f64::INFINITY);
            for (sum, x) in sums.iter_mut().zip(self.rows.vectors.row(*row as usize)) {
                *sum += f64::from(*x) * factor;
            }
        }
        let mut divisor = members.len() as f64;
        if self.rows.metric == Metric::Cosine {
            let mean: Vec<f32> = sums.iter().map(|sum| (sum / divisor) as f32).collect();
            divisor *= square(&mean).sqrt();
        }
        if divisor > 0.0 {
            for (x, sum) in centroid.iter_mut().zip(sums) {
                *x = (sum / divisor) as f32;
            }
        }
    }
}

/// Centroids beside rows in codes.
pub(crate) fn centroids_of(rows: &Rows, numbers: Vec<f32>, codes: &Codes) -> Result<Centroids> {
    let vectors = Vectors::new(rows.vectors.dimension(), numbers)?;
    Ok(Centroids::new(rows.metric, vectors, &codes.mean))
}
