//! `mrmr fuse`: several runs in, one out.

mod methods;

use std::path::PathBuf;

use mrmr_core::{Error, Place, Qrels, Result, Run};
use mrmr_search::fusion::{Fused, Fusion, FusionNotes, FusionSpec, Method, Reads};

use super::search::RunForm;
use super::{inputs, settings};
use crate::Ending;
use crate::arguments::FuseArguments;
use crate::printer::Printer;
use crate::reading::{self, ReadRun};
use crate::words::counted;

pub(crate) fn run(arguments: &FuseArguments, printer: Printer) -> Result<Ending> {
    if arguments.list_methods {
        printer.data(&methods::list())?;
        return Ok(Ending::Done);
    }
    let spec = spec(arguments)?;
    let form = RunForm::of(arguments.format.as_deref(), arguments.file.as_deref())?;
    let files: Vec<&PathBuf> = arguments.runs.iter().chain(&arguments.qrels).collect();
    let files = files.into_iter().chain(&arguments.train);
    inputs::refuse_two_standard_inputs(files.clone())?;
    settings::refuse_overwriting(arguments.file.as_deref(), files)?;
    let runs = read_all(&arguments.runs, arguments, printer)?;
    let name = arguments.name.as_deref();
    let name = name.unwrap_or(spec.method.definition().name);
    let own: Vec<&Run> = runs.iter().map(|read| &read.run).collect();
    let fused = match &arguments.qrels {
        None => spec.fuse(&own, name)?,
        Some(_) => trained(arguments, &spec, &own, name, printer)?,
    };
    tell(&spec, &runs, &fused, printer);
    form.deliver(&fused.run, arguments.file.as_deref(), printer)?;
    Ok(Ending::Done)
}

/// What was asked for, or what does not fit together.
fn spec(arguments: &FuseArguments) -> Result<FusionSpec> {
    let mut method: Method = arguments.method.parse()?;
    for (name, value) in [("k", &arguments.k), ("weights", &arguments.weights)] {
        if let Some(value) = value {
            method = method.with(name, value)?;
        }
    }
    let definition = method.definition();
    let mut spec = FusionSpec::new(method);
    if let Some(norm) = &arguments.norm {
        spec.normalization = norm.parse()?;
        if definition.reads == Reads::Ranks {
            return Err(Error::usage(format!(
                "{} reads ranks alone: --norm {norm} has no effect",
                definition.name
            )));
        }
    }
    (spec.depth, spec.keep) = (arguments.depth, arguments.keep);
    match (definition.is_trained(), &arguments.qrels) {
        (true, None) => Err(Error::usage(format!(
            "{} learns from judgements first; expected --qrels",
            definition.name
        ))
        .hint("rrf needs none")),
        (false, Some(_)) => Err(Error::usage(format!(
            "{} learns nothing from judgements: --qrels has no effect",
            definition.name
        ))
        .hint("mrmr tune finds parameters by judgements")),
        _ => Ok(spec),
    }
}

fn read_all(
    paths: &[PathBuf],
    arguments: &FuseArguments,
    printer: Printer,
) -> Result<Vec<ReadRun>> {
    let read = |path: &PathBuf| {
        let read = reading::run(path, arguments.duplicates.parse()?)?;
        for remark in reading::run_remarks(&read.notes) {
            printer.say(&format!("note: {}: {remark}", read.source));
        }
        Ok(read)
    };
    paths.iter().map(read).collect()
}

fn trained(
    arguments: &FuseArguments,
    spec: &FusionSpec,
    runs: &[&Run],
    name: &str,
    printer: Printer,
) -> Result<Fused> {
    let Some(path) = &arguments.qrels else {
        return Err(Error::usage("expected --qrels"));
    };
    let read = reading::qrels(path)?;
    for remark in reading::qrels_remarks(&read.notes) {
        printer.say(&format!("note: {}: {remark}", read.source));
    }
    let others = read_all(&arguments.train, arguments, printer)?;
    let train: Vec<&Run> = match others.is_empty() {
        true => runs.to_vec(),
        false => others.iter().map(|read| &read.run).collect(),
    };
    if train.len() != runs.len() {
        return Err(Error::usage(format!(
            "expected a --train for each of {}, in their order, found {}",
            counted(runs.len(), "run", "runs"),
            train.len()
        )));
    }
    let place = || Place::whole(read.source.clone());
    let fitted = spec
        .fit(&read.qrels, &train)
        .map_err(|error| error.at(place()))?;
    let shared = not_held_out(&read.qrels, runs);
    if let Some((count, first)) = shared {
        printer.warning(&format!(
            "{} of the judgements ('{first}' for one) {} fused too: scored by the same judgements, the run is not held out",
            counted(count, "query", "queries"),
            if count == 1 { "is" } else { "are" },
        ));
    }
    fitted.fuse(runs, name)
}

/// How many judged queries are among those that are fused, and one of them.
fn not_held_out<'a>(qrels: &'a Qrels, runs: &[&Run]) -> Option<(usize, &'a str)> {
    let fused = |name: &&str| runs.iter().any(|run| run.queries().get(name).is_some());
    let shared: Vec<&str> = qrels.queries().names().filter(fused).collect();
    Some((shared.len(), shared.into_iter().min()?))
}

fn tell(spec: &FusionSpec, runs: &[ReadRun], fused: &Fused, printer: Printer) {
    let sources: Vec<&str> = runs.iter().map(|read| read.source.as_str()).collect();
    warn(&sources, &fused.notes, printer);
    let normalization = match spec.method.definition().reads {
        Reads::Ranks => String::new(),
        _ => format!(", normalization {}", spec.normalization),
    };
    printer.say(&format!(
        "{} by {}{normalization}: {} for {}",
        counted(runs.len(), "run", "runs"),
        spec.method,
        counted(fused.run.len(), "document", "documents"),
        counted(fused.run.queries().len(), "query", "queries"),
    ));
}

/// Says what fusing accepted.
pub(super) fn warn(sources: &[&str], notes: &FusionNotes, printer: Printer) {
    for (source, lacking) in sources.iter().zip(&notes.lacking) {
        if *lacking > 0 {
            printer.warning(&format!(
                "{} lacks {} that another run has: there it counts as without documents",
                source,
                counted(*lacking, "query", "queries")
            ));
        }
    }
    if notes.infinite > 0 {
        printer.warning(&format!(
            "{} taken for finite, one range beyond the others",
            counted(notes.infinite, "infinite score was", "infinite scores were")
        ));
    }
}
