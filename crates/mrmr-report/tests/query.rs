//! Two runs query by query, and one query taken apart.

#![allow(clippy::unwrap_used)]

mod support;

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
