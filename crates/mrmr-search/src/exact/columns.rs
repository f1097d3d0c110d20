//! What the columns of the rows are like, and which are too large to be coded with the others.

use rayon::prelude::*;

use crate::metric::Metric;
use crate::vectors::Vectors;

/// Rows whose sums are found together.
const CHUNK: usize = 4096;
/// The most columns apart: so few that a bound has few roundings, see docs/exact-search.md.
pub(super) const MOST_APART: usize = 16;
/// How many times the mean square of the others that of a column apart is.
const FAR: f64 = 16.0;

pub(super) struct Columns {
    /// Any numbers near the mean are right.
    pub(super) mean: Vec<f32>,
    pub(super) variances: Vec<f64>,
}

impl Columns {
    /// Of the rows that have a divisor, each divided by it; summed in an order that does not depend on the threads.
    pub(super) fn of(vectors: &Vectors, divisor: impl Fn(usize) -> Option<f64> + Sync) -> Self {
        let dimension = vectors.dimension();
        let parts: Vec<(Vec<[f64; 2]>, usize)> = vectors
            .as_slice()
            .par_chunks(CHUNK * dimension)
            .enumerate()
            .map(|(chunk, numbers)| {
                let (mut sums, mut rows) = (vec![[0.0; 2]; dimension], 0);
                for (row, numbers) in numbers.chunks_exact(dimension).enumerate() {
                    if let Some(divisor) = divisor(chunk * CHUNK + row) {
                        rows += 1;
                        for ([sum, squares], x) in sums.iter_mut().zip(numbers) {
                            let x = f64::from(*x) / divisor;
                            *sum += x;
                            *squares += x * x;
                        }
                    }
                }
                (sums, rows)
            })
            .collect();
        let rows = parts.iter().map(|part| part.1).sum::<usize>().max(1) as f64;
        let mut sums = vec![[0.0; 2]; dimension];
        for (part, _) in parts {
            for (all, of_part) in sums.iter_mut().zip(part) {
                all[0] += of_part[0];
                all[1] += of_part[1];
            }
        }
        let variance = |[sum, squares]: &[f64; 2]| (squares / rows - (sum / rows).powi(2)).max(0.0);
        Columns {
            mean: sums.iter().map(|[sum, _]| (sum / rows) as f32).collect(),
            variances: sums.iter().map(variance).collect(),
        }
    }
}

/// Columns so much larger than the others, in the rows or in queries that are like the rows, that one scale for all
/// would leave the others few codes.
pub(super) fn far(metric: Metric, mean: &[f32], variances: &[f64]) -> Vec<usize> {
    let of_queries = variances
        .iter()
        .zip(mean)
        .map(|(variance, mean)| match metric {
            // Queries are centred too.
            Metric::Euclidean => *variance,
            _ => variance + f64::from(*mean).powi(2),
        });
    let of_queries: Vec<f64> = of_queries.collect();
    let mut apart = Vec::new();
    let mut sums = [variances, &of_queries].map(|squares| squares.iter().sum::<f64>());
    while apart.len() < MOST_APART.min(mean.len()) {
        let size = |column: &usize| {
            let shares = [variances[*column] / sums[0], of_queries[*column] / sums[1]];
            // Where there is nothing, nothing is large.
            shares
                .into_iter()
                .filter(|share| share.is_finite())
                .fold(0.0, f64::max)
        };
        let left = (0..mean.len()).filter(|column| !apart.contains(column));
        let Some(largest) = left.max_by(|a, b| size(a).total_cmp(&size(b))) else {
            break;
        };
        if size(&largest) * (mean.len() - apart.len()) as f64 <= FAR {
            break;
        }
        apart.push(largest);
        // Summed anew: a difference would keep the roundings of the large one.
        let rest = |squares: &[f64]| {
            let columns = squares.iter().enumerate();
            columns
                .filter(|(column, _)| !apart.contains(column))
                .map(|(_, square)| square)
                .sum()
        };
        sums = [rest(variances), rest(&of_queries)];
    }
    apart.sort_unstable();
    apart
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_far_larger_than_the_others_are_apart() {
        let mut variances = vec![1.0; 40];
        let mut mean = vec![0.0; 40];
        assert!(far(Metric::Dot, &mean, &variances).is_empty());
        variances[7] = 1e4;
        variances[30] = 100.0;
        mean[3] = 9.0;
        assert_eq!(far(Metric::Dot, &mean, &variances), [3, 7, 30]);
        assert_eq!(far(Metric::Euclidean, &mean, &variances), [7, 30]);
        assert!(far(Metric::Cosine, &[0.0; 40], &[0.0; 40]).is_empty());
    }
}
