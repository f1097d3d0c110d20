//! `mrmr check`: everything that is wrong with judgements, runs or a data set, at once.

mod against;
mod files;
mod json;
mod report;
mod scores;
mod table;

use std::path::Path;

use mrmr_core::{Dataset, Error, Result};
use mrmr_formats::dataset::DatasetNotes;
use mrmr_formats::findings::Severity;
use mrmr_formats::scan;

use crate::Ending;
use crate::arguments::CheckArguments;
use crate::printer::Printer;
use against::Judged;
use report::Report;

/// How many ids a sentence shows.
const SHOWN: usize = 5;

pub(crate) fn run(arguments: &CheckArguments, printer: Printer) -> Result<Ending> {
    let path = arguments.path.as_deref();
    let with_path = path.into_iter().chain(arguments.runs.iter().map(Path::new));
    let named = with_path.chain(arguments.run.iter().map(Path::new));
    if named.filter(|path| path.as_os_str() == "-").count() > 1 {
        return Err(Error::usage("standard input (-) can be read once only"));
    }
    let mut reports = Vec::new();
    let judged = path.and_then(|path| {
        let checked = if path.is_dir() {
            files::dataset(path)
        } else {
            files::qrels(path)
        };
        let (report, judged) = match checked {
            Ok((report, judged)) => (report, Some(judged)),
            Err(error) => (Report::unread(path, error), None),
        };
        reports.push(report);
        judged
    });
    let mut check = |run: &Path, judged: Option<&Judged>| {
        reports.push(match files::run(run, judged) {
            Ok(report) => report,
            Err(error) => Report::unread(run, error),
        });
    };
    for run in &arguments.runs {
        check(run, judged.as_ref());
    }
    for run in &arguments.run {
        check(run, judged.as_ref().filter(|judged| !judged.is_dataset));
    }
    printer.data(&if arguments.format == "json" {
        json::json(&reports)
    } else {
        table::table(&reports, arguments.all)
    })?;
    let unread: Vec<&Error> = reports.iter().filter_map(|r| r.unread.as_ref()).collect();
    for error in &unread {
        printer.error(error);
    }
    let is_found = |report: &Report| {
        report.findings.count(Severity::Error) + report.findings.count(Severity::Warning) > 0
    };
    Ok(if !unread.is_empty() {
        Ending::Code(2)
    } else if reports.iter().any(is_found) {
        Ending::Found
    } else {
        Ending::Done
    })
}

/// What does not fit together in a data set that was opened, one sentence each.
pub(super) fn dataset_findings(dataset: &Dataset, notes: &DatasetNotes) -> Vec<String> {
    let found = scan::dataset_findings(dataset, notes);
    let mut sentences: Vec<String> = found
        .lists()
        .filter(|found| found.code.severity() < Severity::Note)
        .map(|found| {
            let listed = found.listed.iter().take(SHOWN);
            let listed: Vec<&str> = listed.map(|finding| finding.message.as_str()).collect();
            let more = match found.count as usize - listed.len() {
                0 => String::new(),
                more => format!("; and {more} more"),
            };
            format!("{}: {}{more}", found.code.meaning(), listed.join("; "))
        })
        .collect();
    if notes.qrels.identical_rows > 0 {
        sentences.push(format!(
            "{} judgements repeat an earlier one",
            notes.qrels.identical_rows
        ));
    }
    sentences
}
