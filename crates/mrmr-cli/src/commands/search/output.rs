//! Where a run or a sweep goes, and in which form.

use std::io::Write;
use std::path::{Path, PathBuf};

use mrmr_core::{Error, Place, RankingPolicy, Result, Run};
use mrmr_formats::output::{write_atomically, write_run_json, write_run_parquet, write_run_trec};
use mrmr_report::Format;

use super::settings;
use crate::arguments::SearchArguments;
use crate::printer::Printer;

/// The names of all forms: those of runs, then those of a sweep.
pub(crate) const FORM_NAMES: [&str; 13] = [
    "trec", "json", "parquet", "table", "tsv", "csv", "jsonl", "markdown", "latex", "html",
    "github", "junit", "svg",
];

/// The form of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RunForm {
    Trec,
    Json,
    Parquet,
}

/// The form of a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SweepForm {
    Report(Format),
    Svg,
}

impl RunForm {
    /// The form that was asked for, else that of the file's ending, else TREC.
    pub(crate) fn of(format: Option<&str>, file: Option<&Path>) -> Result<Self> {
        let file = file.filter(|file| file.as_os_str() != "-");
        let ending = file.map(|file| file.extension().unwrap_or_default().to_string_lossy());
        let form = match (format, ending.as_deref()) {
            (Some("trec"), _) | (None, None | Some("trec" | "run" | "txt")) => RunForm::Trec,
            (Some("json"), _) | (None, Some("json")) => RunForm::Json,
            (Some("parquet"), _) | (None, Some("parquet")) => RunForm::Parquet,
            (Some(other), _) => {
                return Err(Error::usage(format!(
                    "--format {other} is no form of a run; expected trec, json or parquet"
                ))
                .hint("--sweep and --report write tables"));
            }
            (None, Some(_)) => {
                return Err(Error::usage(
                    "the ending says no form of a run; expected .trec, .run, .txt, .json or .parquet",
                )
                .at(place(file.unwrap_or(Path::new("-"))))
                .hint("--format says the form whatever the ending"));
            }
        };
        Ok(form)
    }

    pub(crate) fn deliver(self, run: &Run, file: Option<&Path>, printer: Printer) -> Result<()> {
        let policy = RankingPolicy::default();
        let write = |out: &mut (dyn Write + Send)| match self {
            RunForm::Trec => write_run_trec(run, policy, out),
            RunForm::Json => write_run_json(run, policy, out),
            RunForm::Parquet => write_run_parquet(run, policy, out),
        };
        match file.filter(|file| file.as_os_str() != "-") {
            Some(file) => write_atomically(file, write),
            None => {
                let mut bytes = Vec::new();
                write(&mut bytes)?;
                printer.bytes(&bytes)
            }
        }
    }

    /// Whether a query without documents is not in the file.
    pub(super) fn hides_empty(self) -> bool {
        self != RunForm::Json
    }
}

impl SweepForm {
    pub(super) fn of(arguments: &SearchArguments) -> Result<Self> {
        let file = named(arguments);
        let is_svg = file.is_some_and(|file| file.extension().is_some_and(|e| e == "svg"));
        match arguments.output.format.as_deref() {
            Some("svg") => Ok(SweepForm::Svg),
            Some(name @ ("trec" | "parquet" | "junit")) => Err(Error::usage(format!(
                "--format {name} is no form of a sweep; expected svg, {}",
                Format::NAMES
                    .iter()
                    .filter(|name| **name != Format::Junit.name())
                    .copied()
                    .collect::<Vec<_>>()
                    .join(", ")
            ))),
            Some(name) => Ok(SweepForm::Report(name.parse()?)),
            None if is_svg => Ok(SweepForm::Svg),
            None => Ok(SweepForm::Report(report_format(file)?)),
        }
    }
}

/// The form of a report by its file's ending; a table where it goes to stdout.
pub(super) fn report_format(file: Option<&Path>) -> Result<Format> {
    let Some(file) = file else {
        return Ok(Format::default());
    };
    let format = Format::of_file(file).ok_or_else(|| {
        let endings = Format::ALL.iter().flat_map(|format| format.endings());
        let endings: Vec<String> = endings.map(|ending| format!(".{ending}")).collect();
        Error::usage(format!(
            "the ending says no form of results; expected one of {}",
            endings.join(", ")
        ))
        .at(place(file))
    })?;
    match format {
        Format::Junit => Err(Error::usage("there is no gate that junit could report")),
        format => Ok(format),
    }
}

/// Refuses what cannot be written, before the work begins: over an input, two things at one place, into a folder
/// that is not there.
pub(super) fn check<'a>(
    arguments: &'a SearchArguments,
    inputs: impl Iterator<Item = &'a PathBuf> + Clone,
) -> Result<()> {
    let outputs = [
        named(arguments),
        arguments.against.report.as_deref(),
        arguments.against.svg.as_deref(),
        arguments.index.save_index.as_deref(),
    ];
    let outputs: Vec<&Path> = outputs.into_iter().flatten().collect();
    for (at, file) in outputs.iter().enumerate() {
        settings::refuse_overwriting(Some(file), inputs.clone())?;
        if outputs[..at].contains(file) {
            return Err(Error::usage("two results would be written to one file").at(place(file)));
        }
        refuse_missing_folder(file)?;
    }
    let report_to_stdout = arguments.against.against_exact && arguments.against.report.is_none();
    if report_to_stdout && to_stdout(arguments) {
        return Err(Error::usage(
            "the run and what --against-exact shows would both go to standard output",
        )
        .hint("-o FILE writes the run, --report FILE the other"));
    }
    Ok(())
}

/// Whether `-o -` was given.
fn to_stdout(arguments: &SearchArguments) -> bool {
    let file = arguments.output.file.as_deref();
    file.is_some_and(|file| file.as_os_str() == "-")
}

/// The file of `-o`, unless it is standard output.
fn named(arguments: &SearchArguments) -> Option<&Path> {
    let file = arguments.output.file.as_deref();
    file.filter(|file| file.as_os_str() != "-")
}

fn refuse_missing_folder(file: &Path) -> Result<()> {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            Err(Error::usage("expected a folder for the results, found none").at(place(folder)))
        }
        _ => Ok(()),
    }
}

fn place(path: &Path) -> Place {
    Place::whole(path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_report_has_a_name() {
        for format in Format::NAMES {
            assert!(FORM_NAMES.contains(format), "{format}");
        }
    }
}
