//! Systems of a task against one of them.

use std::path::Path;

use mrmr_bench::TaskOutcome;
use mrmr_core::{Error, Place, Result};
use mrmr_measures::{CompareOptions, DifferentQueries, Evaluation, compare};
use mrmr_report::{CompareReport, QrelsFacts, RunFacts};

use super::settings;
use crate::arguments::BenchArguments;

/// All against the reference, in the task's main measure: each more measure makes the correction stronger.
pub(super) fn comparison(
    arguments: &BenchArguments,
    outcomes: &[&TaskOutcome],
    reference: usize,
    folder: &Path,
) -> Result<CompareReport> {
    let only_main = |outcome: &&TaskOutcome| -> Evaluation {
        let mut evaluation = outcome.evaluation.clone();
        let main = outcome.main();
        evaluation.measures.retain(|measure| measure.spec == *main);
        evaluation
    };
    let evaluations: Vec<Evaluation> = outcomes.iter().map(only_main).collect();
    let options = CompareOptions {
        bootstrap: settings::bootstrap(&arguments.intervals.level)?,
        different_queries: DifferentQueries::Zero,
        ..CompareOptions::default()
    };
    let place = || Place::whole(folder.display().to_string());
    let all: Vec<&Evaluation> = evaluations.iter().collect();
    let compared = compare(&all, reference, &options).map_err(|error: Error| error.at(place()))?;
    Ok(CompareReport {
        qrels: QrelsFacts {
            source: folder.display().to_string(),
            hash: None,
            notes: Vec::new(),
        },
        runs: evaluations
            .into_iter()
            .map(|evaluation| RunFacts {
                source: evaluation.run.clone(),
                hash: None,
                notes: Vec::new(),
                evaluation,
            })
            .collect(),
        compared,
        gates: Vec::new(),
        numbers: settings::numbers(&arguments.output.form),
    })
}
