//! Every pair of many runs.

use mrmr_core::{Error, Result};

use super::{CompareOptions, Paired, refuse_counts};
use crate::evaluation::Evaluation;
use crate::mean::mean;
use crate::spec::MeasureSpec;
use crate::statistics::{Interval, mean_interval, tukey_hsd};

/// Each run against each.
#[derive(Clone, Debug, PartialEq)]
pub struct AllPairs {
    /// How; its test and correction have no part in it.
    pub options: CompareOptions,
    /// How many permutations were looked at.
    pub permutations: usize,
    /// The runs.
    pub runs: Vec<String>,
    /// The queries that were compared, and those that were not.
    pub paired: Paired,
    /// The measures.
    pub measures: Vec<MeasurePairs>,
}

/// One measure of each run against each.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasurePairs {
    /// The measure.
    pub spec: MeasureSpec,
    /// The means of the runs.
    pub means: Vec<f64>,
    /// Their intervals.
    pub intervals: Vec<Interval>,
    /// The p value of each pair, corrected for there being many: symmetric.
    pub p: Vec<Vec<f64>>,
}

impl MeasurePairs {
    /// Whether one run is better than another and the difference is shown.
    pub fn is_better(&self, run: usize, than: usize, alpha: f64) -> bool {
        self.p[run][than] < alpha && self.means[run] > self.means[than]
    }
}

/// Compares each run to each by the randomised Tukey HSD test: one family a measure.
///
/// # Errors
/// As [`compare`](super::compare).
pub fn compare_all_pairs(
    evaluations: &[&Evaluation],
    options: &CompareOptions,
    permutations: usize,
    seed: u64,
) -> Result<AllPairs> {
    let [first, _, ..] = evaluations else {
        return Err(Error::usage("a comparison needs two runs"));
    };
    let paired = Paired::new(evaluations, options.different_queries)?;
    let mut measures = Vec::new();
    for (at, measure) in first.measures.iter().enumerate() {
        refuse_counts(&measure.spec)?;
        let values: Vec<Vec<f64>> = evaluations
            .iter()
            .map(|evaluation| paired.values(evaluation, at))
            .collect();
        measures.push(MeasurePairs {
            spec: measure.spec.clone(),
            means: values.iter().map(|run| mean(run.iter().copied())).collect(),
            intervals: values
                .iter()
                .map(|run| mean_interval(run, &options.bootstrap))
                .collect(),
            p: tukey_hsd(&values, permutations, seed)?,
        });
    }
    Ok(AllPairs {
        options: *options,
        permutations,
        runs: evaluations.iter().map(|run| run.run.clone()).collect(),
        paired,
        measures,
    })
}
