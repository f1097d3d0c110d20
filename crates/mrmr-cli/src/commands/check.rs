//! `mrmr check`: everything that is wrong with judgements, runs or a data set, at once.

use std::fmt::Write as _;
use std::path::Path;

use mrmr_core::{DuplicatePolicy, Error, Result};
use mrmr_formats::dataset::{CollectionNotes, DatasetNotes, DatasetOptions, open_dataset};
use mrmr_measures::{Evaluator, MeasureSpec, Policies};
use serde_json::json;

use crate::Ending;
use crate::arguments::CheckArguments;
use crate::printer::Printer;
use crate::reading::{self, ReadQrels};

/// How many ids a finding shows.
const SHOWN: usize = 5;

/// What was found about one source.
struct Report {
    source: String,
    facts: Vec<String>,
    findings: Vec<String>,
}

pub(crate) fn run(arguments: &CheckArguments, printer: Printer) -> Result<Ending> {
    let mut reports = Vec::new();
    let mut runs: Vec<&Path> = arguments.run.iter().map(AsRef::as_ref).collect();
    match &arguments.path {
        Some(path) if path.is_dir() => {
            if !arguments.runs.is_empty() {
                return Err(Error::usage("a data set is checked on its own")
                    .hint("to check runs, name the file of judgements first"));
            }
            reports.push(caught(&path.display().to_string(), check_dataset(path)));
            for run in runs {
                reports.push(caught(&run.display().to_string(), check_run(run, None)));
            }
        }
        Some(path) => {
            let (report, qrels) = match check_qrels(path) {
                Ok((report, qrels)) => (report, Some(qrels)),
                Err(error) => (caught(&path.display().to_string(), Err(error)), None),
            };
            reports.push(report);
            runs.extend(arguments.runs.iter().map(AsRef::<Path>::as_ref));
            for run in runs {
                let report = check_run(run, qrels.as_ref());
                reports.push(caught(&run.display().to_string(), report));
            }
        }
        None => {
            for run in runs {
                reports.push(caught(&run.display().to_string(), check_run(run, None)));
            }
        }
    }
    let found: usize = reports.iter().map(|report| report.findings.len()).sum();
    printer.data(&if arguments.format == "json" {
        as_json(&reports)
    } else {
        as_text(&reports)
    })?;
    Ok(if found > 0 {
        Ending::Found
    } else {
        Ending::Done
    })
}

/// What stops the reading is a finding like any other.
fn caught(source: &str, report: Result<Report>) -> Report {
    report.unwrap_or_else(|error| {
        let hints: String = error
            .hints()
            .iter()
            .map(|hint| format!(" ({hint})"))
            .collect();
        Report {
            source: source.to_owned(),
            facts: Vec::new(),
            findings: vec![format!("{error}{hints}")],
        }
    })
}

fn check_qrels(path: &Path) -> Result<(Report, ReadQrels)> {
    let read = reading::qrels(path)?;
    let qrels = &read.qrels;
    let mut findings = reading::qrels_remarks(&read.notes);
    let hopeless: Vec<String> = qrels
        .queries()
        .keys()
        .filter(|query| qrels.judgements(*query).iter().all(|j| j.grade <= 0.0))
        .map(|query| qrels.queries().name(query).to_owned())
        .collect();
    if !hopeless.is_empty() {
        findings.push(listed("queries have no relevant document", &hopeless));
    }
    let report = Report {
        source: read.source.clone(),
        facts: vec![format!(
            "{} judgements of {} documents for {} queries, highest grade {}",
            qrels.len(),
            qrels.documents().len(),
            qrels.queries().len(),
            qrels.max_grade().unwrap_or_default(),
        )],
        findings,
    };
    Ok((report, read))
}

