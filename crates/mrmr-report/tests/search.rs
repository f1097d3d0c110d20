//! Approximate search beside the exact one, in every format, and as a picture.

#![allow(clippy::unwrap_used)]

mod support;

use mrmr_measures::{CompareOptions, NeighbourRecall, Stage, compare};
use mrmr_report::{AgainstExactReport, CompareReport, Format, Numbers, SweepReport, SweepStep};
use support::*;

fn recall(values: &[f64]) -> NeighbourRecall {
    NeighbourRecall {
        k: 10,
        queries: (0..values.len()).map(|at| format!("q{at}")).collect(),
        values: values.to_vec(),
        without_documents: 0,
        mean: values.iter().sum::<f64>() / values.len() as f64,
    }
}

fn step(values: &[f64], seconds: f64, found: f64) -> SweepStep {
    SweepStep {
        recall: recall(values),
        seconds,
        cpu_seconds: Some(seconds * 1.9),
        values: vec![("nDCG@10".parse().unwrap(), found)],
    }
}

fn sweep() -> SweepReport {
    SweepReport {
        system: "hnsw".to_owned(),
        effort: "ef".to_owned(),
        setting: vec!["m 16, ef-construction 200, seed 0; 2 threads".to_owned()],
        k: 10,
        documents: 100_000,
        queries: 4,
        qrels: Some(qrels_facts()),
        exact: step(&[1.0; 4], 0.012, 0.4321),
        steps: vec![
            (16, step(&[1.0, 0.5, 0.7, 0.9], 0.000_2, 0.4)),
            (32, step(&[1.0, 0.9, 0.8, 0.9], 0.000_33, 0.42)),
            (64, step(&[1.0, 1.0, 0.9, 1.0], 0.000_6, 0.43)),
            (128, step(&[1.0, 1.0, 1.0, 1.0], 0.001_1, 0.4321)),
        ],
        numbers: Numbers::default(),
    }
}

#[test]
fn a_sweep_is_as_recorded_in_every_format() {
    for format in Format::ALL {
        insta::assert_snapshot!(format!("sweep.{format}"), sweep().write(*format));
    }
}

#[test]
fn a_sweep_is_drawn_as_recorded() {
    insta::assert_snapshot!("sweep.svg", sweep().svg());
}

#[test]
fn a_sweep_of_one_effort_that_finds_all_is_drawn_too() {
    let mut one = sweep();
    one.steps.truncate(1);
    one.steps[0].1.recall = recall(&[1.0; 4]);
    one.system = "a<b>&\"c\"".to_owned();
    insta::assert_snapshot!("sweep_one.svg", one.svg());
    assert!(!one.write(Format::Table).contains("none of these"));
    one.steps[0].1.recall = recall(&[0.5; 4]);
    let text = one.write(Format::Table);
    assert!(
        text.ends_with("none of these reaches recall@10 0.99\n"),
        "{text}"
    );
}

fn against(with_judgements: bool) -> AgainstExactReport {
    let qrels = qrels();
    let measures = vec!["nDCG@10".parse().unwrap(), "RR@10".parse().unwrap()];
    let evaluator = evaluator(&qrels, measures.clone());
    let (exact, found) = (strong().renamed("exact"), weak().renamed("hnsw"));
    let runs = vec![facts(&evaluator, &exact), facts(&evaluator, &found)];
    let evaluations = [&runs[0].evaluation, &runs[1].evaluation];
    let compared = compare(&evaluations, 0, &CompareOptions::default()).unwrap();
    let stages = [(Stage::Exact, &exact), (Stage::Ann, &found)];
    let losses = measures
        .iter()
        .map(|spec| evaluator.waterfall(&stages, spec, None).unwrap());
    AgainstExactReport {
        run: "hnsw".to_owned(),
        recall: NeighbourRecall::new(&exact, &found, 6),
        losses: losses.take(if with_judgements { 2 } else { 0 }).collect(),
        compared: with_judgements.then(|| CompareReport {
            qrels: qrels_facts(),
            gates: Vec::new(),
            compared,
            runs,
            numbers: Numbers::default(),
        }),
        numbers: Numbers::default(),
    }
}

#[test]
fn what_an_index_misses_is_as_recorded() {
    for format in [Format::Table, Format::Json, Format::Tsv, Format::Markdown] {
        insta::assert_snapshot!(
            format!("against_exact.{format}"),
            against(true).write(format)
        );
    }
    insta::assert_snapshot!(
        "against_exact_alone.table",
        against(false).write(Format::Table)
    );
}
