//! Every pair of many runs.

use mrmr_core::{Error, Result};
use rayon::prelude::*;

use super::exact_sum::Scale;
use super::random::Random;

/// Permutations of a block; each block has its own stream of random numbers.
const BLOCK: usize = 256;

/// The randomised Tukey HSD test: p values of all pairs of runs, corrected for there being many.
///
/// `values` holds the values of each run, all of the same queries in the same order. A permutation
/// shuffles the values of each query among the runs; p = (b + 1) / (B + 1), where b counts the
/// permutations whose largest mean is as far from the smallest as the two means of the pair are.
/// The matrix is symmetric, with 1 on its diagonal. It takes about runs x queries x permutations
/// x 2 ns; 10,000 permutations are usual.
///
/// ```
/// use mrmr_measures::statistics::{SEED, tukey_hsd};
/// let weak = vec![0.1, 0.2, 0.0, 0.3, 0.2, 0.1, 0.2, 0.3];
/// let strong = vec![0.6, 0.8, 0.9, 0.7, 0.7, 0.8, 0.6, 0.9];
/// let p = tukey_hsd(&[weak.clone(), strong, weak], 1000, SEED)?;
/// assert!(p[0][1] < 0.01 && p[0][2] == 1.0);
/// # Ok::<(), mrmr_core::Error>(())
/// ```
///
/// Sources: Carterette 2012, *Multiple testing in statistical analysis of systems-based
/// information retrieval experiments*; Sakai 2018, *Laboratory experiments in information
/// retrieval*.
///
/// # Errors
///
/// Where the runs have different numbers of queries, a value is not finite, or there is no
/// permutation.
pub fn tukey_hsd(values: &[Vec<f64>], permutations: usize, seed: u64) -> Result<Vec<Vec<f64>>> {
    let queries = values.first().map_or(0, Vec::len);
    if let Some(other) = values.iter().find(|run| run.len() != queries) {
        return Err(Error::data(format!(
            "runs are compared on the same queries, but one has {queries} and one {}",
            other.len()
        )));
    }
    if permutations == 0 {
        return Err(Error::usage("a test needs at least one permutation"));
    }
    if let Some(value) = values.iter().flatten().find(|value| !value.is_finite()) {
        return Err(Error::data(format!(
            "values are compared where they are finite, and one is {value}"
        )));
    }
    if values.is_empty() {
        return Ok(Vec::new());
    }
    let largest = values
        .iter()
        .flatten()
        .fold(0.0f64, |most, value| most.max(value.abs()));
    let scale = Scale::new(largest, queries);
    let whole: Vec<Vec<i64>> = values
        .iter()
        .map(|run| run.iter().map(|value| scale.whole(*value)).collect())
        .collect();

    let ranges = ranges(&rows(&whole, queries), values.len(), permutations, seed);
    let totals: Vec<i64> = whole.iter().map(|run| run.iter().sum()).collect();
    let p = |one: i64, other: i64| {
        let distance = (one - other).abs() - 2 * scale.tolerance();
        let extreme = permutations - ranges.partition_point(|range| *range < distance);
        (extreme + 1) as f64 / (permutations + 1) as f64
    };
    Ok(totals
        .iter()
        .map(|one| totals.iter().map(|other| p(*one, *other)).collect())
        .collect())
}

/// The values of each query that has different ones, in an order that no run or query number has
/// a part in.
fn rows(whole: &[Vec<i64>], queries: usize) -> Vec<i64> {
    let mut rows: Vec<Vec<i64>> = (0..queries)
        .map(|query| {
            let mut row: Vec<i64> = whole.iter().map(|run| run[query]).collect();
            row.sort_unstable();
            row
        })
        .filter(|row| row.first() != row.last())
        .collect();
    rows.sort_unstable();
    rows.concat()
}

/// The distance of the largest from the smallest sum in each permutation, ascending.
fn ranges(rows: &[i64], runs: usize, permutations: usize, seed: u64) -> Vec<i64> {
    let mut ranges = vec![0i64; permutations];
    ranges
        .par_chunks_mut(BLOCK)
        .enumerate()
        .for_each(|(block, ranges)| {
            let mut random = Random::new(seed, block as u64);
            let (mut row, mut sums) = (vec![0; runs], vec![0; runs]);
            for range in ranges {
                sums.fill(0);
                for values in rows.chunks_exact(runs) {
                    row.copy_from_slice(values);
                    random.shuffle(&mut row);
                    for (sum, value) in sums.iter_mut().zip(&row) {
                        *sum += value;
                    }
                }
                let most = sums.iter().max().copied().unwrap_or(0);
                *range = most - sums.iter().min().copied().unwrap_or(0);
            }
        });
    ranges.sort_unstable();
    ranges
}
