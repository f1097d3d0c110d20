//! What a data set says of candidates and excluded documents holds for words, for vectors and for what is kept.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use mrmr_bench::pipeline::{Action, BenchFile, Plan, PlanInputs};
use mrmr_bench::store::Store;
use mrmr_bench::{Source, Task, TaskSpec};
use mrmr_core::{RankingPolicy, Run};
use mrmr_formats::dataset::{DatasetOptions, open_dataset};
use mrmr_models::NoCaptions;

const SYSTEMS: &str = r#"
dataset = { path = "here" }
[[system]]
name = "words"
retrieve = { kind = "bm25" }
[[system]]
name = "vectors"
encoder = { model = "hashing" }
retrieve = { kind = "exact" }
[[system]]
name = "graph"
encoder = { model = "hashing" }
retrieve = { kind = "hnsw" }
[[system]]
name = "together"
fuse = { runs = ["words", "vectors"], method = "rrf" }
"#;

fn task(name: &str, split: Option<&str>) -> Task {
    let fixtures = "../mrmr-formats/tests/fixtures/layouts";
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(fixtures);
    let split = split.map(str::to_owned);
    let options = DatasetOptions { split, name: None };
    let (dataset, _) = open_dataset(folder.join(name), &options).unwrap();
    let spec = TaskSpec::custom(name).unwrap();
    let source = Source::default();
    Task {
        spec,
        dataset,
        source,
    }
}

type Named<T> = Vec<(String, T)>;

/// The systems' names and runs, and what was done for each step.
fn run(task: &Task, store: &Store) -> (Named<Run>, Named<Action>) {
    let file = BenchFile::parse(SYSTEMS, "systems.toml").unwrap();
    let inputs = PlanInputs {
        task,
        captions: &NoCaptions,
        store,
        only: &[],
        force: &[],
    };
    let plan = Plan::new(&file, inputs).unwrap();
    let steps = plan.steps().into_iter();
    let steps = steps.map(|step| (step.name, step.action)).collect();
    let done = plan.run(&[], Default::default(), &()).unwrap();
    let runs = done.systems.into_iter();
    let runs = runs
        .map(|system| (system.name, system.outcome.run))
        .collect();
    (runs, steps)
}

fn answers(run: &Run, query: &str) -> Vec<String> {
    let Some(key) = run.queries().get(query) else {
        return Vec::new();
    };
    let ranking = run.ranking(key, RankingPolicy::default());
    let entries = ranking.entries().iter();
    entries
        .map(|entry| run.documents().name(entry.document).to_owned())
        .collect()
}

#[test]
fn every_system_leaves_excluded_documents_out() {
    for (name, split) in [("bright", Some("biology")), ("mm-bright", None)] {
        let folder = tempfile::tempdir().unwrap();
        let (runs, _) = run(&task(name, split), &Store::open(folder.path()).unwrap());
        assert_eq!(runs.len(), 4);
        for (system, run) in runs {
            let first = answers(&run, "1");
            assert_eq!(first[0], "b/2.txt", "{name}, {system}");
            assert!(!first.contains(&"b/1.txt".to_owned()), "{name}, {system}");
            // BRIGHT's second query excludes "N/A": nothing.
            let second = answers(&run, "2");
            assert!(
                second.is_empty() || second.contains(&"b/1.txt".to_owned()),
                "{name}, {system}"
            );
        }
    }
}

#[test]
fn every_system_ranks_candidates_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (runs, _) = run(&task("mteb", None), &Store::open(folder.path()).unwrap());
    for (system, run) in runs {
        // d3 has more of the words, and is no candidate.
        let found = answers(&run, "q2");
        assert_eq!(found[0], "d2", "{system}");
        assert!(!found.contains(&"d3".to_owned()), "{system}");
    }
}

#[test]
fn answers_under_other_limits_are_not_taken_from_the_store() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let mut task = task("bright", Some("biology"));
    let actions = |task: &Task| -> Named<Action> {
        let (_, steps) = run(task, &store);
        let searches = ["words/bm25", "vectors/search", "graph/search"];
        let of = |(name, _): &(String, Action)| searches.contains(&name.as_str());
        steps.into_iter().filter(of).collect()
    };
    let first = actions(&task);
    assert_eq!(first.len(), 3, "{first:?}");
    assert!(actions(&task).iter().all(|(_, a)| *a == Action::Reuse));
    let excluded = std::mem::take(&mut task.dataset.excluded);
    assert!(actions(&task).iter().all(|(_, a)| *a != Action::Reuse));
    task.dataset.candidates = excluded;
    assert!(actions(&task).iter().all(|(_, a)| *a != Action::Reuse));
}

#[test]
fn pages_without_captions_have_no_words() {
    for name in ["vidore-v1", "vidore-v3"] {
        let folder = tempfile::tempdir().unwrap();
        let file = BenchFile::parse(SYSTEMS, "systems.toml").unwrap();
        let task = task(name, None);
        let store = Store::open(folder.path()).unwrap();
        let inputs = PlanInputs {
            task: &task,
            captions: &NoCaptions,
            store: &store,
            only: &["words".to_owned()],
            force: &[],
        };
        let plan = Plan::new(&file, inputs).unwrap();
        let error = plan.run(&[], Default::default(), &()).err().unwrap();
        assert!(error.to_string().contains("no document"), "{name}: {error}");
    }
}
