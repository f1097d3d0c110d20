//! Two runs by one measure over the same queries.

use mrmr_core::Result;

use super::bootstrap::Bootstrap;
use super::correction::Correction;
use super::differences::Differences;
use super::interval::{Interval, mean_interval};
use super::paired_test::{PairedTest, TestMethod};
use crate::mean::mean;

/// What two runs differ in by one measure, query by query.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// How many queries both have a value for.
    pub queries: usize,
    /// The mean of the baseline.
    pub baseline_mean: f64,
    /// The mean of the run.
    pub mean: f64,
    /// The mean of the differences, run minus baseline; exactly 0 where all are.
    pub difference: f64,
    /// The interval of the difference.
    pub interval: Interval,
    /// The test.
    pub test: PairedTest,
    /// How the test found its p value.
    pub method: TestMethod,
    /// The two-sided p value.
    pub p: f64,
    /// The p value after the correction; equal to `p` until [`Correction::apply`].
    pub adjusted_p: f64,
    /// The correction of `adjusted_p`.
    pub correction: Correction,
    /// Cohen's d_z: the difference by the standard deviation (n - 1) of the differences. None for
    /// fewer than two queries, and where all differences are equal but not 0.
    pub effect_size: Option<f64>,
    /// Queries on which the run has the larger value.
    pub wins: usize,
    /// Queries on which both have the same value.
    pub ties: usize,
    /// Queries on which the baseline has the larger value.
    pub losses: usize,
}

impl Comparison {
    /// Compares values of the same queries in the same order, `run` against `baseline`.
    ///
    /// ```
    /// use mrmr_measures::statistics::{Bootstrap, Comparison, PairedTest};
    /// let values = [0.25, 0.5, 1.0];
    /// let same = Comparison::new(&values, &values, PairedTest::default(), &Bootstrap::default())?;
    /// assert_eq!((same.p, same.difference), (1.0, 0.0));
    /// # Ok::<(), mrmr_core::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Where the lengths differ or are 0, a value is not finite, `bootstrap` does not pass
    /// [`Bootstrap::check`], or there is no permutation.
    pub fn new(
        baseline: &[f64],
        run: &[f64],
        test: PairedTest,
        bootstrap: &Bootstrap,
    ) -> Result<Comparison> {
        bootstrap.check()?;
        test.check()?;
        let differences = Differences::new(baseline, run)?;
        let result = test.run(&differences);
        let (wins, losses) = differences.signs();
        Ok(Comparison {
            queries: baseline.len(),
            baseline_mean: mean(baseline.iter().copied()),
            mean: mean(run.iter().copied()),
            difference: differences.mean(),
            interval: mean_interval(differences.values(), bootstrap),
            test,
            method: result.method,
            p: result.p,
            adjusted_p: result.p,
            correction: Correction::None,
            effect_size: differences.effect_size(),
            wins,
            ties: baseline.len() - wins - losses,
            losses,
        })
    }

    /// Whether the corrected p value is below `alpha`.
    pub fn is_significant(&self, alpha: f64) -> bool {
        self.adjusted_p < alpha
    }
}
