//! `mrmr diff`: two runs query by query.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use mrmr_core::{Error, Result};
use mrmr_measures::{Evaluator, MeasureSpec, QueryDifference};
use mrmr_report::{DifferencesReport, SideBySideReport};

use super::{inputs, settings};
use crate::Ending;
use crate::arguments::{PolicyArguments, ReadingArguments, ReportArguments};
use crate::printer::Printer;
use crate::reading;

/// How many queries a table shows.
const TOP_QUERIES: usize = 20;

/// How many ranks two rankings are shown to, unless the measure's cutoff is larger.
const TOP_RANKS: usize = 10;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mrmr diff qrels.txt bm25.run dense.run -m nDCG@10\n  mrmr diff qrels.txt bm25.run dense.run --query q17\n  mrmr diff qrels.txt bm25.run dense.run -m RR -o differences.tsv"
)]
pub(crate) struct DiffArguments {
    /// Judgements, as for mrmr score
    pub(crate) qrels: PathBuf,
    /// The run before
    pub(crate) a: PathBuf,
    /// The run after
    pub(crate) b: PathBuf,
    /// The measure whose differences order the queries
    #[arg(
        short,
        long = "measure",
        value_name = "MEASURE",
        default_value = "nDCG@10"
    )]
    pub(crate) measure: String,
    /// Show the two rankings of this query side by side
    #[arg(long, value_name = "ID", allow_hyphen_values = true)]
    pub(crate) query: Option<String>,
    /// How many queries to show, with --query how many ranks [default: 20 and 10 in tables, else all]
    #[arg(long, value_name = "N")]
    pub(crate) top: Option<NonZeroUsize>,
    #[command(flatten)]
    pub(crate) policies: PolicyArguments,
    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
    #[command(flatten)]
    pub(crate) report: ReportArguments,
}

pub(crate) fn run(arguments: &DiffArguments, printer: Printer) -> Result<Ending> {
    let spec: MeasureSpec = arguments.measure.parse()?;
    let policies = settings::policies(&arguments.policies)?;
    let format = settings::format(&arguments.report.form, arguments.report.file.as_deref())?;
    let paths = [&arguments.qrels, &arguments.a, &arguments.b];
    inputs::refuse_two_standard_inputs(paths)?;
    settings::refuse_overwriting(arguments.report.file.as_deref(), paths)?;

    let read = reading::qrels(&arguments.qrels)?;
    let evaluator = Evaluator::new(&read.qrels, vec![spec.clone()], policies)?;
    let (a, facts_a) = inputs::run(&arguments.a, &evaluator, &arguments.reading)?;
    let (b, facts_b) = inputs::run(&arguments.b, &evaluator, &arguments.reading)?;
    let mut runs = vec![facts_a, facts_b];
    inputs::tell_apart(&mut runs);
    let (a, b) = (
        a.renamed(&runs[0].evaluation.run),
        b.renamed(&runs[1].evaluation.run),
    );
    let qrels = inputs::qrels_facts(&read);
    inputs::remark(printer, &qrels, &runs, |_| true);

    let numbers = settings::numbers(&arguments.report.form);
    let top = |in_tables: usize| match arguments.top {
        Some(top) => top.get(),
        None if settings::is_for_people(format) => in_tables,
        None => usize::MAX,
    };
    let text = match &arguments.query {
        None => {
            let differences = evaluator.differences(&a, &b, &spec)?;
            if differences.queries.is_empty() {
                return Err(Error::data(format!(
                    "no query is left to compare: {} judged queries are left out",
                    differences.left_out.len()
                ))
                .hint("--missing zero and --no-relevant zero count such queries 0"));
            }
            DifferencesReport {
                qrels,
                runs,
                differences,
                top: top(TOP_QUERIES),
                numbers,
            }
            .write(format)
        }
        Some(query) => {
            let a = evaluator.explain(&a, query, &spec)?;
            let b = evaluator.explain(&b, query, &spec)?;
            inputs::refuse_left_out(&a, query)?;
            inputs::refuse_left_out(&b, query)?;
            SideBySideReport {
                qrels,
                difference: QueryDifference::of(&a, &b)?,
                top: top(spec.cutoff().unwrap_or(0).max(TOP_RANKS)),
                a,
                b,
                numbers,
            }
            .write(format)
        }
    };
    settings::deliver(printer, arguments.report.file.as_deref(), &text)?;
    Ok(Ending::Done)
}
