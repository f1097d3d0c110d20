//! `mrmr compare`: are runs better than a reference, or is it chance?

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::PossibleValuesParser;

use mrmr_core::{Error, Result};
use mrmr_measures::statistics::{PairedTest, SEED};
use mrmr_measures::{
    CompareOptions, DifferentQueries, Evaluation, Evaluator, Range, Warning, compare,
    compare_all_pairs,
};
use mrmr_report::{AllPairsReport, CompareReport, RunFacts};

use super::{inputs, settings};
use crate::Ending;
use crate::arguments::{
    LevelArguments, MeasureArguments, PolicyArguments, ReadingArguments, ReportArguments,
};
use crate::printer::Printer;
use crate::reading;

/// What is compared unless something is asked for: each more measure makes the correction stronger.
const DEFAULT_MEASURES: &[&str] = &["nDCG@10", "RR@10", "R@100", "AP"];

/// Permutations of the test of all pairs.
const PERMUTATIONS: usize = 10_000;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mrmr compare qrels.txt bm25.run dense.run hybrid.run\n  mrmr compare qrels.txt new.run --reference main.run -m nDCG@10 --fail-on-regression --tolerance 0.01\n  mrmr compare qrels.txt *.run --tukey -o table.tex"
)]
pub(crate) struct CompareArguments {
    /// Judgements, as for mrmr score
    pub(crate) qrels: PathBuf,
    /// Runs; the first is the reference unless --reference names another
    #[arg(required = true)]
    pub(crate) runs: Vec<PathBuf>,
    /// The run that the others are compared to: one of the runs by its name or file, or a further file
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) reference: Option<String>,
    #[command(flatten)]
    pub(crate) measures: MeasureArguments,
    /// The two-sided paired test: randomization, t, wilcoxon or sign
    #[arg(long, value_name = "TEST", default_value = "randomization")]
    pub(crate) test: String,
    /// How p values are corrected over measures times runs
    #[arg(long, value_name = "METHOD", default_value = "holm", value_parser = PossibleValuesParser::new(["holm", "bonferroni", "benjamini-hochberg", "none"]))]
    pub(crate) correction: String,
    /// The corrected p value under which a difference is shown
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub(crate) alpha: f64,
    /// The chance with which the smallest difference that could be shown would be
    #[arg(long, value_name = "CHANCE", default_value_t = 0.8)]
    pub(crate) power: f64,
    /// Compare each run to each, by the randomised Tukey HSD test
    #[arg(long, conflicts_with_all = ["reference", "test", "correction", "power", "fail_on_regression"])]
    pub(crate) tukey: bool,
    /// What to do where the runs answer different queries: zero counts what a run lacks as 0, common
    /// compares over the queries that all have
    #[arg(long, value_name = "POLICY", default_value = "refuse", value_parser = PossibleValuesParser::new(DifferentQueries::NAMES))]
    pub(crate) different_queries: String,
    /// Exit with 1 if a run is worse than the reference, and the difference is shown
    #[arg(long)]
    pub(crate) fail_on_regression: bool,
    /// By how much a run may be worse all the same
    #[arg(
        long,
        value_name = "DIFFERENCE",
        default_value_t = 0.0,
        allow_negative_numbers = true,
        requires = "fail_on_regression"
    )]
    pub(crate) tolerance: f64,
    #[command(flatten)]
    pub(crate) level: LevelArguments,
    #[command(flatten)]
    pub(crate) policies: PolicyArguments,
    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
    #[command(flatten)]
    pub(crate) report: ReportArguments,
}

