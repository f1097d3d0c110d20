//! BM25 over real questions and theorems gives the rankings that Lucene itself gives.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::path::{Path, PathBuf};

use mrmr_bench::{Bm25System, Retrieval, Source, SystemSpec, Task, TaskInputs, mrmr};
use mrmr_core::{RankingPolicy, Run};
use mrmr_formats::Input;
use mrmr_formats::dataset::{DatasetOptions, open_dataset};
use mrmr_formats::run::{RunOptions, read_run};
use mrmr_measures::Policies;
use mrmr_models::{ContentRule, NoCaptions};
use mrmr_search::{Analyzer, Bm25Params, Norms};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn task() -> Option<Task> {
    let folder = root().join("../shared/data/theoremqa");
    if !folder.is_dir() {
        println!("skipped: there is no ../shared/data/theoremqa beside the repository");
        return None;
    }
    let (dataset, _) = open_dataset(&folder, &DatasetOptions::default()).unwrap();
    let spec = mrmr().unwrap().task("theorem").unwrap().clone();
    let source = Source::default();
    Some(Task {
        spec,
        dataset,
        source,
    })
}

/// The ids of each query's first documents, by query id.
fn top(run: &Run, query: &str, depth: usize) -> Vec<String> {
    let Some(query) = run.queries().get(query) else {
        return Vec::new();
    };
    let ranking = run.ranking(query, RankingPolicy::default());
    let entries = ranking.entries().iter().take(depth);
    entries
        .map(|entry| run.documents().name(entry.document).to_owned())
        .collect()
}

fn compare(params: Bm25Params, golden: &str, depth: usize) {
    let Some(task) = task() else { return };
    let system = SystemSpec {
        name: "bm25".to_owned(),
        retrieval: Retrieval::Bm25(Bm25System {
            params,
            analysis: Analyzer::LuceneEnglish.into(),
            content: ContentRule::Text,
        }),
        depth: 1000,
        drop_self: false,
    };
    let inputs = TaskInputs {
        measures: &[],
        policies: Policies::default(),
        captions: &NoCaptions,
        observer: &(),
    };
    let outcome = task.run(&system, inputs).unwrap();
    assert_eq!((outcome.facts.queries, outcome.facts.documents), (800, 353));
    let fixtures = root().join("crates/mrmr-search/tests/fixtures/lucene/theoremqa");
    let input = Input::new(fixtures.join(golden));
    let (lucene, _) = read_run(&input, &RunOptions::default()).unwrap();
    let same = task.dataset.queries.ids().names().filter(|query| {
        let expected = top(&lucene, query, depth);
        top(&outcome.run, query, depth) == expected
    });
    let same = same.count();
    assert!(same >= 799, "{same} of 800 queries have Lucene's ranking");
}

#[test]
fn rankings_are_lucenes_with_its_length_norms() {
    compare(
        Bm25Params::new(0.9, 0.4, Norms::Lucene).unwrap(),
        "lucene-0.9-0.4.trec.gz",
        50,
    );
}

#[test]
fn rankings_are_lucenes_with_other_parameters() {
    compare(
        Bm25Params::new(1.2, 0.75, Norms::Lucene).unwrap(),
        "lucene-1.2-0.75.trec.gz",
        15,
    );
}

#[test]
fn rankings_are_those_of_exact_lengths() {
    compare(
        Bm25Params::new(0.9, 0.4, Norms::Exact).unwrap(),
        "exact-0.9-0.4.trec.gz",
        15,
    );
}

#[test]
fn queries_are_told_apart_by_category_and_sub_task() {
    let Some(task) = task() else { return };
    let system = SystemSpec {
        name: "bm25".to_owned(),
        retrieval: Retrieval::Bm25(Bm25System {
            params: Bm25Params::default(),
            analysis: Analyzer::LuceneEnglish.into(),
            content: ContentRule::Text,
        }),
        depth: 10,
        drop_self: false,
    };
    let inputs = TaskInputs {
        measures: &[],
        policies: Policies::default(),
        captions: &NoCaptions,
        observer: &(),
    };
    let outcome = task.run(&system, inputs).unwrap();
    let sizes = |slices: &[mrmr_bench::Slice]| -> Vec<(String, usize)> {
        slices
            .iter()
            .map(|slice| (slice.name.clone(), slice.places.len()))
            .collect()
    };
    let expected = |rows: &[(&str, usize)]| -> Vec<(String, usize)> {
        rows.iter()
            .map(|(name, count)| ((*name).to_owned(), *count))
            .collect()
    };
    assert_eq!(
        sizes(&outcome.categories),
        expected(&[
            ("Computer_Science", 146),
            ("Finance", 81),
            ("Math", 442),
            ("Physics", 131)
        ])
    );
    assert_eq!(
        sizes(&outcome.sub_tasks),
        expected(&[
            ("Math", 442),
            ("Physics", 131),
            ("Engineering", 146),
            ("Business", 81)
        ])
    );
    assert_eq!(outcome.facts.queries_with_images, 53);
}
