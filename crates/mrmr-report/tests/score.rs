//! Scores in every format.

#![allow(clippy::unwrap_used)]

mod support;

use mrmr_measures::Gate;
use mrmr_measures::statistics::Bootstrap;
use mrmr_report::{Format, Numbers, ScoreReport, SliceFacts};
use support::*;

fn report() -> ScoreReport {
    let qrels = qrels();
    let evaluator = evaluator(&qrels, measures());
    let runs = vec![facts(&evaluator, &weak()), facts(&evaluator, &strong())];
    let slices = [
        ("1", "easy|1"),
        ("2", "easy|1"),
        ("3", "hard"),
        ("4", "hard"),
    ];
    let gates: Vec<Gate> = ["nDCG@10=0.5", "RR@10=0.2"]
        .iter()
        .map(|text| text.parse().unwrap())
        .collect();
    let outcomes = runs.iter().flat_map(|run| {
        gates
            .iter()
            .map(|gate| gate.check(&run.evaluation).unwrap())
    });
    ScoreReport {
        qrels: qrels_facts(),
        gates: outcomes.collect(),
        runs,
        per_query: false,
        intervals: Some(Bootstrap::default()),
        slices: Some(SliceFacts {
            source: "slices.tsv".to_owned(),
            of: slices
                .iter()
                .map(|(q, s)| ((*q).to_owned(), (*s).to_owned()))
                .collect(),
        }),
        numbers: Numbers::default(),
    }
}

#[test]
fn every_format_is_as_recorded() {
    for format in Format::ALL {
        insta::assert_snapshot!(format!("score.{format}"), report().write(*format));
    }
}

#[test]
fn single_queries_are_listed_before_their_mean() {
    let report = ScoreReport {
        per_query: true,
        slices: None,
        gates: Vec::new(),
        intervals: None,
        ..report()
    };
    for format in [Format::Table, Format::Csv, Format::JsonLines] {
        insta::assert_snapshot!(format!("score_per_query.{format}"), report.write(format));
    }
}

#[test]
fn an_ending_names_a_format_and_a_name_round_trips() {
    for format in Format::ALL {
        assert_eq!(format.name().parse::<Format>().unwrap(), *format);
        for ending in format.endings() {
            let path = format!("out.{}", ending.to_uppercase());
            assert_eq!(Format::of_file(path.as_ref()), Some(*format));
        }
    }
    let error = "latx".parse::<Format>().unwrap_err();
    assert_eq!(error.hints(), ["did you mean latex?"]);
}
