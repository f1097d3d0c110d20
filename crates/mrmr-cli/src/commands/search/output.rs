//! Where a run or a sweep goes, and in which form.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};

use mrmr_core::{DocId, Error, Ids, Place, QueryId, RankingPolicy, Result, Run};
use mrmr_formats::output::{
    check_trec_ids, write_atomically, write_run_json, write_run_parquet, write_run_trec,
};
use mrmr_report::Format;

use crate::arguments::SearchArguments;
use crate::commands::settings;
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

    /// Refuses ids that this form cannot hold.
    pub(crate) fn check_ids<'a>(
        self,
        queries: impl IntoIterator<Item = &'a str>,
        documents: impl IntoIterator<Item = &'a str>,
    ) -> Result<()> {
        if self != RunForm::Trec {
            return Ok(());
        }
        check_trec_ids("query", queries)?;
        check_trec_ids("document", documents)
    }

    pub(crate) fn deliver(self, run: &Run, file: Option<&Path>, printer: Printer) -> Result<()> {
        let policy = RankingPolicy::default();
        let write = |out: &mut (dyn Write + Send)| match self {
            RunForm::Trec => write_run_trec(run, policy, out),
            RunForm::Json => write_run_json(run, policy, out),
            RunForm::Parquet => write_run_parquet(run, policy, out),
        };
        match file.filter(|file| !is_standard_output(file)) {
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
            None => Ok(SweepForm::Report(form_of_ending(file, &["svg"])?)),
        }
    }
}

/// The form of a report by its file's ending; a table where it goes to stdout.
pub(super) fn report_format(file: Option<&Path>) -> Result<Format> {
    form_of_ending(file, &[])
}

/// That of a report, or an error that names its endings and `others`.
fn form_of_ending(file: Option<&Path>, others: &[&str]) -> Result<Format> {
    let Some(file) = file.filter(|file| !is_standard_output(file)) else {
        return Ok(Format::default());
    };
    match Format::of_file(file) {
        Some(Format::Junit) => Err(Error::usage("there is no gate that junit could report")),
        Some(format) => Ok(format),
        None => {
            let forms = Format::ALL.iter().filter(|form| **form != Format::Junit);
            let endings = forms.flat_map(|form| form.endings()).chain(others);
            let endings: Vec<String> = endings.map(|ending| format!(".{ending}")).collect();
            Err(Error::usage(format!(
                "the ending says no form of results; expected one of {}",
                endings.join(", ")
            ))
            .at(place(file)))
        }
    }
}

/// Refuses what cannot be written, before the work begins: over an input, two things at one place, into a folder
/// that is not there.
pub(super) fn check(arguments: &SearchArguments, inputs: &[PathBuf]) -> Result<()> {
    let (report, svg) = (&arguments.against.report, &arguments.against.svg);
    let index = arguments.index.save_index.as_deref();
    if index.is_some_and(is_standard_output) {
        return Err(Error::usage("--save-index - : an index goes to a file"));
    }
    let other = |ending: &OsStr| !ending.eq_ignore_ascii_case("svg");
    if let Some(file) = svg
        .as_ref()
        .filter(|file| file.extension().is_some_and(other))
    {
        return Err(Error::usage("--svg draws an SVG; expected the ending .svg").at(place(file)));
    }
    let outputs = [
        arguments.output.file.as_deref(),
        report.as_deref(),
        svg.as_deref(),
        index,
    ];
    let outputs = outputs.into_iter().flatten();
    let outputs: Vec<&Path> = outputs.filter(|file| !is_standard_output(file)).collect();
    for (at, file) in outputs.iter().enumerate() {
        settings::refuse_overwriting(Some(file), inputs)?;
        let same = |other: &&Path| resolved(other) == resolved(file);
        if outputs[..at].iter().any(same) {
            return Err(Error::usage("two results would be written to one file").at(place(file)));
        }
        refuse_missing_folder(file)?;
    }
    refuse_two_on_stdout(arguments)
}

/// Refuses ids that the run's form cannot hold, where a run is written: any document may be found.
pub(super) fn check_ids(
    arguments: &SearchArguments,
    queries: &Ids<QueryId>,
    documents: &Ids<DocId>,
) -> Result<()> {
    let (output, against) = (&arguments.output, &arguments.against);
    let shown_alone = against.against_exact && output.file.is_none();
    if against.sweep.is_some() || shown_alone {
        return Ok(());
    }
    let form = RunForm::of(output.format.as_deref(), output.file.as_deref())?;
    form.check_ids(queries.names(), documents.names())
}

fn refuse_two_on_stdout(arguments: &SearchArguments) -> Result<()> {
    let against = &arguments.against;
    let output = arguments.output.file.as_deref();
    let is_dash = |file: &Option<PathBuf>| file.as_deref().is_some_and(is_standard_output);
    let report = against.report.is_none() || is_dash(&against.report);
    if against.against_exact && report && output.is_some_and(is_standard_output) {
        return Err(Error::usage(
            "the run and what --against-exact shows would both go to standard output",
        )
        .hint("-o FILE writes the run, --report FILE the other"));
    }
    if is_dash(&against.svg) && output.is_none_or(is_standard_output) {
        return Err(
            Error::usage("the sweep and its drawing would both go to standard output")
                .hint("-o FILE writes the sweep; --format svg alone draws it to standard output"),
        );
    }
    Ok(())
}

fn is_standard_output(file: &Path) -> bool {
    file.as_os_str() == "-"
}

/// The file of `-o`, unless it is standard output.
fn named(arguments: &SearchArguments) -> Option<&Path> {
    let file = arguments.output.file.as_deref();
    file.filter(|file| !is_standard_output(file))
}

/// A file that may not be there yet, by one name however it is spelled.
fn resolved(file: &Path) -> PathBuf {
    let in_folder = || {
        let folder = match file.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        Some(folder.canonicalize().ok()?.join(file.file_name()?))
    };
    let there = file.canonicalize().ok();
    there.or_else(in_folder).unwrap_or(file.to_owned())
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
