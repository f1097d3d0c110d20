//! Judgements and runs as the scoring commands read them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use mrmr_bench::{ScoreOptions, score_file};
use mrmr_core::{Error, Place, Result, Run};
use mrmr_formats::Input;
use mrmr_formats::run::RunOptions;
use mrmr_measures::{Evaluator, Explanation, LeftOut, Warning};
use mrmr_report::{QrelsFacts, RunFacts};

use crate::arguments::ReadingArguments;
use crate::printer::Printer;
use crate::reading::{self, ReadQrels};
use crate::words::counted;

/// Standard input can be read once.
pub(crate) fn refuse_two_standard_inputs<'a>(
    paths: impl IntoIterator<Item = &'a PathBuf>,
) -> Result<()> {
    let standard_inputs = paths.into_iter().filter(|path| path.as_os_str() == "-");
    if standard_inputs.count() > 1 {
        return Err(Error::usage("standard input (-) can be read once only"));
    }
    Ok(())
}

/// What a report says about judgements.
pub(crate) fn qrels_facts(read: &ReadQrels) -> QrelsFacts {
    QrelsFacts {
        source: read.source.clone(),
        hash: read.hash.clone(),
        notes: reading::qrels_remarks(&read.notes),
    }
}

/// A run that stays in memory, with its evaluation.
pub(crate) fn run(
    path: &Path,
    evaluator: &Evaluator<'_>,
    arguments: &ReadingArguments,
) -> Result<(Run, RunFacts)> {
    let read = reading::run(path, arguments.duplicates.parse()?)?;
    let mut notes = reading::run_remarks(&read.notes);
    let mut run = read.run;
    if arguments.drop_self {
        let (kept, dropped) = run.retain(|query, document| query != document);
        run = kept;
        notes.push(own_dropped(dropped));
    }
    let place = || Place::whole(read.source.clone());
    let evaluation = evaluator
        .evaluate(&run)
        .map_err(|error| error.at(place()))?;
    let facts = RunFacts {
        source: read.source,
        hash: read.hash,
        notes,
        evaluation,
    };
    Ok((run, facts))
}

/// A run's evaluation alone.
pub(crate) fn evaluated(
    path: &Path,
    evaluator: &Evaluator<'_>,
    arguments: &ReadingArguments,
) -> Result<RunFacts> {
    let input = Input::new(path);
    let options = ScoreOptions {
        run: RunOptions {
            duplicates: arguments.duplicates.parse()?,
            ..RunOptions::default()
        },
        drop_self: arguments.drop_self,
    };
    let place = || Place::whole(input.name());
    let scored = score_file(evaluator, &input, &options).map_err(|error| error.at(place()))?;
    let mut notes = reading::run_remarks(&scored.notes);
    if arguments.drop_self {
        notes.push(own_dropped(scored.own_dropped));
    }
    Ok(RunFacts {
        hash: reading::hash(&input)?,
        source: input.name(),
        notes,
        evaluation: scored.evaluation,
    })
}

fn own_dropped(count: usize) -> String {
    format!(
        "{} with the id of {} query left out",
        counted(count, "document", "documents"),
        if count == 1 { "its" } else { "their" }
    )
}

/// Refuses to take the value of a query apart that a policy leaves out: there is none.
pub(crate) fn refuse_left_out(explanation: &Explanation, query: &str) -> Result<()> {
    let Some(left_out) = explanation.left_out() else {
        return Ok(());
    };
    let (why, option) = match left_out {
        LeftOut::Missing => ("is missing from the run and", "--missing"),
        LeftOut::NoRelevant => ("has no relevant document and is", "--no-relevant"),
    };
    Err(Error::data(format!(
        "query '{query}' {why} left out ({option} skip): there is no value to explain"
    ))
    .hint(format!("{option} zero counts it 0")))
}

/// Says what reading accepted, and what people should know about the numbers.
pub(crate) fn remark(
    printer: Printer,
    qrels: &QrelsFacts,
    runs: &[RunFacts],
    concerns: impl Fn(&Warning) -> bool,
) {
    for note in &qrels.notes {
        printer.say(&format!("note: {}: {note}", qrels.source));
    }
    for run in runs {
        for note in &run.notes {
            printer.say(&format!("note: {}: {note}", run.source));
        }
        for warning in run.evaluation.warnings.iter().filter(|w| concerns(w)) {
            printer.warning(&format!("{}: {warning}", run.evaluation.run));
        }
    }
}

/// Runs of one name get their file's name too, and a number if that is the same as well.
pub(crate) fn tell_apart(runs: &mut [RunFacts]) {
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
