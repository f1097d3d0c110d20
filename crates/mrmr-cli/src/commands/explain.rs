//! `mrmr explain`: why a measure has its value for one query.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use mrmr_core::Result;
use mrmr_measures::{Evaluator, MeasureSpec};
use mrmr_report::ExplainReport;

use super::{inputs, settings};
use crate::Ending;
use crate::arguments::{PolicyArguments, ReadingArguments, ReportArguments};
use crate::printer::Printer;
use crate::reading;

/// How many ranks a table shows, unless the measure has a cutoff.
const TOP: usize = 20;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mrmr explain qrels.txt bm25.run q17 nDCG@10\n  mrmr explain qrels.txt bm25.run q17 AP --top 50 --format json"
)]
pub(crate) struct ExplainArguments {
    /// Judgements, as for mrmr score
    pub(crate) qrels: PathBuf,
    /// The run
    pub(crate) run: PathBuf,
    /// The id of a judged query
    #[arg(allow_negative_numbers = true)]
    pub(crate) query: String,
    /// The measure
    pub(crate) measure: String,
    /// How many ranks to show in tables [default: the measure's cutoff, else 20]
    #[arg(long, value_name = "N")]
    pub(crate) top: Option<NonZeroUsize>,
    #[command(flatten)]
    pub(crate) policies: PolicyArguments,
    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
    #[command(flatten)]
    pub(crate) report: ReportArguments,
}

pub(crate) fn run(arguments: &ExplainArguments, printer: Printer) -> Result<Ending> {
    let spec: MeasureSpec = arguments.measure.parse()?;
    let policies = settings::policies(&arguments.policies)?;
    let format = settings::format(&arguments.report.form, arguments.report.file.as_deref())?;
    let read_files = [&arguments.qrels, &arguments.run];
    inputs::refuse_two_standard_inputs(read_files)?;
    settings::refuse_overwriting(arguments.report.file.as_deref(), read_files)?;

    let read = reading::qrels(&arguments.qrels)?;
    let evaluator = Evaluator::new(&read.qrels, vec![spec.clone()], policies)?;
    let (run, facts) = inputs::run(&arguments.run, &evaluator, &arguments.reading)?;
    let qrels = inputs::qrels_facts(&read);
    for note in qrels.notes.iter().chain(&facts.notes) {
        printer.say(&format!("note: {note}"));
    }
    let explanation = evaluator.explain(&run, &arguments.query, &spec)?;
    inputs::refuse_left_out(&explanation, &arguments.query)?;
    let report = ExplainReport {
        qrels,
        source: facts.source,
        hash: facts.hash,
        explanation,
        top: arguments
            .top
            .map_or(spec.cutoff().unwrap_or(TOP), NonZeroUsize::get),
        numbers: settings::numbers(&arguments.report.form),
    };
    settings::deliver(
        printer,
        arguments.report.file.as_deref(),
        &report.write(format),
    )?;
    Ok(Ending::Done)
}
