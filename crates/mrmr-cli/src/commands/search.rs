//! `mrmr search`: vectors or texts in, a run out.

mod against;
mod by_many_vectors;
mod by_vectors;
mod by_words;
mod clock;
mod effort;
mod incomplete;
mod index;
mod lists;
mod memory;
mod options;
mod output;
mod side;
mod sweep;
mod system;

use std::path::PathBuf;

use mrmr_core::{Error, Result, Run};

use self::by_vectors::{Answer, Search};
use self::lists::Lists;
use self::output::SweepForm;
use super::inputs;
use crate::Ending;
use crate::arguments::SearchArguments;
use crate::printer::Printer;
use crate::words::counted;

pub(crate) use output::{FORM_NAMES, RunForm};
pub(crate) use system::System;

pub(crate) fn run(arguments: &SearchArguments, printer: Printer) -> Result<Ending> {
    let system = System::chosen(arguments)?;
    options::check(arguments, system)?;
    if arguments.k() == 0 {
        return Err(Error::usage(
            "-k is 0; expected at least 1 document a query",
        ));
    }
    // What would end it is looked for before the work begins.
    let sweeps = arguments.against.sweep.is_some();
    let form = match sweeps {
        true => SweepForm::of(arguments).map(|_| RunForm::Trec)?,
        false => RunForm::of(
            arguments.output.format.as_deref(),
            arguments.output.file.as_deref(),
        )?,
    };
    if let (Some(text), Some(name)) = (&arguments.against.sweep, system.effort()) {
        effort::parse(text, name)?;
    }
    refuse_standard_input(arguments)?;
    output::check(arguments, &read_files(arguments))?;
    output::report_format(arguments.against.report.as_deref())?;
    against::bootstrap(arguments)?;
    memory::available(arguments)?;
    let qrels = against::judgements(arguments)?;
    against::measures(arguments)?;
    let lists = Lists::read(arguments, printer)?;
    if let Some(read) = &qrels {
        lists.refuse_relevant(&read.qrels)?;
    }
    let vectors = &arguments.vectors;
    for file in [&vectors.query_vectors, &vectors.corpus_vectors]
        .into_iter()
        .flatten()
    {
        if file.is_file() {
            incomplete::warn(file, printer)?;
        }
    }
    let name = arguments.output.name.as_deref().unwrap_or(system.name());
    let answer = match system {
        System::Bm25 => Answer::Run(Box::new(by_words::run(arguments, &lists, name, printer)?)),
        System::MaxSim => by_many_vectors::run(arguments, &lists, name, printer)?,
        _ => Search::new(arguments, system, &lists, name, printer)?.run(qrels.as_ref())?,
    };
    let file = arguments.output.file.as_deref();
    match answer {
        Answer::Run(run) => {
            form.deliver(&run, file, printer)?;
            tell(&run, form, printer);
        }
        Answer::Beside(both, k) => {
            let (run, exact) = *both;
            if file.is_some() {
                form.deliver(&run, file, printer)?;
            }
            tell(&run, form, printer);
            against::show(arguments, (&exact, &run), qrels.as_ref(), k, printer)?;
        }
        Answer::Swept => {}
    }
    Ok(Ending::Done)
}

/// Says how many documents were found, and warns of queries without any.
fn tell(run: &Run, form: RunForm, printer: Printer) {
    let queries = run.queries().len();
    let empty = run.queries().keys();
    let empty = empty.filter(|query| run.entries(*query).is_empty()).count();
    if empty > 0 {
        printer.warning(&format!(
            "{empty} of {} found no document{}",
            counted(queries, "query", "queries"),
            match form.hides_empty() {
                true => ": the file does not show it, JSON would",
                false => "",
            }
        ));
    }
    printer.say(&format!(
        "{} for {}",
        counted(run.len(), "document", "documents"),
        counted(queries, "query", "queries")
    ));
}

/// The files that are read.
fn read_files(arguments: &SearchArguments) -> Vec<PathBuf> {
    let (vectors, texts) = (&arguments.vectors, &arguments.texts);
    // A list of its own name is none of the files.
    let stop_words = arguments.bm25.stop_words.as_ref().map(PathBuf::from);
    let files = [
        &vectors.corpus_vectors,
        &vectors.corpus_ids,
        &vectors.query_vectors,
        &vectors.query_ids,
        &texts.corpus,
        &texts.queries,
        &arguments.bm25.captions,
        &arguments.exclude,
        &arguments.candidates,
        &arguments.index.index,
        &arguments.against.qrels,
        &stop_words,
    ];
    files.into_iter().flatten().cloned().collect()
}

/// Standard input can be read once, and not for what is looked at in several places.
fn refuse_standard_input(arguments: &SearchArguments) -> Result<()> {
    let (vectors, texts) = (&arguments.vectors, &arguments.texts);
    for (flag, path) in [
        ("--corpus-vectors", &vectors.corpus_vectors),
        ("--query-vectors", &vectors.query_vectors),
        ("--corpus", &texts.corpus),
        ("--queries", &texts.queries),
        ("--index", &arguments.index.index),
    ] {
        if path.as_ref().is_some_and(|path| path.as_os_str() == "-") {
            return Err(
                Error::usage(format!("{flag} - : standard input cannot be read here")).hint(
                    "a file it must be; ids, candidates, exclusions and judgements may come from -",
                ),
            );
        }
    }
    inputs::refuse_two_standard_inputs(&read_files(arguments))
}