pub(crate) fn run(arguments: &CompareArguments, printer: Printer) -> Result<Ending> {
    let measures = settings::measures(&arguments.measures.measures, DEFAULT_MEASURES)?;
    let policies = settings::policies(&arguments.policies)?;
    let format = settings::format(&arguments.report.form, arguments.report.file.as_deref())?;
    let options = options(arguments)?;
    let of_shares = measures.iter().all(|m| m.definition().range == Range::Unit);
    if of_shares && arguments.tolerance >= 1.0 {
        return Err(Error::usage(format!(
            "--tolerance {}: the measures lie between 0 and 1, no run could be worse by more",
            arguments.tolerance
        ))
        .hint("a percentage? write 0.01 for one point"));
    }
    let mut paths = arguments.runs.clone();
    let extra = further_reference(arguments);
    paths.extend(extra.clone());
    if paths.len() < 2 {
        return Err(Error::usage("a comparison needs two runs, found one")
            .hint("mrmr score measures one run"));
    }
    let read_files = || std::iter::once(&arguments.qrels).chain(&paths);
    inputs::refuse_two_standard_inputs(read_files())?;
    settings::refuse_overwriting(arguments.report.file.as_deref(), read_files())?;

    let read = reading::qrels(&arguments.qrels)?;
    let evaluator = Evaluator::new(&read.qrels, measures, policies)?;
    let mut runs = paths
        .iter()
        .map(|path| inputs::evaluated(path, &evaluator, &arguments.reading))
        .collect::<Result<Vec<_>>>()?;
    let reference = match (&extra, &arguments.reference) {
        (Some(_), _) => runs.len() - 1,
        (None, Some(name)) => find(&runs, &paths, name)?,
        (None, None) => 0,
    };
    inputs::tell_apart(&mut runs);
    let qrels = inputs::qrels_facts(&read);
    // Unless they count 0, the comparison itself says what became of missing queries.
    let counted = options.different_queries == DifferentQueries::Zero;
    let concerns =
        |warning: &Warning| counted || !matches!(warning, Warning::MissingQueries { .. });
    inputs::remark(printer, &qrels, &runs, concerns);

    let evaluations: Vec<&Evaluation> = runs.iter().map(|run| &run.evaluation).collect();
    let numbers = settings::numbers(&arguments.report.form);
    let file = arguments.report.file.as_deref();
    if arguments.tukey {
        let compared = compare_all_pairs(&evaluations, &options, PERMUTATIONS, SEED)?;
        let report = AllPairsReport {
            qrels,
            compared,
            runs,
            numbers,
        };
        settings::deliver(printer, file, &report.write(format))?;
        return Ok(Ending::Done);
    }
    let compared = compare(&evaluations, reference, &options)?;
    let gates = if arguments.fail_on_regression {
        compared.regressions(arguments.tolerance)
    } else {
        Vec::new()
    };
    let report = CompareReport {
        qrels,
        compared,
        runs,
        gates,
        numbers,
    };
    settings::deliver(printer, file, &report.write(format))?;
    Ok(settings::ending(printer, &report.gates))
}

fn options(arguments: &CompareArguments) -> Result<CompareOptions> {
    let share = |name: &str, value: f64| {
        if value > 0.0 && value < 1.0 {
            return Ok(value);
        }
        Err(Error::usage(format!(
            "--{name} lies between 0 and 1, not at {value}"
        )))
    };
    let test: PairedTest = arguments.test.parse()?;
    if !(arguments.tolerance >= 0.0 && arguments.tolerance.is_finite()) {
        return Err(Error::usage(format!(
            "--tolerance is a difference from 0 up, not {}",
            arguments.tolerance
        )));
    }
    let (alpha, power) = (
        share("alpha", arguments.alpha)?,
        share("power", arguments.power)?,
    );
    if power <= alpha {
        return Err(Error::usage(format!(
            "--power {power} is not above --alpha {alpha}"
        )));
    }
    Ok(CompareOptions {
        test,
        correction: arguments.correction.parse()?,
        alpha,
        power,
        bootstrap: settings::bootstrap(&arguments.level)?,
        different_queries: arguments.different_queries.parse()?,
    })
}

/// The file that `--reference` names, where it is none of the runs.
fn further_reference(arguments: &CompareArguments) -> Option<PathBuf> {
    let path = Path::new(arguments.reference.as_deref()?);
    let is_run = arguments.runs.iter().any(|run| run == path);
    (path.is_file() && !is_run).then(|| path.to_path_buf())
}

/// The run of this file or name.
fn find(runs: &[RunFacts], paths: &[PathBuf], name: &str) -> Result<usize> {
    if let Some(at) = paths.iter().position(|path| path == Path::new(name)) {
        return Ok(at);
    }
    let named: Vec<usize> = (0..runs.len())
        .filter(|at| runs[*at].evaluation.run == name)
        .collect();
    match named.as_slice() {
        [one] => Ok(*one),
        [] => {
            let names: Vec<&str> = runs.iter().map(|run| run.evaluation.run.as_str()).collect();
            Err(Error::usage(format!(
                "--reference {name} is none of the runs ({}), and no file",
                names.join(", ")
            )))
        }
        many => Err(Error::usage(format!(
            "--reference {name} is the name of {} runs",
            many.len()
        ))
        .hint("name its file")),
    }
}
