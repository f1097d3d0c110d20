//! What an index misses of exact search, and what that costs.

use std::path::Path;

use mrmr_core::{Result, Run};
use mrmr_measures::statistics::Bootstrap;
use mrmr_measures::{
    Aggregate, CompareOptions, Evaluator, MeasureSpec, NeighbourRecall, Policies, Stage, Warning,
    compare,
};
use mrmr_report::{AgainstExactReport, CompareReport, Numbers, RunFacts};

use super::output::report_format;
use crate::arguments::SearchArguments;
use crate::commands::{inputs, settings};
use crate::printer::Printer;
use crate::reading::{self, ReadQrels};

/// What is measured unless something is asked for.
const DEFAULT_MEASURES: &[&str] = &["nDCG@10", "RR@10", "R@100"];

/// The measures that were asked for; an error before the work begins where one is none.
pub(super) fn measures(arguments: &SearchArguments) -> Result<Vec<MeasureSpec>> {
    settings::measures(&arguments.against.measures.measures, DEFAULT_MEASURES)
}

/// The judgements, read before the work begins.
pub(super) fn judgements(arguments: &SearchArguments) -> Result<Option<ReadQrels>> {
    let path = arguments.against.qrels.as_deref();
    path.map(reading::qrels).transpose()
}

pub(super) fn numbers(arguments: &SearchArguments) -> Numbers {
    Numbers {
        digits: usize::from(arguments.output.digits),
        percent: arguments.output.percent,
    }
}

/// Shows what `found` lacks of `exact`.
pub(super) fn show(
    arguments: &SearchArguments,
    (exact, found): (&Run, &Run),
    qrels: Option<&ReadQrels>,
    k: usize,
    printer: Printer,
) -> Result<()> {
    let file = arguments.against.report.as_deref();
    let format = report_format(file)?;
    let bootstrap = settings::bootstrap(&arguments.against.level)?;
    let mut report = AgainstExactReport {
        run: found.name().to_owned(),
        recall: NeighbourRecall::new(exact, found, k),
        compared: None,
        losses: Vec::new(),
        numbers: numbers(arguments),
    };
    if let Some(qrels) = qrels {
        measure(
            &mut report,
            (exact, found),
            qrels,
            arguments,
            bootstrap,
            printer,
        )?;
    }
    settings::deliver(printer, file, &report.write(format))
}

fn measure(
    report: &mut AgainstExactReport,
    (exact, found): (&Run, &Run),
    read: &ReadQrels,
    arguments: &SearchArguments,
    bootstrap: Bootstrap,
    printer: Printer,
) -> Result<()> {
    let measures = measures(arguments)?;
    let evaluator = Evaluator::new(&read.qrels, measures.clone(), Policies::default())?;
    let facts = |run: &Run, source: &Path| -> Result<RunFacts> {
        Ok(RunFacts {
            source: source.display().to_string(),
            hash: None,
            notes: Vec::new(),
            evaluation: evaluator.evaluate(run)?,
        })
    };
    let file = arguments.output.file.as_deref();
    let runs = vec![
        facts(exact, Path::new("exact search"))?,
        facts(found, file.unwrap_or(Path::new("this search")))?,
    ];
    let qrels = inputs::qrels_facts(read);
    // What both runs lack is told once.
    let concerns = |_: &Warning| true;
    inputs::remark(printer, &qrels, &runs[1..], concerns);
    let options = CompareOptions {
        bootstrap,
        ..CompareOptions::default()
    };
    let evaluations = [&runs[0].evaluation, &runs[1].evaluation];
    let compared = compare(&evaluations, 0, &options)?;
    let stages = [(Stage::Exact, exact), (Stage::Ann, found)];
    let of_means = |spec: &&MeasureSpec| spec.definition().aggregate == Aggregate::Mean;
    report.losses = measures
        .iter()
        .filter(of_means)
        // Measures that no order decides have no waterfall.
        .filter_map(|spec| evaluator.waterfall(&stages, spec, None).ok())
        .collect();
    report.compared = Some(CompareReport {
        qrels,
        runs,
        compared,
        gates: Vec::new(),
        numbers: report.numbers,
    });
    Ok(())
}
