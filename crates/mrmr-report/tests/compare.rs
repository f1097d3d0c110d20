//! Comparisons in every format.

#![allow(clippy::unwrap_used)]

mod support;

use mrmr_core::Run;
use mrmr_measures::statistics::SEED;
use mrmr_measures::{CompareOptions, Evaluation, compare, compare_all_pairs};
use mrmr_report::{AllPairsReport, CompareReport, Format, Numbers};
use support::*;

fn report(others: &[Run]) -> CompareReport {
    let qrels = qrels();
    let measures = ["nDCG@10", "RR@10"]
        .iter()
        .map(|text| text.parse().unwrap());
    let evaluator = evaluator(&qrels, measures.collect());
    let runs: Vec<_> = std::iter::once(&weak())
        .chain(others)
        .map(|run| facts(&evaluator, run))
        .collect();
    let evaluations: Vec<&Evaluation> = runs.iter().map(|run| &run.evaluation).collect();
    let compared = compare(&evaluations, 0, &CompareOptions::default()).unwrap();
    CompareReport {
        qrels: qrels_facts(),
        gates: compared.regressions(0.01),
        compared,
        runs,
        numbers: Numbers::default(),
    }
}

#[test]
fn every_format_is_as_recorded() {
    for format in Format::ALL {
        let text = report(&[strong(), same()]).write(*format);
        insta::assert_snapshot!(format!("compare.{format}"), text);
    }
}

#[test]
fn one_run_has_its_measures_as_rows() {
    let text = report(&[run("worse", &[4, 4, 5, 4, 3, 5, 6, 4])]).write(Format::Table);
    insta::assert_snapshot!("compare_one.table", text);
}

#[test]
fn all_pairs_have_letters() {
    let qrels = qrels();
    let evaluator = evaluator(&qrels, vec!["RR@10".parse().unwrap()]);
    let runs: Vec<_> = [weak(), strong(), same()]
        .iter()
        .map(|run| facts(&evaluator, run))
        .collect();
    let evaluations: Vec<&Evaluation> = runs.iter().map(|run| &run.evaluation).collect();
    let options = CompareOptions::default();
    let report = AllPairsReport {
        qrels: qrels_facts(),
        compared: compare_all_pairs(&evaluations, &options, 1000, SEED).unwrap(),
        runs,
        numbers: Numbers::default(),
    };
    for format in [Format::Table, Format::Latex, Format::Csv, Format::Html] {
        insta::assert_snapshot!(format!("all_pairs.{format}"), report.write(format));
    }
}
