//! Systems in a file: each stage of each is planned, made once, kept, and resumed where it was broken off.
//!
//! ```
//! use mrmr_bench::pipeline::{Action, BenchFile, Plan, PlanInputs};
//! use mrmr_bench::store::Store;
//! use mrmr_bench::{Task, demo};
//! # use mrmr_core::Dataset;
//! # use mrmr_models::NoCaptions;
//! # let folder = tempfile::tempdir().unwrap();
//! # let mut built = demo::build()?;
//! # let queries = built.queries;
//! # let dataset = Dataset { name: "emoji".to_owned(), corpus: mrmr_core::Collection::new(mrmr_core::Origin::memory("none")), queries, qrels: built.qrels, candidates: Default::default(), excluded: Default::default() };
//! # let mut dataset = dataset;
//! # for (at, text) in ["a red circle", "blue square"].iter().enumerate() {
//! #     dataset.corpus.push(&at.to_string(), mrmr_core::Record::new(*text), at as u64)?;
//! # }
//! let file = BenchFile::parse(
//!     r#"
//!     dataset = { path = "emoji" }
//!     [[system]]
//!     name = "bm25"
//!     retrieve = { kind = "bm25" }
//!     [[system]]
//!     name = "dense"
//!     encoder = { model = "hashing" }
//!     retrieve = { kind = "exact" }
//!     "#,
//!     "systems.toml",
//! )?;
//! let task = Task { spec: demo::task(dataset.corpus.len())?, dataset, source: Default::default() };
//! let store = Store::open(folder.path())?;
//! let inputs = PlanInputs { task: &task, captions: &NoCaptions, store: &store, only: &[], force: &[] };
//! let plan = Plan::new(&file, inputs)?;
//! let names: Vec<String> = plan.steps().into_iter().map(|step| step.name).collect();
//! assert_eq!(names, ["bm25/bm25", "dense/encode queries", "dense/encode documents", "dense/search"]);
//! let first = plan.run(&[], Default::default(), &())?;
//! // A second time nothing is made, and what made it is not even read.
//! let again = Plan::new(&file, inputs)?;
//! let actions: Vec<Action> = again.steps().into_iter().map(|step| step.action).collect();
//! assert_eq!(actions, [Action::Reuse, Action::Skip, Action::Skip, Action::Reuse]);
//! # assert_eq!(first.systems.len(), 2);
//! # Ok::<(), mrmr_core::Error>(())
//! ```
//!
//! Every step lies in the store under the hash of its inputs, its parameters and the form of what is kept. A step that is
//! forced makes those that need it be made again too.

mod bind;
mod card;
mod encoder;
mod execute;
mod expansions;
mod file;
mod keys;
mod plan;
mod planner;
mod step;
mod work;

pub use execute::{Executed, StepDone, SystemOutcome};
pub use file::{
    BenchFile, DatasetEntry, EncoderEntry, ExpandEntry, FuseEntry, RerankEntry, RetrieveEntry,
    SystemEntry, TuneEntry,
};
pub use plan::{Action, DEPTH, Plan, PlanInputs, StepState};
