//! Benchmarks: a registry of tasks, systems, and what running one over the other gave.
//!
//! ```
//! let mrmr = mrmr_bench::mrmr()?;
//! let negation = mrmr.task("negation")?;
//! assert_eq!(negation.measure.to_string(), "Success@1");
//! assert_eq!(negation.chance, Some(0.25));
//! # Ok::<(), mrmr_core::Error>(())
//! ```

mod candidates;
pub mod demo;
mod dense;
pub mod diagnosis;
pub mod emoji_styles;
pub mod encoding;
mod index_spec;
pub mod judge;
pub mod mteb;
mod outcome;
pub mod pipeline;
mod registry;
pub mod rerank;
mod score_file;
pub mod similarity;
pub mod store;
mod system;
mod task;
pub mod tuning;

pub use dense::{DenseNotes, DenseSystem};
pub use index_spec::IndexSpec;
pub use outcome::{Average, BenchOutcome, Slice, SubTaskScore, TaskFacts, TaskOutcome};
pub use registry::{Attested, Benchmark, CandidateRule, OTHER, SubTask, TaskSpec, mrmr};
pub use score_file::{ScoreOptions, Scored, score_file};
pub use system::{Bm25System, Retrieval, RunFile, SystemSpec, VectorSystem, VectorTable};
pub use task::{Source, Task, TaskInputs};
