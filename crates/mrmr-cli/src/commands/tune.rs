//! `mrmr tune`: the parameters of a fusion, and what they are worth on queries held out.

use std::path::{Path, PathBuf};

use mrmr_bench::tuning::{TuneOptions, Tuned, describe, tune};
use mrmr_core::{Error, Place, Result, Run};
use mrmr_formats::input::Input;
use mrmr_formats::output::write_atomically;
use mrmr_formats::slices::read_slices;
use mrmr_measures::MeasureSpec;
use mrmr_report::Table;
use mrmr_search::fusion::Method;

use super::search::RunForm;
use super::{fuse, inputs, settings};
use crate::Ending;
use crate::arguments::TuneArguments;
use crate::printer::Printer;
use crate::progress::Progress;
use crate::reading;
use crate::words::counted;

pub(crate) fn run(arguments: &TuneArguments, printer: Printer) -> Result<Ending> {
    let method: Method = arguments.method.parse()?;
    let measure: MeasureSpec = arguments.measure.parse()?;
    let form = RunForm::of(None, arguments.run_out.as_deref())?;
    let options = options(arguments)?;
    check_files(arguments)?;
    let read = reading::qrels(&arguments.qrels)?;
    for remark in reading::qrels_remarks(&read.notes) {
        printer.say(&format!("note: {}: {remark}", read.source));
    }
    let (mut runs, mut sources): (Vec<Run>, Vec<String>) = Default::default();
    for path in &arguments.runs {
        let read = reading::run(path, arguments.duplicates.parse()?)?;
        for remark in reading::run_remarks(&read.notes) {
            printer.say(&format!("note: {}: {remark}", read.source));
        }
        sources.push(read.source.clone());
        // Two files may hold runs of one name.
        let taken = runs.iter().any(|run| run.name() == read.run.name());
        runs.push(match taken {
            true => read.run.renamed(read.source),
            false => read.run,
        });
    }
    let all: Vec<&Run> = runs.iter().collect();
    let progress = Progress::new(printer);
    let tuned = tune(&read.qrels, &all, &method, &measure, &options, &progress)?;
    if let Some(file) = &arguments.file {
        write_atomically(file, |out| {
            let written = out.write_all(tuned.to_toml().as_bytes());
            written.map_err(|error| Error::io(error).at(place(file)))
        })?;
    }
    if let Some(file) = &arguments.run_out {
        form.deliver(&tuned.run, Some(file), printer)?;
    }
    printer.data(&report(&tuned, arguments, options.alpha))?;
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    fuse::warn(&sources, &tuned.notes, printer);
    for warning in &tuned.warnings {
        printer.warning(warning);
    }
    Ok(Ending::Done)
}

fn options(arguments: &TuneArguments) -> Result<TuneOptions> {
    let groups = match &arguments.groups {
        Some(file) => read_slices(&Input::new(file), None)?,
        None => Default::default(),
    };
    let norms = arguments.norm.iter().map(|norm| norm.parse());
    Ok(TuneOptions {
        folds: arguments.folds,
        seed: arguments.seed,
        normalizations: norms.collect::<Result<_>>()?,
        depths: arguments.depth.clone(),
        groups,
        test: arguments.test.parse()?,
        bootstrap: settings::bootstrap(&arguments.level)?,
        ..TuneOptions::default()
    })
}

fn check_files(arguments: &TuneArguments) -> Result<()> {
    let inputs: Vec<&PathBuf> = std::iter::once(&arguments.qrels)
        .chain(&arguments.runs)
        .chain(&arguments.groups)
        .collect();
    inputs::refuse_two_standard_inputs(inputs.iter().copied())?;
    for file in [&arguments.file, &arguments.run_out].into_iter().flatten() {
        if file.as_os_str() == "-" {
            return Err(
                Error::usage("what was found goes to standard output; expected a file")
                    .at(place(file)),
            );
        }
        settings::refuse_overwriting(Some(file), inputs.iter().copied())?;
    }
    if arguments.file.is_some() && arguments.file == arguments.run_out {
        return Err(Error::usage(
            "-o and --run-out would be written to one file",
        ));
    }
    Ok(())
}

fn place(file: &Path) -> Place {
    Place::whole(file.display().to_string())
}

fn report(tuned: &Tuned, arguments: &TuneArguments, alpha: f64) -> String {
    let value = |value: f64| format!("{value:.4}");
    let measure = tuned.measure.to_string();
    let mut means = Table::new(["", measure.as_str()]);
    means.row([
        format!("best single run: {}", tuned.single),
        value(tuned.single_value),
    ]);
    means.row([
        format!("untuned: {}", describe(&tuned.untuned)),
        value(tuned.untuned_value),
    ]);
    means.row(["tuned, held out".to_owned(), value(tuned.held_out)]);
    let mut folds = Table::new([
        "fold",
        "chosen by the others",
        "queries",
        "theirs",
        "held out",
    ])
    .text_columns(2);
    for (number, fold) in tuned.folds.iter().enumerate() {
        folds.row([
            (number + 1).to_string(),
            describe(&fold.spec),
            fold.queries.to_string(),
            value(fold.chosen_by),
            value(fold.held_out),
        ]);
    }
    let [single, untuned] = tuned.verdicts(alpha);
    let searched = match tuned.exhaustive {
        true => counted(
            tuned.settings,
            "setting, all there are",
            "settings, all there are",
        ),
        false => counted(
            tuned.settings,
            "setting, from the default upwards",
            "settings, from the default upwards",
        ),
    };
    let all = counted(tuned.against_single.queries, "query", "queries");
    let lines = [
        means.text(),
        folds.text(),
        single,
        untuned,
        format!(
            "{searched}; {} folds, seed {}; {} is the best of {} with all queries in sight",
            tuned.folds.len(),
            arguments.seed,
            tuned.single,
            counted(tuned.runs.len(), "run", "runs"),
        ),
        String::new(),
        format!(
            "for queries to come, by all {all}: {} ({measure} {} on the queries that chose it)",
            describe(&tuned.chosen),
            value(tuned.in_sample),
        ),
        format!("  {}", command(tuned, arguments)),
    ];
    lines.map(|line| line + "\n").concat()
}

/// What fuses further runs with the chosen parameters.
fn command(tuned: &Tuned, arguments: &TuneArguments) -> String {
    let mut words = vec!["mrmr fuse".to_owned()];
    words.extend(
        arguments
            .runs
            .iter()
            .map(|run| quoted(&run.display().to_string())),
    );
    let chosen = &tuned.chosen;
    words.push(format!("--method {}", quoted(&chosen.method.to_string())));
    if chosen.normalization != chosen.method.default_normalization() {
        words.push(format!("--norm {}", chosen.normalization));
    }
    if let Some(depth) = chosen.depth {
        words.push(format!("--depth {depth}"));
    }
    words.join(" ")
}

/// A word of a shell's command line.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,@+".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}