fn check_run(path: &Path, qrels: Option<&ReadQrels>) -> Result<Report> {
    let (read, duplicates) = match reading::run(path, DuplicatePolicy::Error) {
        Ok(read) => (read, None),
        // Everything is to be found at once: read on over repeated documents.
        Err(error) => match reading::run(path, DuplicatePolicy::First) {
            Ok(read) => (read, Some(error)),
            Err(_) => return Err(error),
        },
    };
    let run = &read.run;
    let mut findings = Vec::new();
    findings.extend(duplicates.map(|error| error.to_string()));
    findings.extend(reading::run_remarks(&read.notes));
    if run.is_empty() {
        findings.push("the run is empty".to_owned());
    }
    let facts = vec![format!(
        "run '{}': {} answers to {} queries, {} documents",
        run.name(),
        run.len(),
        run.queries().len(),
        run.documents().len()
    )];
    if let Some(read_qrels) = qrels {
        let measure: MeasureSpec = "nDCG@10".parse()?;
        let evaluator = Evaluator::new(&read_qrels.qrels, vec![measure], Policies::default())?;
        match evaluator.evaluate(run) {
            Err(error) => {
                let hints: String = error
                    .hints()
                    .iter()
                    .map(|hint| format!(" ({hint})"))
                    .collect();
                findings.push(format!("{error}{hints}"));
            }
            Ok(evaluation) => {
                let coverage = &evaluation.coverage;
                for (what, ids) in [
                    ("judged queries are missing from the run", &coverage.missing),
                    ("queries of the run are not judged", &coverage.extra),
                    ("queries have an empty list of answers", &coverage.empty),
                ] {
                    if !ids.is_empty() {
                        findings.push(listed(what, ids));
                    }
                }
                if coverage.top10_unjudged > 0 {
                    findings.push(format!(
                        "{} of {} documents in the top 10 are unjudged",
                        coverage.top10_unjudged, coverage.top10
                    ));
                }
                if evaluation.tied_queries > 0 {
                    findings.push(format!(
                        "{} queries have documents with equal scores, {} of them across rank 10, {} with one score for all",
                        evaluation.tied_queries,
                        evaluation.measures[0].tied_at_cutoff,
                        evaluation.all_equal_queries
                    ));
                }
                if evaluation.precision_queries > 0 {
                    findings.push(format!(
                        "{} queries have scores that differ in 64 bits and not in 32",
                        evaluation.precision_queries
                    ));
                }
            }
        }
    }
    Ok(Report {
        source: read.source.clone(),
        facts,
        findings,
    })
}

fn check_dataset(path: &Path) -> Result<Report> {
    let (dataset, notes) = open_dataset(path, &DatasetOptions::default())?;
    let facts = vec![format!(
        "{} layout, split {}: {} queries, {} documents, {} judgements",
        notes.layout,
        notes.split,
        dataset.queries.len(),
        dataset.corpus.len(),
        dataset.qrels.len()
    )];
    Ok(Report {
        source: path.display().to_string(),
        facts,
        findings: dataset_findings(&notes),
    })
}

/// What is wrong with a data set, one finding each.
pub(super) fn dataset_findings(notes: &DatasetNotes) -> Vec<String> {
    let mut findings = Vec::new();
    for (what, ids) in [
        (
            "relevant documents are missing from the corpus",
            &notes.orphan_golds,
        ),
        ("queries have no judgement", &notes.unjudged_queries),
        (
            "judged queries are not among the queries",
            &notes.unknown_queries,
        ),
    ] {
        if !ids.is_empty() {
            findings.push(listed(what, ids));
        }
    }
    if notes.qrels.identical_rows > 0 {
        findings.push(format!(
            "{} judgements repeat an earlier one",
            notes.qrels.identical_rows
        ));
    }
    for (kind, collection) in [("queries", &notes.queries), ("documents", &notes.corpus)] {
        let CollectionNotes {
            incomplete,
            declared_otherwise,
            ..
        } = collection;
        if !incomplete.is_empty() {
            findings.push(listed(
                &format!("{kind} name an image that is not there"),
                incomplete,
            ));
        }
        if !declared_otherwise.is_empty() {
            findings.push(listed(
                &format!("{kind} have another modality than their column says"),
                declared_otherwise,
            ));
        }
    }
    findings
}

fn listed(what: &str, ids: &[String]) -> String {
    let mut text = format!(
        "{} {what}: {}",
        ids.len(),
        ids[..ids.len().min(SHOWN)].join(", ")
    );
    if ids.len() > SHOWN {
        text += &format!(" and {} more", ids.len() - SHOWN);
    }
    text
}

fn as_text(reports: &[Report]) -> String {
    let mut out = String::new();
    for report in reports {
        let _ = writeln!(out, "{}", report.source);
        for fact in &report.facts {
            let _ = writeln!(out, "  {fact}");
        }
        for finding in &report.findings {
            let _ = writeln!(out, "  found: {finding}");
        }
        if report.findings.is_empty() {
            out.push_str("  nothing found\n");
        }
    }
    out
}

fn as_json(reports: &[Report]) -> String {
    let sources: Vec<_> = reports
        .iter()
        .map(|report| {
            json!({ "source": report.source, "facts": report.facts, "findings": report.findings })
        })
        .collect();
    format!(
        "{:#}\n",
        json!({ "schema": "mrmr.check/1", "sources": sources })
    )
}
