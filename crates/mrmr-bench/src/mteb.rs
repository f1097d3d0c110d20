//! Results in the files that MTEB's leaderboard takes.
//!
//! ```
//! use mrmr_bench::mteb;
//! # use mrmr_bench::{Task, demo};
//! # let built = demo::build()?;
//! # let dataset = mrmr_core::Dataset { name: "emoji".to_owned(), queries: built.queries, corpus: built.corpus, qrels: built.qrels, candidates: Default::default(), excluded: Default::default() };
//! # let task = Task { spec: demo::task(dataset.corpus.len())?, dataset, source: Default::default() };
//! # let (run, _) = mrmr_core::Run::builder("nothing", mrmr_core::Origin::memory("run")).finish(Default::default())?;
//! let file = mteb::result(&task, &run)?;
//! let scores = &file["scores"]["test"][0];
//! assert_eq!(scores["ndcg_at_10"], 0.0);
//! assert_eq!(scores["main_score"], scores["mrr_at_10"]); // the task's main measure
//! # Ok::<(), mrmr_core::Error>(())
//! ```

use mrmr_core::{Result, Run, ScorePrecision};
use mrmr_measures::{Evaluator, MeasureSpec, Policies};
use serde_json::{Map, Value, json};

use crate::task::Task;

/// The names of MTEB and those of here.
const MEASURES: [(&str, &str); 5] = [
    ("map", "AP"),
    ("mrr", "RR"),
    ("ndcg", "nDCG"),
    ("precision", "P"),
    ("recall", "R"),
];
/// The cutoffs of MTEB.
const CUTOFFS: [usize; 7] = [1, 3, 5, 10, 20, 100, 1000];

/// What MTEB (2.x) writes to `TASK.json` of a retrieval task: its measures at its cutoffs, scores compared in 32 bits as
/// its evaluator does. A judged query that the run lacks counts 0, and ties go to the larger id. Times and emissions,
/// which depend on the machine, are null.
///
/// # Errors
/// If the run and the judgements do not fit together.
pub fn result(task: &Task, run: &Run) -> Result<Value> {
    let mut names = Vec::new();
    let mut specs: Vec<MeasureSpec> = Vec::new();
    for (theirs, ours) in MEASURES {
        for cutoff in CUTOFFS {
            names.push(format!("{theirs}_at_{cutoff}"));
            specs.push(format!("{ours}@{cutoff}").parse()?);
        }
    }
    let main = &task.spec.measure;
    if !specs.contains(main) {
        specs.push(main.clone());
    }
    let mut policies = Policies::default();
    policies.ranking.precision = ScorePrecision::F32;
    let evaluation = Evaluator::new(&task.dataset.qrels, specs, policies)?.evaluate(run)?;
    let mut scores = Map::new();
    scores.insert("hf_subset".to_owned(), json!("default"));
    scores.insert("languages".to_owned(), json!([]));
    let value = evaluation.measure(main).map(|measure| measure.value);
    scores.insert("main_score".to_owned(), json!(value));
    for (name, measure) in names.into_iter().zip(&evaluation.measures) {
        scores.insert(name, json!(measure.value));
    }
    let split = match task.source.split.as_str() {
        "" => "test",
        split => split,
    };
    Ok(json!({
        "dataset_revision": task.spec.revision,
        "task_name": task.spec.name,
        "mteb_version": null,
        "scores": {split: [scores]},
        "evaluation_time": null,
        "kg_co2_emissions": null,
    }))
}
