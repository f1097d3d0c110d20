//! Each kind of source, read to its end.

use std::path::Path;

use mrmr_core::{Result, counted};
use mrmr_formats::dataset::DatasetOptions;
use mrmr_formats::findings::Findings;
use mrmr_formats::{Input, scan};

use super::against::{Judged, against};
use super::report::Report;
use super::scores::scores;

pub(super) fn qrels(path: &Path) -> Result<(Report, Judged)> {
    let input = Input::new(path);
    let scanned = scan::qrels(&input)?;
    let qrels = &scanned.qrels;
    let highest = qrels
        .max_grade()
        .map_or(String::new(), |grade| format!(", highest grade {grade}"));
    let report = Report {
        source: input.name(),
        kind: "judgements",
        format: scanned.file.format.map(|format| format.to_string()),
        facts: vec![format!(
            "{} of {} for {}{highest}",
            counted(qrels.len(), "judgement", "judgements"),
            counted(qrels.documents().len(), "document", "documents"),
            counted(qrels.queries().len(), "query", "queries"),
        )],
        findings: scanned.findings.clone(),
        unread: None,
    };
    Ok((report, Judged::file(input.name(), scanned)))
}

pub(super) fn dataset(path: &Path) -> Result<(Report, Judged)> {
    let scanned = scan::dataset(path, &DatasetOptions::default())?;
    let (dataset, notes) = (&scanned.dataset, &scanned.notes);
    let report = Report {
        source: path.display().to_string(),
        kind: "data set",
        format: Some(notes.layout.to_string()),
        facts: vec![format!(
            "split {}: {}, {}, {}",
            notes.split,
            counted(dataset.queries.len(), "query", "queries"),
            counted(dataset.corpus.len(), "document", "documents"),
            counted(dataset.qrels.len(), "judgement", "judgements")
        )],
        findings: scanned.findings.clone(),
        unread: None,
    };
    let judged = Judged::dataset(path.display().to_string(), scanned);
    Ok((report, judged))
}

pub(super) fn run(path: &Path, judged: Option<&Judged>) -> Result<Report> {
    let input = Input::new(path);
    let mut scanned = scan::run(&input)?;
    let run = &scanned.run;
    let mut facts = vec![format!(
        "run '{}': {} to {}, {}",
        run.name(),
        counted(run.len(), "answer", "answers"),
        counted(run.queries().len(), "query", "queries"),
        counted(run.documents().len(), "document", "documents")
    )];
    let empty = Findings::new(input.name());
    let mut findings = std::mem::replace(&mut scanned.findings, empty);
    scores(&scanned, &mut findings);
    if let Some(judged) = judged {
        facts.extend(against(&input.name(), &scanned, judged, &mut findings)?);
    }
    Ok(Report {
        source: input.name(),
        kind: "run",
        format: scanned.file.format.map(|format| format.to_string()),
        facts,
        findings,
        unread: None,
    })
}
