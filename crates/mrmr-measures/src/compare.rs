//! Runs against a reference, or each against each, over the same queries.

mod all_pairs;
mod pairing;

use mrmr_core::{Error, Result};

use crate::definition::Aggregate;
use crate::evaluation::Evaluation;
use crate::gate::GateOutcome;
use crate::mean::{mean, sum};
use crate::spec::MeasureSpec;
use crate::statistics::{
    Bootstrap, Comparison, Correction, Interval, PairedTest, Power, Subject, mean_interval,
};

pub use all_pairs::{AllPairs, MeasurePairs, compare_all_pairs};
pub use pairing::{DifferentQueries, Paired};

/// How runs are compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CompareOptions {
    /// The test of a difference.
    pub test: PairedTest,
    /// The correction of the p values of all measures and runs together.
    pub correction: Correction,
    /// The corrected p value under which a difference is shown.
    pub alpha: f64,
    /// The chance with which the smallest difference that could be shown would be.
    pub power: f64,
    /// The intervals.
    pub bootstrap: Bootstrap,
    /// What to do where the runs answer different queries.
    pub different_queries: DifferentQueries,
}

impl Default for CompareOptions {
    fn default() -> Self {
        let Power { alpha, power } = Power::default();
        CompareOptions {
            test: PairedTest::default(),
            correction: Correction::default(),
            alpha,
            power,
            bootstrap: Bootstrap::default(),
            different_queries: DifferentQueries::default(),
        }
    }
}

/// Runs compared to a reference.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// How.
    pub options: CompareOptions,
    /// The reference's name.
    pub reference: String,
    /// The other runs, in the order in which they were given.
    pub runs: Vec<String>,
    /// The queries that were compared, and those that were not.
    pub paired: Paired,
    /// The measures, in the order in which they were asked for.
    pub measures: Vec<ComparedMeasure>,
}

/// One measure of all runs.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedMeasure {
    /// The measure.
    pub spec: MeasureSpec,
    /// The mean of the reference.
    pub reference: f64,
    /// Its interval.
    pub interval: Interval,
    /// Each run of [`Compared::runs`] against the reference.
    pub pairs: Vec<ComparedPair>,
}

/// One measure of a run against the reference.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedPair {
    /// The run's mean, the difference, its interval, p values, effect size, wins and losses.
    pub comparison: Comparison,
    /// The interval of the run's mean.
    pub interval: Interval,
    /// The smallest true difference that these queries would show with the power asked for, were there
    /// one test alone; none where all differences by query are equal.
    pub detectable: Option<f64>,
    /// What it comes to, as a sentence.
    pub verdict: String,
}

impl ComparedPair {
    /// Whether the run is better and the difference is shown.
    pub fn is_better(&self, alpha: f64) -> bool {
        self.comparison.is_significant(alpha) && self.comparison.difference > 0.0
    }

    /// Whether the run is worse and the difference is shown.
    pub fn is_worse(&self, alpha: f64) -> bool {
        self.comparison.is_significant(alpha) && self.comparison.difference < 0.0
    }
}

/// Compares runs to one of them.
///
/// All p values are corrected together: one family of measures times runs.
///
/// # Errors
/// If there are fewer than two runs, the reference is not among them, a measure is a count, the runs
/// answer different queries and the options forbid it, or no query is left.
pub fn compare(
    evaluations: &[&Evaluation],
    reference: usize,
    options: &CompareOptions,
) -> Result<Compared> {
    let base = *evaluations
        .get(reference)
        .filter(|_| evaluations.len() > 1)
        .ok_or_else(|| Error::usage("a comparison needs a reference and another run"))?;
    let paired = Paired::new(evaluations, options.different_queries)?;
    let others: Vec<&Evaluation> = evaluations
        .iter()
        .enumerate()
        .filter(|(at, _)| *at != reference)
        .map(|(_, evaluation)| *evaluation)
        .collect();
    let mut comparisons = Vec::new();
    let mut measures = Vec::new();
    for (at, measure) in base.measures.iter().enumerate() {
        refuse_counts(&measure.spec)?;
        let own = paired.values(base, at);
        let mut pairs = Vec::new();
        for other in &others {
            let values = paired.values(other, at);
            let comparison = Comparison::new(&own, &values, options.test, &options.bootstrap)?;
            comparisons.push(comparison.clone());
            pairs.push(ComparedPair {
                detectable: detectable(&own, &values, options),
                interval: mean_interval(&values, &options.bootstrap),
                comparison,
                verdict: String::new(),
            });
        }
        measures.push(ComparedMeasure {
            spec: measure.spec.clone(),
            reference: mean(own.iter().copied()),
            interval: mean_interval(&own, &options.bootstrap),
            pairs,
        });
    }
    options.correction.apply(&mut comparisons);
    let mut corrected = comparisons.into_iter();
    for measure in &mut measures {
        let text = measure.spec.to_string();
        for (pair, other) in measure.pairs.iter_mut().zip(&others) {
            if let Some(comparison) = corrected.next() {
                pair.comparison = comparison;
            }
            let subject = Subject {
                measure: &text,
                baseline: &base.run,
                run: &other.run,
            };
            pair.verdict = pair.comparison.verdict(&subject, options.alpha);
        }
    }
    Ok(Compared {
        options: *options,
        reference: base.run.clone(),
        runs: others.iter().map(|other| other.run.clone()).collect(),
        paired,
        measures,
    })
}

impl Compared {
    /// Whether each run is free of regressions: worse, shown to be, and by more than a tolerance.
    pub fn regressions(&self, tolerance: f64) -> Vec<GateOutcome> {
        let mut outcomes = Vec::new();
        for (at, run) in self.runs.iter().enumerate() {
            for measure in &self.measures {
                let pair = &measure.pairs[at];
                let fall = -pair.comparison.difference;
                let worse = pair.is_worse(self.options.alpha);
                let spec = &measure.spec;
                let passed = !(worse && fall > tolerance);
                let sentence = match (passed, worse) {
                    (false, _) if tolerance > 0.0 => {
                        format!("{}; more than the tolerance of {tolerance}", pair.verdict)
                    }
                    (true, true) => {
                        format!("{}; within the tolerance of {tolerance}", pair.verdict)
                    }
                    _ => pair.verdict.clone(),
                };
                outcomes.push(GateOutcome {
                    condition: format!("no regression of {spec} against {}", self.reference),
                    run: run.clone(),
                    passed,
                    sentence,
                });
            }
        }
        outcomes
    }
}

/// A count has no mean to compare.
fn refuse_counts(spec: &MeasureSpec) -> Result<()> {
    match spec.definition().aggregate {
        Aggregate::Mean => Ok(()),
        _ => Err(Error::usage(format!(
            "{spec} is no mean over queries, and only means are compared"
        ))
        .hint("mrmr score shows it for each run")),
    }
}

fn detectable(baseline: &[f64], run: &[f64], options: &CompareOptions) -> Option<f64> {
    let differences: Vec<f64> = run
        .iter()
        .zip(baseline)
        .map(|(run, base)| run - base)
        .collect();
    let count = differences.len();
    if count < 2 {
        return None;
    }
    let middle = mean(differences.iter().copied());
    let squares = differences.iter().map(|value| (value - middle).powi(2));
    let deviation = (sum(squares) / (count - 1) as f64).sqrt();
    let power = Power {
        alpha: options.alpha,
        power: options.power,
    };
    // No deviation, or one that rounding made: these queries say nothing about how others would differ.
    if deviation < 1e-12 {
        return None;
    }
    power.smallest_detectable_difference(deviation, count).ok()
}
