//! The reference page, and the worked examples on it.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use mrmr_core::{Origin, Qrels, QrelsBuilder, Run};
use mrmr_measures::{Evaluator, Example, Policies, definitions, list, reference};

#[test]
fn the_page_says_what_the_declarations_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/measures.md");
    let made = reference();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &made).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == made,
        "docs/measures.md differs from the declarations; make it again: \
         UPDATE_DOCS=1 cargo test -p mrmr-measures --test reference"
    );
}

#[test]
fn every_worked_example_has_the_value_that_it_states() {
    for definition in definitions() {
        let example = &definition.example;
        let found = value(example);
        assert!(
            (found - example.value).abs() < 5e-5,
            "{}: {found}",
            example.measure
        );
        let spec: mrmr_measures::MeasureSpec = example.measure.parse().unwrap();
        assert_eq!(spec.definition().name, definition.name);
        assert_eq!(spec.to_string(), example.measure);
    }
}

#[test]
fn the_list_has_every_measure_once() {
    let listed = list();
    assert_eq!(listed.len(), definitions().len());
    let form = |name: &str| &listed.iter().find(|row| row.name == name).unwrap().form;
    assert_eq!(form("nDCG"), "nDCG[(gain=linear,min_rel=0)][@k]");
    assert_eq!(form("IPrec"), "IPrec[(rel=1)]@recall");
    assert_eq!(form("RBP"), "RBP[(p=0.8,rel=...,max_rel=...)][@k]");
    assert_eq!(form("NumQ"), "NumQ");
}

fn value(example: &Example) -> f64 {
    let mut judged = Qrels::builder(Origin::memory("qrels"));
    let mut scored = Run::builder("run", Origin::memory("run"));
    for (at, item) in example.ranking.split_whitespace().enumerate() {
        let document = format!("r{at:02}");
        scored.add("q", &document, -(at as f64), at as u64).unwrap();
        judge(&mut judged, &document, item);
    }
    for (at, item) in example.missed.split_whitespace().enumerate() {
        judge(&mut judged, &format!("m{at:02}"), item);
    }
    let (qrels, _) = judged.finish().unwrap();
    let (run, _) = scored.finish(Default::default()).unwrap();
    let measures = vec![example.measure.parse().unwrap()];
    let evaluator = Evaluator::new(&qrels, measures, Policies::default()).unwrap();
    evaluator.evaluate(&run).unwrap().measures[0].value
}

fn judge(judged: &mut QrelsBuilder, document: &str, item: &str) {
    if item == "-" {
    } else if let Ok(grade) = item.parse() {
        judged.add("q", document, grade, 0).unwrap();
    } else {
        for letter in item.chars() {
            judged
                .add_subtopic("q", &letter.to_string(), document, 1.0, 0)
                .unwrap();
        }
    }
}
