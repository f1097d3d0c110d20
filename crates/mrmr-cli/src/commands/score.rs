//! `mrmr score`: runs measured against judgements.

use std::path::Path;

use mrmr_core::{Error, Result};
use mrmr_measures::{Evaluator, Gate};
use mrmr_report::ScoreReport;

use super::{inputs, list_measures, settings, slicing, waterfall};
use crate::Ending;
use crate::arguments::ScoreArguments;
use crate::printer::Printer;
use crate::reading;

/// What is measured unless something is asked for.
const DEFAULT_MEASURES: &[&str] = &["nDCG@10", "RR@10", "R@100", "AP", "Judged@10"];

pub(crate) fn run(arguments: &ScoreArguments, printer: Printer) -> Result<Ending> {
    if !arguments.waterfall.is_empty() {
        return waterfall::run(arguments, printer);
    }
    if arguments.depth.is_some() {
        return Err(Error::usage(
            "--depth is the number of candidates of --waterfall",
        ));
    }
    let format = settings::format(&arguments.output.form, arguments.file.as_deref())?;
    if arguments.list_measures {
        let text = list_measures::text(format);
        settings::deliver(printer, arguments.file.as_deref(), &text)?;
        return Ok(Ending::Done);
    }
    let mut measures = settings::measures(&arguments.measures.measures, DEFAULT_MEASURES)?;
    let gates = arguments
        .fail_under
        .iter()
        .map(|text| text.parse())
        .collect::<Result<Vec<Gate>>>()?;
    for gate in &gates {
        if !measures.contains(&gate.measure) {
            measures.push(gate.measure.clone());
        }
    }
    let policies = settings::policies(&arguments.policies)?;
    let intervals = settings::intervals(&arguments.intervals)?;
    let (Some(path), false) = (&arguments.qrels, arguments.runs.is_empty()) else {
        return Err(Error::usage("score needs judgements and a run"));
    };
    let read_files = || std::iter::once(path).chain(&arguments.runs);
    inputs::refuse_two_standard_inputs(read_files())?;
    settings::refuse_overwriting(arguments.file.as_deref(), read_files())?;

    let slices = arguments
        .by
        .as_deref()
        .map(|by| slicing::read(by, Path::new(path)))
        .transpose()?;
    let read = reading::qrels(path)?;
    let evaluator = Evaluator::new(&read.qrels, measures, policies)?;
    let mut runs = arguments
        .runs
        .iter()
        .map(|path| inputs::evaluated(path, &evaluator, &arguments.reading))
        .collect::<Result<Vec<_>>>()?;
    inputs::tell_apart(&mut runs);

    let qrels = inputs::qrels_facts(&read);
    inputs::remark(printer, &qrels, &runs, |_| true);
    if let (Some(slices), Some(first)) = (&slices, runs.first()) {
        slicing::refuse_foreign(slices, &first.evaluation)?;
        for warning in slicing::warnings(slices, &first.evaluation) {
            printer.warning(&warning);
        }
    }
    let mut outcomes = Vec::new();
    for run in &runs {
        for gate in &gates {
            outcomes.push(gate.check(&run.evaluation)?);
        }
    }
    let report = ScoreReport {
        qrels,
        runs,
        per_query: arguments.output.per_query,
        intervals,
        slices,
        gates: outcomes,
        numbers: settings::numbers(&arguments.output.form),
    };
    settings::deliver(printer, arguments.file.as_deref(), &report.write(format))?;
    Ok(settings::ending(printer, &report.gates))
}
