//! BM25 over data sets in the layouts of public benchmarks, against rankings that were worked out by hand.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use mrmr_bench::{
    Bm25System, Retrieval, RunFile, Source, SystemSpec, Task, TaskInputs, TaskOutcome, TaskSpec,
};
use mrmr_core::{Origin, Run};
use mrmr_formats::dataset::{DatasetOptions, open_dataset};
use mrmr_measures::Policies;
use mrmr_models::{ContentRule, NoCaptions};
use mrmr_search::{Analyzer, Bm25Params};

fn task(name: &str, split: Option<&str>, measure: &str) -> Task {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../mrmr-formats/tests/fixtures/layouts")
        .join(name);
    let options = DatasetOptions {
        split: split.map(str::to_owned),
        name: None,
    };
    let (dataset, _) = open_dataset(folder, &options).unwrap();
    let mut spec = TaskSpec::custom(name).unwrap();
    spec.measure = measure.parse().unwrap();
    Task {
        spec,
        dataset,
        source: Source::default(),
    }
}

fn measured(task: &Task, retrieval: Retrieval, depth: usize) -> TaskOutcome {
    let system = SystemSpec {
        name: "system".to_owned(),
        retrieval,
        depth,
        drop_self: false,
    };
    let inputs = TaskInputs {
        measures: &[],
        policies: Policies::default(),
        captions: &NoCaptions,
        observer: &(),
    };
    task.run(&system, inputs).unwrap()
}

fn bm25() -> Retrieval {
    Retrieval::Bm25(Bm25System {
        params: Bm25Params::default(),
        analysis: Analyzer::default().into(),
        content: ContentRule::Text,
    })
}

fn value(outcome: &TaskOutcome) -> f64 {
    outcome.evaluation.measures[0].value
}

#[test]
fn each_layout_gives_the_value_that_its_words_give() {
    // Half the queries of the MTEB fixture cannot find their answer: top_ranked leaves it out.
    for (name, split, measure, expected) in [
        ("mteb", None, "R@1", 0.5),
        ("mteb-lines", None, "R@3", 1.0),
        ("m-beir", None, "Success@1", 1.0),
        ("m-beir", Some("birds_task0/union"), "Success@1", 0.0),
        ("browsecomp-plus", Some("golds"), "R@3", 1.0),
        ("browsecomp-plus", Some("evidence"), "R@3", 0.75),
        ("ms-marco", None, "R@3", 1.0),
        ("trec", None, "R@3", 1.0),
    ] {
        let outcome = measured(&task(name, split, measure), bm25(), 10);
        assert_eq!(value(&outcome), expected, "{name}");
    }
}

#[test]
fn excluded_documents_are_taken_out_before_the_cut() {
    // b/1.txt, the shorter, beats b/2.txt for both queries; only the first query excludes it.
    let task = task("bright", Some("biology"), "R@1");
    assert_eq!(value(&measured(&task, bm25(), 1)), 0.5);
}

#[test]
fn excluded_answers_of_a_run_are_taken_out_and_counted() {
    let task = task("bright", Some("biology"), "R@1");
    let mut run = Run::builder("file", Origin::memory("run"));
    for (number, (query, document, score)) in [
        ("1", "b/1.txt", 2.0),
        ("1", "b/2.txt", 1.0),
        ("2", "b/1.txt", 2.0),
        ("2", "b/2.txt", 1.0),
    ]
    .into_iter()
    .enumerate()
    {
        run.add(query, document, score, number as u64).unwrap();
    }
    let (run, _) = run.finish(Default::default()).unwrap();
    let file = RunFile {
        source: "run".to_owned(),
        hash: None,
        run,
    };
    let outcome = measured(&task, Retrieval::Run(Box::new(file)), 10);
    assert_eq!(value(&outcome), 0.5);
    assert!(
        outcome.warnings.iter().any(|warning| warning
            == "1 answers of the run that the data set excludes for their query were left out"),
        "{:?}",
        outcome.warnings
    );
}

#[test]
fn candidates_that_score_the_same_count_as_chance() {
    // The first query has one best candidate, its own; a run that scores all three of the second alike gets a third.
    let task = task("mmeb", None, "Success@1");
    let mut run = Run::builder("file", Origin::memory("run"));
    let mut number = 0;
    for query in ["q0", "q1"] {
        for document in &task.dataset.candidates[query] {
            run.add(query, document, 1.0, number).unwrap();
            number += 1;
        }
    }
    let (run, _) = run.finish(Default::default()).unwrap();
    let file = RunFile {
        source: "run".to_owned(),
        hash: None,
        run,
    };
    let outcome = measured(&task, Retrieval::Run(Box::new(file)), 10);
    let tied = outcome.evaluation.measures[0].tie_averaged;
    assert!((tied - 1.0 / 3.0).abs() < 1e-12, "{tied}");
}
