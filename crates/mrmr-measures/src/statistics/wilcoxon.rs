//! Wilcoxon's signed-rank test.

use super::differences::Differences;
use super::normal;
use super::paired_test::{TestMethod, TestResult};

/// Up to so many differences without ties all assignments of signs are counted.
const EXACT: usize = 50;

/// Up to so many where there are ties.
const EXACT_WITH_TIES: usize = 13;

/// As `scipy.stats.wilcoxon(zero_method="wilcox", correction=True, method="auto")`.
pub(super) fn test(differences: &Differences) -> TestResult {
    let mut values: Vec<f64> = differences.non_zero().collect();
    values.sort_unstable_by(|a, b| a.abs().total_cmp(&b.abs()));
    let count = values.len();

    // Ranks are doubled: the mean rank of a tie is a half at times.
    let mut ranks: Vec<u64> = Vec::with_capacity(count);
    let (mut positive, mut cubes) = (0u64, 0.0f64);
    for tied in values.chunk_by(|a, b| b.abs() - a.abs() <= differences.tolerance()) {
        let rank = (2 * ranks.len() + tied.len() + 1) as u64;
        positive += rank * tied.iter().filter(|value| **value > 0.0).count() as u64;
        ranks.resize(ranks.len() + tied.len(), rank);
        let size = tied.len() as f64;
        cubes += size.powi(3) - size;
    }
    if count <= EXACT_WITH_TIES || (cubes == 0.0 && count <= EXACT) {
        return TestResult {
            p: exact(&ranks, positive),
            method: TestMethod::Exact,
        };
    }
    let n = count as f64;
    let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - cubes / 48.0;
    let distance = (positive as f64 / 2.0 - n * (n + 1.0) / 4.0).abs();
    let deviate = (distance - 0.5).max(0.0) / variance.sqrt();
    TestResult {
        p: 2.0 * normal::cdf(-deviate),
        method: TestMethod::Normal,
    }
}

/// Twice the share of assignments of signs whose sum of positive ranks is as low or as high.
fn exact(ranks: &[u64], positive: u64) -> f64 {
    let total: u64 = ranks.iter().sum();
    let lower = positive.min(total - positive) as usize;
    // How many assignments have each sum; at most 2^50, which is exact.
    let mut ways = vec![0.0f64; total as usize + 1];
    ways[0] = 1.0;
    for rank in ranks {
        for sum in (*rank as usize..ways.len()).rev() {
            ways[sum] += ways[sum - *rank as usize];
        }
    }
    let low: f64 = ways[..=lower].iter().sum();
    (2.0 * low / libm::ldexp(1.0, ranks.len() as i32)).min(1.0)
}
