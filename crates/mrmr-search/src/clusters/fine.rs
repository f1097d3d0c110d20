//! The 256 points that a few columns of the rows are rounded to.

use super::groups::Groups;
use super::random::Random;
use crate::kernels::segments::{CENTROIDS, Codebook, SegmentKernels};

/// How often the centroids move.
const ITERATIONS: usize = 10;

/// Centroids of a few columns, in the order in which they are compared: column after column.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fine {
    pub(crate) columns: Vec<[f32; CENTROIDS]>,
    halves: [f32; CENTROIDS],
}

impl Fine {
    pub(crate) fn new(columns: Vec<[f32; CENTROIDS]>) -> Self {
        let mut halves = [0.0f32; CENTROIDS];
        for column in &columns {
            for (half, x) in halves.iter_mut().zip(column) {
                *half += x * x * 0.5;
            }
        }
        Fine { columns, halves }
    }

    /// Centroids for points, which have `width` numbers each.
    pub(crate) fn train(points: &[f32], width: usize, seed: u64, kernels: SegmentKernels) -> Self {
        let mut random = Random::new(seed);
        let count = points.len() / width;
        let first = random.sample((0..count as u32).collect(), CENTROIDS);
        let mut columns = vec![[0.0f32; CENTROIDS]; width];
        for (number, point) in first.iter().enumerate() {
            set(&mut columns, number, point_of(points, width, *point));
        }
        let mut before = Vec::new();
        let mut nearest = vec![0u8; count];
        for _ in 0..ITERATIONS {
            let fine = Fine::new(columns.clone());
            (kernels.nearest)(&fine.nearest_first(), points, &mut nearest);
            if nearest == before {
                break;
            }
            let mut sums = vec![0.0f64; CENTROIDS * width];
            let mut counts = [0u32; CENTROIDS];
            for (point, number) in points.chunks_exact(width).zip(&nearest) {
                let number = usize::from(*number);
                counts[number] += 1;
                let sums = &mut sums[number * width..(number + 1) * width];
                sums.iter_mut()
                    .zip(point)
                    .for_each(|(sum, x)| *sum += f64::from(*x));
            }
            for number in (0..CENTROIDS).filter(|number| counts[*number] > 0) {
                for (column, sum) in columns.iter_mut().zip(&sums[number * width..]) {
                    column[number] = (sum / f64::from(counts[number])) as f32;
                }
            }
            if counts.contains(&0) {
                let cluster_of: Vec<u32> = nearest.iter().map(|n| u32::from(*n)).collect();
                let groups = Groups::new(CENTROIDS, &cluster_of);
                for (empty, donor) in groups.donors() {
                    let members = groups.of(donor);
                    let point = members[random.below(members.len())];
                    set(&mut columns, empty, point_of(points, width, point));
                }
            }
            before.clone_from(&nearest);
        }
        Fine::new(columns)
    }

    /// To find the nearest centroid of a point, or Euclidean values.
    pub(crate) fn nearest_first(&self) -> Codebook<'_> {
        Codebook {
            columns: &self.columns,
            halves: &self.halves,
        }
    }

    /// For dot products.
    pub(crate) fn largest_first(&self) -> Codebook<'_> {
        Codebook {
            columns: &self.columns,
            halves: &[0.0; CENTROIDS],
        }
    }
}

fn point_of(points: &[f32], width: usize, number: u32) -> &[f32] {
    &points[number as usize * width..][..width]
}

fn set(columns: &mut [[f32; CENTROIDS]], number: usize, point: &[f32]) {
    for (column, x) in columns.iter_mut().zip(point) {
        column[number] = *x;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_points_as_centroids_are_their_own_and_equal_points_do_no_harm() {
        let kernels = SegmentKernels::detect();
        let points: Vec<f32> = (0..512).map(|n| (n / 2) as f32).collect();
        let fine = Fine::train(&points[..], 1, 3, kernels);
        let mut nearest = vec![0; 512];
        (kernels.nearest)(&fine.nearest_first(), &points, &mut nearest);
        let error: f32 = points
            .iter()
            .zip(&nearest)
            .map(|(x, n)| (x - fine.columns[0][usize::from(*n)]).abs())
            .sum();
        assert!(error < 64.0, "{error}");

        let alike = Fine::train(&[2.5; 900], 3, 3, kernels);
        assert!(alike.columns.iter().all(|column| column.contains(&2.5)));
        assert_eq!(
            Fine::train(&[], 2, 0, kernels).columns,
            vec![[0.0; CENTROIDS]; 2]
        );
    }
}
