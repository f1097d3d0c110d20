//! Measures of retrieval: their text form, their loops, and an evaluation of a run by them.
//!
//! ```
//! use mrmr_core::{Origin, Qrels, Run};
//! use mrmr_measures::{Evaluator, MeasureSpec, Policies};
//!
//! let mut judged = Qrels::builder(Origin::memory("qrels"));
//! judged.add("q1", "d1", 1.0, 0)?;
//! judged.add("q2", "d2", 1.0, 1)?;
//! let (qrels, _) = judged.finish()?;
//! let mut scored = Run::builder("mine", Origin::memory("run"));
//! scored.add("q1", "d1", 0.9, 0)?;
//! let (run, _) = scored.finish(Default::default())?;
//!
//! let measures: Vec<MeasureSpec> = vec!["RR@10".parse()?, "nDCG@10".parse()?];
//! let evaluation = Evaluator::new(&qrels, measures, Policies::default())?.evaluate(&run)?;
//! // The query that the run lacks counts 0, and is counted.
//! assert_eq!(evaluation.measures[0].value, 0.5);
//! assert_eq!(evaluation.coverage.missing, ["q2"]);
//! # Ok::<(), mrmr_core::Error>(())
//! ```
//!
//! # Contents
//!
//! - specified: [`MeasureSpec`], declared by a [`Definition`] each in [`definitions`];
//! - bound to judgements: [`Evaluator`], under [`Policies`];
//! - executed: [`Evaluation`], with values by query, [`Coverage`], ties, and [`Warning`]s.
//!
//! The mean of a set of values does not depend on their order, to the last bit.

mod definition;
mod evaluation;
mod evaluator;
mod lookup;
mod mean;
mod measure;
mod measures;
mod overlap;
mod ranker;
mod session;
mod spec;
mod warning;

pub use definition::{Aggregate, Alias, Cutoff, Definition, Parameter, ParameterKind, Range};
pub use evaluation::{Coverage, Evaluation, MeasureValues, Policies};
pub use evaluator::Evaluator;
pub use mean::{mean, sum};
pub use measure::{Group, Hit, JudgedRanking, Measure, Ties};
pub use session::Session;
pub use spec::MeasureSpec;
pub use warning::Warning;

/// Every measure there is, by name.
pub fn definitions() -> &'static [&'static Definition] {
    measures::ALL
}
