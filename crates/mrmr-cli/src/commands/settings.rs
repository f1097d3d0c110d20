//! What typed arguments mean.

use std::path::{Path, PathBuf};

use mrmr_core::{Error, Place, RankingPolicy, Result, ScorePrecision};
use mrmr_formats::output::write_atomically;
use mrmr_measures::statistics::Bootstrap;
use mrmr_measures::{GateOutcome, MeasureSpec, Policies};
use mrmr_report::{Format, Numbers};

use crate::Ending;
use crate::arguments::{FormArguments, IntervalArguments, LevelArguments, PolicyArguments};
use crate::printer::Printer;

/// The policies that were asked for.
pub(crate) fn policies(arguments: &PolicyArguments) -> Result<Policies> {
    let precision = match arguments.compat.as_deref() {
        Some("trec_eval-9") => ScorePrecision::F32,
        _ => ScorePrecision::F64,
    };
    Ok(Policies {
        ranking: RankingPolicy {
            ties: arguments.ties.parse()?,
            precision,
        },
        missing: arguments.missing.parse()?,
        no_relevant: arguments.no_relevant.parse()?,
        unjudged: arguments.unjudged.parse()?,
    })
}

/// The measures that were asked for, each once, or those for the case that none was.
pub(crate) fn measures(asked: &[String], otherwise: &[&str]) -> Result<Vec<MeasureSpec>> {
    let texts: Vec<&str> = if asked.is_empty() {
        otherwise.to_vec()
    } else {
        asked.iter().map(String::as_str).collect()
    };
    let mut specs: Vec<MeasureSpec> = Vec::new();
    for text in texts {
        let spec = text.parse()?;
        if !specs.contains(&spec) {
            specs.push(spec);
        }
    }
    Ok(specs)
}

/// The form that was asked for, else that of the output file's ending, else a table.
pub(crate) fn format(arguments: &FormArguments, file: Option<&Path>) -> Result<Format> {
    match (&arguments.format, file) {
        (Some(name), _) => name.parse(),
        (None, None) => Ok(Format::default()),
        (None, Some(file)) if is_standard_output(file) => Ok(Format::default()),
        (None, Some(file)) => Format::of_file(file).ok_or_else(|| {
            let endings = Format::ALL.iter().flat_map(|format| format.endings());
            let endings: Vec<String> = endings.map(|ending| format!(".{ending}")).collect();
            Error::usage(format!(
                "the ending says no form of results; expected one of {}",
                endings.join(", ")
            ))
            .at(Place::whole(file.display().to_string()))
            .hint("--format says the form whatever the ending")
        }),
    }
}

/// Whether results for this file go to stdout.
fn is_standard_output(file: &Path) -> bool {
    file.as_os_str() == "-"
}

/// Refuses to write results over a file that is read.
pub(crate) fn refuse_overwriting<'a>(
    file: Option<&Path>,
    inputs: impl IntoIterator<Item = &'a PathBuf>,
) -> Result<()> {
    let Some(target) = file.and_then(|file| file.canonicalize().ok()) else {
        return Ok(());
    };
    let same = |input: &&PathBuf| {
        input
            .canonicalize()
            .is_ok_and(|input| input == target && input.is_file())
    };
    match inputs.into_iter().find(same) {
        Some(input) => Err(
            Error::usage("the results would be written over a file that is read")
                .at(Place::whole(input.display().to_string()))
                .hint("name another file with -o"),
        ),
        None => Ok(()),
    }
}

/// How numbers are printed.
pub(crate) fn numbers(arguments: &FormArguments) -> Numbers {
    Numbers {
        digits: usize::from(arguments.digits),
        percent: arguments.percent,
    }
}

/// Whether a form is read by people, who want the first lines and not all.
pub(crate) fn is_for_people(format: Format) -> bool {
    match format {
        Format::Table | Format::Markdown | Format::Latex | Format::Html | Format::Github => true,
        Format::Tsv | Format::Csv | Format::Json | Format::JsonLines | Format::Junit => false,
    }
}

/// How intervals are computed, where they are shown.
pub(crate) fn intervals(arguments: &IntervalArguments) -> Result<Option<Bootstrap>> {
    let bootstrap = bootstrap(&arguments.level)?;
    Ok((!arguments.no_intervals).then_some(bootstrap))
}

/// How intervals are computed.
pub(crate) fn bootstrap(arguments: &LevelArguments) -> Result<Bootstrap> {
    let bootstrap = Bootstrap {
        level: arguments.interval,
        ..Bootstrap::default()
    };
    bootstrap.check()?;
    Ok(bootstrap)
}

/// Results go to the file, where one is named, else to stdout.
pub(crate) fn deliver(printer: Printer, file: Option<&Path>, text: &str) -> Result<()> {
    match file.filter(|file| !is_standard_output(file)) {
        Some(path) => write_text(path, text),
        None => printer.data(text),
    }
}

/// Says which gates failed, and ends accordingly.
pub(crate) fn ending(printer: Printer, gates: &[GateOutcome]) -> Ending {
    let mut ending = Ending::Done;
    for gate in gates.iter().filter(|gate| !gate.passed) {
        printer.failed(&gate.sentence);
        ending = Ending::Found;
    }
    ending
}

/// Writes a text file, whole or not at all.
pub(crate) fn write_text(path: &Path, text: &str) -> Result<()> {
    write_atomically(path, |out| {
        out.write_all(text.as_bytes())
            .map_err(|error| Error::io(error).at(Place::whole(path.display().to_string())))
    })
}

/// Where what is done is kept unless it is said.
const STORE: &str = ".mrmr";

/// The folder of the store: as given, else of the environment, else here.
pub(crate) fn store_folder(given: Option<&Path>) -> PathBuf {
    let variable = || std::env::var_os("MRMR_STORE").filter(|value| !value.is_empty());
    let root = given
        .map(Path::to_owned)
        .or_else(|| variable().map(PathBuf::from))
        .unwrap_or_else(|| PathBuf::from(STORE));
    root.join("vectors")
}
