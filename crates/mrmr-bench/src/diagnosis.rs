//! Why a system has the value that it has: where its first relevant documents stand, which queries it is good at, what
//! outranked the right answers, and what chance would reach.
//!
//! ```
//! use mrmr_bench::diagnosis::FirstRelevant;
//! use mrmr_core::{Origin, Qrels, RankingPolicy, Run};
//! let mut qrels = Qrels::builder(Origin::memory("qrels"));
//! qrels.add("q1", "d1", 1.0, 0)?;
//! qrels.add("q2", "d1", 1.0, 1)?;
//! let (qrels, _) = qrels.finish()?;
//! let mut run = Run::builder("run", Origin::memory("run"));
//! run.add("q1", "d2", 2.0, 0)?;
//! run.add("q1", "d1", 1.0, 1)?;
//! let (run, _) = run.finish(Default::default())?;
//! let found = FirstRelevant::of(&run, &qrels, RankingPolicy::default());
//! assert_eq!(found.rank("q1"), Some(2));
//! assert_eq!(found.histogram(), [0, 1, 0, 0, 0, 0, 1]); // rank 2 and nowhere
//! # Ok::<(), mrmr_core::Error>(())
//! ```

mod chance;
mod first_relevant;
mod of_system;
mod outranking;
mod slicings;

pub use chance::chance;
pub use first_relevant::{BINS, FirstRelevant};
pub use of_system::SystemDiagnosis;
pub(crate) use of_system::first;
pub use outranking::{Outranking, outranking};
pub use slicings::{Slicing, slicings};
