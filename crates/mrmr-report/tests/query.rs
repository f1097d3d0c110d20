//! Two runs query by query, and one query taken apart.

#![allow(clippy::unwrap_used)]

mod support;

use mrmr_core::{Origin, Qrels, Run};
use mrmr_measures::{MeasureSpec, QueryDifference};
use mrmr_report::{DifferencesReport, ExplainReport, Format, Numbers, SideBySideReport};
use support::*;

const FORMATS: &[Format] = &[Format::Table, Format::Tsv, Format::Json, Format::Markdown];

fn spec() -> MeasureSpec {
    "nDCG@3".parse().unwrap()
}

#[test]
fn differences_are_as_recorded() {
    let qrels = qrels();
    let evaluator = evaluator(&qrels, vec![spec()]);
    let (a, b) = (weak(), strong());
    let report = DifferencesReport {
        qrels: qrels_facts(),
        runs: vec![facts(&evaluator, &a), facts(&evaluator, &b)],
        differences: evaluator.differences(&a, &b, &spec()).unwrap(),
        top: 5,
        numbers: Numbers::default(),
    };
    for format in FORMATS {
        insta::assert_snapshot!(format!("diff.{format}"), report.write(*format));
    }
}

#[test]
fn side_by_side_is_as_recorded() {
    let qrels = qrels();
    let evaluator = evaluator(&qrels, vec![spec()]);
    let query = QUERIES[6];
    let a = evaluator.explain(&weak(), query, &spec()).unwrap();
    let b = evaluator.explain(&strong(), query, &spec()).unwrap();
    let report = SideBySideReport {
        qrels: qrels_facts(),
        difference: QueryDifference::of(&a, &b).unwrap(),
        a,
        b,
        top: 6,
        numbers: Numbers::default(),
    };
    for format in FORMATS {
        insta::assert_snapshot!(format!("side_by_side.{format}"), report.write(*format));
    }
}

#[test]
fn an_explanation_is_as_recorded() {
    let qrels = qrels();
    for measure in ["nDCG@3", "bpref", "P@3"] {
        let spec: MeasureSpec = measure.parse().unwrap();
        let evaluator = evaluator(&qrels, vec![spec.clone()]);
        let report = ExplainReport {
            qrels: qrels_facts(),
            source: "weak.run".to_owned(),
            hash: None,
            explanation: evaluator.explain(&weak(), QUERIES[7], &spec).unwrap(),
            top: 3,
            numbers: Numbers::default(),
        };
        let name = spec.definition().name;
        insta::assert_snapshot!(format!("explain_{name}.table"), report.write(Format::Table));
        if name == "nDCG" {
            insta::assert_snapshot!("explain_nDCG.json", report.write(Format::Json));
            insta::assert_snapshot!("explain_nDCG.csv", report.write(Format::Csv));
        }
    }
}

#[test]
fn an_infinite_score_is_a_text_in_json_and_a_word_in_csv() {
    let mut judged = Qrels::builder(Origin::memory("qrels"));
    judged.add("q", "top", 1.0, 0).unwrap();
    let qrels = judged.finish().unwrap().0;
    let mut scored = Run::builder("run", Origin::memory("run"));
    scored.add("q", "top", f64::INFINITY, 0).unwrap();
    scored.add("q", "mid", 0.5, 1).unwrap();
    scored.add("q", "low", f64::NEG_INFINITY, 2).unwrap();
    let run = scored.finish(Default::default()).unwrap().0;
    let evaluator = evaluator(&qrels, vec![spec()]);
    let explanation = evaluator.explain(&run, "q", &spec()).unwrap();
    let explain = ExplainReport {
        qrels: qrels_facts(),
        source: "x.run".to_owned(),
        hash: None,
        explanation: explanation.clone(),
        top: 3,
        numbers: Numbers::default(),
    };
    let beside = SideBySideReport {
        qrels: qrels_facts(),
        difference: QueryDifference::of(&explanation, &explanation).unwrap(),
        a: explanation.clone(),
        b: explanation,
        top: 3,
        numbers: Numbers::default(),
    };
    let expected = serde_json::json!(["inf", 0.5, "-inf"]);
    let scores = |ranks: &serde_json::Value| -> serde_json::Value {
        let ranks = ranks.as_array().unwrap().iter();
        ranks.map(|ranked| ranked["score"].clone()).collect()
    };
    let parsed: serde_json::Value = serde_json::from_str(&explain.write(Format::Json)).unwrap();
    assert_eq!(scores(&parsed["ranks"]), expected);
    let parsed: serde_json::Value = serde_json::from_str(&beside.write(Format::Json)).unwrap();
    assert_eq!(scores(&parsed["a"]["ranking"]), expected);
    assert_eq!(scores(&parsed["b"]["ranking"]), expected);
    for lines in [
        explain.write(Format::JsonLines),
        beside.write(Format::JsonLines),
    ] {
        let rows = lines
            .lines()
            .take(3)
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        assert_eq!(scores(&rows.collect()), expected);
    }
    let csv = explain.write(Format::Csv);
    assert!(
        csv.contains("1,top,inf,") && csv.contains("3,low,-inf,"),
        "{csv}"
    );
}
