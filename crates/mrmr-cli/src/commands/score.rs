//! `mrmr score`: runs measured against judgements.

use std::collections::HashMap;

use mrmr_core::{Error, Result};
use mrmr_measures::Evaluator;
use mrmr_report::{QrelsFacts, RunFacts, ScoreReport};

use super::settings;
use crate::Ending;
use crate::arguments::ScoreArguments;
use crate::printer::Printer;
use crate::reading;

/// What is measured unless something is asked for.
const DEFAULT_MEASURES: &[&str] = &["nDCG@10", "RR@10", "R@100", "AP", "Judged@10"];

pub(crate) fn run(arguments: &ScoreArguments, printer: Printer) -> Result<Ending> {
    let measures = settings::measures(&arguments.measures.measures, DEFAULT_MEASURES)?;
    let policies = settings::policies(&arguments.policies)?;
    let format = settings::format(&arguments.output, arguments.file.as_deref())?;
    let standard_inputs = std::iter::once(&arguments.qrels)
        .chain(&arguments.runs)
        .filter(|path| path.as_os_str() == "-");
    if standard_inputs.count() > 1 {
        return Err(Error::usage("standard input (-) can be read once only"));
    }

    let qrels = reading::qrels(&arguments.qrels)?;
    let evaluator = Evaluator::new(&qrels.qrels, measures, policies)?;
    let mut runs = Vec::new();
    for path in &arguments.runs {
        let read = reading::run(path, arguments.duplicates.parse()?)?;
        let mut notes = reading::run_remarks(&read.notes);
        let mut run = read.run;
        if arguments.drop_self {
            let (kept, dropped) = run.retain(|query, document| query != document);
            run = kept;
            notes.push(format!(
                "{dropped} documents with the id of their query left out"
            ));
        }
        let place = || mrmr_core::Place::whole(read.source.clone());
        let evaluation = evaluator
            .evaluate(&run)
            .map_err(|error| error.at(place()))?;
        runs.push(RunFacts {
            source: read.source,
            hash: read.hash,
            notes,
            evaluation,
        });
    }
    tell_apart(&mut runs);

    let qrels_notes = reading::qrels_remarks(&qrels.notes);
    for note in &qrels_notes {
        printer.say(&format!("note: {}: {note}", qrels.source));
    }
    for run in &runs {
        for note in &run.notes {
            printer.say(&format!("note: {}: {note}", run.source));
        }
        for warning in &run.evaluation.warnings {
            printer.warning(&format!("{}: {warning}", run.evaluation.run));
        }
    }
    let report = ScoreReport {
        qrels: QrelsFacts {
            source: qrels.source,
            hash: qrels.hash,
            notes: qrels_notes,
        },
        runs,
        per_query: arguments.output.per_query,
        numbers: settings::numbers(&arguments.output),
    };
    let text = report.write(format);
    match &arguments.file {
        Some(path) => settings::write_text(path, &text)?,
        None => printer.data(&text)?,
    }
    Ok(Ending::Done)
}

/// Runs of one name get their file's name too, and a number if that is the same as well.
fn tell_apart(runs: &mut [RunFacts]) {
    let repeated = |runs: &[RunFacts]| -> Vec<bool> {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for run in runs {
            *counts.entry(&run.evaluation.run).or_default() += 1;
        }
        runs.iter()
            .map(|run| counts[run.evaluation.run.as_str()] > 1)
            .collect()
    };
    for (at, again) in repeated(runs).into_iter().enumerate() {
        if again {
            runs[at].evaluation.run = format!("{} ({})", runs[at].evaluation.run, runs[at].source);
        }
    }
    let mut seen: HashMap<String, usize> = HashMap::new();
    for (at, again) in repeated(runs).into_iter().enumerate() {
        if again {
            let name = &mut runs[at].evaluation.run;
            let number = seen.entry(name.clone()).or_default();
            *number += 1;
            *name = format!("{name} #{number}");
        }
    }
}
