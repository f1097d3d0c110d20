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
//! - described: [`reference`](reference()), [`list`];
//! - bound to judgements: [`Evaluator`], under [`Policies`];
//! - executed: [`Evaluation`], with values by query, [`Coverage`], ties, and [`Warning`]s.
//! - compared: [`compare`], [`Differences`], by [`statistics`] with intervals, paired tests, corrections;
//! - explained: [`Explanation`];
//! - of a pipeline: [`Waterfall`], what is lost from stage to stage;
//! - of an approximate search: [`NeighbourRecall`].
//!
//! What trec_eval prints, faults included, is made by [`trec`] alone.
//!
//! The mean of a set of values does not depend on their order, to the last bit.

mod compare;
mod context;
mod definition;
mod differences;
mod evaluation;
mod evaluator;
mod explain;
mod gate;
mod lookup;
mod mean;
mod measure;
mod measures;
mod neighbour_recall;
mod overlap;
mod parameter;
mod ranker;
mod reference;
mod session;
mod spec;
pub mod statistics;
mod ties;
pub mod trec;
mod warning;
mod waterfall;

pub use compare::{
    AllPairs, CompareOptions, Compared, ComparedMeasure, ComparedPair, DifferentQueries,
    MeasurePairs, Paired, compare, compare_all_pairs,
};
pub use definition::{Aggregate, Alias, Cutoff, Definition, Example, Range, Suffix};
pub use differences::{Differences, Moved, QueryDifference, RBO_PERSISTENCE};
pub use evaluation::{Coverage, Evaluation, MeasureValues, Policies};
pub use evaluator::Evaluator;
pub use explain::{
    ExplainedJudgement, ExplainedPart, ExplainedRank, ExplainedSum, Explanation, LeftOut,
};
pub use gate::{Gate, GateOutcome};
pub use mean::{geometric_mean, mean, sum};
pub use measure::{Group, Hit, JudgedRanking, Measure, Ties};
pub use neighbour_recall::NeighbourRecall;
pub use parameter::{Otherwise, Parameter, ParameterKind};
pub use reference::{ListedMeasure, list, reference};
pub use session::Session;
pub use spec::MeasureSpec;
pub use ties::{TieMethod, TieSpread};
pub use warning::Warning;
pub use waterfall::{Change, QueryChange, Stage, StageValue, Waterfall};

/// Every measure there is, by name.
pub fn definitions() -> &'static [&'static Definition] {
    measures::ALL
}
