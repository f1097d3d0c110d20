//! Small judgements and runs with ids that break careless writers.

#![allow(dead_code, clippy::unwrap_used)]

use mrmr_core::{Origin, Qrels, Run};
use mrmr_measures::{Evaluator, MeasureSpec, Policies};
use mrmr_report::{QrelsFacts, RunFacts};

/// Eight queries with two relevant documents each; the last id holds what CSV, XML and Markdown care about.
pub(crate) fn qrels() -> Qrels {
    let mut judged = Qrels::builder(Origin::memory("qrels"));
    for (at, query) in QUERIES.iter().enumerate() {
        judged.add(query, &format!("d{at}"), 2.0, 0).unwrap();
        judged.add(query, &format!("e_{at}"), 1.0, 1).unwrap();
        judged.add(query, "n", 0.0, 2).unwrap();
    }
    judged.finish().unwrap().0
}

pub(crate) const QUERIES: &[&str] = &["1", "2", "3", "4", "5", "6", "7", "a,b|\"<&_\n%"];

/// A run that puts the first relevant document of the n-th query at `ranks[n]`, the second one below.
pub(crate) fn run(name: &str, ranks: &[usize]) -> Run {
    let mut scored = Run::builder(name, Origin::memory("run"));
    for ((at, query), rank) in QUERIES.iter().enumerate().zip(ranks) {
        for place in 1..=6 {
            let document = match place {
                _ if place == *rank => format!("d{at}"),
                _ if place == *rank + 2 => format!("e_{at}"),
                1 => "n".to_owned(),
                _ => format!("x{place}"),
            };
            scored
                .add(query, &document, 7.0 - place as f64, place as u64)
                .unwrap();
        }
    }
    scored.finish(Default::default()).unwrap().0
}

pub(crate) fn weak() -> Run {
    run("bm25", &[3, 2, 4, 3, 2, 4, 6, 3])
}

pub(crate) fn strong() -> Run {
    run("a|b & c_d% <x> \"q\" *", &[1, 1, 1, 1, 1, 2, 1, 1])
}

pub(crate) fn same() -> Run {
    run("bm25 again", &[3, 2, 4, 3, 2, 4, 6, 3])
}

pub(crate) fn measures() -> Vec<MeasureSpec> {
    let texts = ["nDCG@10", "RR@10", "NumRelRet"];
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

pub(crate) fn evaluator(qrels: &Qrels, measures: Vec<MeasureSpec>) -> Evaluator<'_> {
    Evaluator::new(qrels, measures, Policies::default()).unwrap()
}

pub(crate) fn facts(evaluator: &Evaluator<'_>, run: &Run) -> RunFacts {
    RunFacts {
        source: "runs/x&y.run".to_owned(),
        hash: Some("00".to_owned()),
        notes: vec!["a note".to_owned()],
        evaluation: evaluator.evaluate(run).unwrap(),
    }
}

pub(crate) fn qrels_facts() -> QrelsFacts {
    QrelsFacts {
        source: "qrels_1.txt".to_owned(),
        hash: None,
        notes: Vec::new(),
    }
}
