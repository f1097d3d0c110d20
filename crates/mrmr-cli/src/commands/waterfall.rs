//! `mrmr score --waterfall`: where a pipeline loses.

use std::path::PathBuf;

use mrmr_core::{Error, Result};
use mrmr_measures::{Evaluator, Stage};
use mrmr_report::{Format, WaterfallReport};

use super::{inputs, settings};
use crate::Ending;
use crate::arguments::ScoreArguments;
use crate::printer::Printer;
use crate::reading;

/// What is measured unless something is asked for.
const DEFAULT_MEASURES: &[&str] = &["RR@10"];

pub(crate) fn run(arguments: &ScoreArguments, printer: Printer) -> Result<Ending> {
    let format = settings::format(&arguments.output.form, arguments.file.as_deref())?;
    if format == Format::Junit {
        return Err(Error::usage(
            "a waterfall has no gate that junit could report",
        ));
    }
    let measures = settings::measures(&arguments.measures.measures, DEFAULT_MEASURES)?;
    let policies = settings::policies(&arguments.policies)?;
    let mut stages = arguments
        .waterfall
        .iter()
        .map(|text| stage(text))
        .collect::<Result<Vec<_>>>()?;
    stages.sort_by_key(|(stage, _)| *stage);
    let Some(path) = &arguments.qrels else {
        return Err(Error::usage("score needs judgements"));
    };
    let read_files = || std::iter::once(path).chain(stages.iter().map(|(_, path)| path));
    inputs::refuse_two_standard_inputs(read_files())?;
    settings::refuse_overwriting(arguments.file.as_deref(), read_files())?;

    let read = reading::qrels(path)?;
    let evaluator = Evaluator::new(&read.qrels, measures.clone(), policies)?;
    let (mut runs, mut facts) = (Vec::new(), Vec::new());
    for (_, path) in &stages {
        let (run, about) = inputs::run(path, &evaluator, &arguments.reading)?;
        runs.push(run);
        facts.push(about);
    }
    inputs::tell_apart(&mut facts);
    let runs: Vec<_> = runs
        .into_iter()
        .zip(&facts)
        .map(|(run, about)| run.renamed(&about.evaluation.run))
        .collect();
    let qrels = inputs::qrels_facts(&read);
    inputs::remark(printer, &qrels, &facts, |_| true);

    let pipeline: Vec<_> = stages.iter().map(|(stage, _)| *stage).zip(&runs).collect();
    let waterfalls = measures
        .iter()
        .map(|spec| evaluator.waterfall(&pipeline, spec, arguments.depth))
        .collect::<Result<Vec<_>>>()?;
    let report = WaterfallReport {
        qrels,
        runs: stages.iter().map(|(stage, _)| *stage).zip(facts).collect(),
        policies,
        waterfalls,
        numbers: settings::numbers(&arguments.output.form),
    };
    settings::deliver(printer, arguments.file.as_deref(), &report.write(format))?;
    Ok(Ending::Done)
}

/// `ann=hnsw.run`.
fn stage(text: &str) -> Result<(Stage, PathBuf)> {
    let Some((name, path)) = text.split_once('=').filter(|(_, path)| !path.is_empty()) else {
        return Err(Error::usage(format!(
            "--waterfall {text}: expected a stage and its run, as in exact=dense.run"
        ))
        .hint(format!("the stages are {}", Stage::NAMES.join(", "))));
    };
    Ok((name.parse()?, path.into()))
}
