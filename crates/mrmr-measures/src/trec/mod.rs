//! What trec_eval prints, byte for byte, its faults included.
//!
//! Nothing here serves any other part: own numbers come from [`Evaluator`](crate::Evaluator).
//!
//! ```
//! use mrmr_core::{Origin, Qrels, Run};
//! use mrmr_measures::trec::{Options, TrecEval, Version};
//!
//! let mut judged = Qrels::builder(Origin::memory("qrels"));
//! judged.add("q1", "d1", 1.0, 0)?;
//! let (qrels, _) = judged.finish()?;
//! let mut scored = Run::builder("mine", Origin::memory("run"));
//! scored.add("q1", "d2", 0.9, 0)?;
//! scored.add("q1", "d1", 0.8, 1)?;
//! let (run, _) = scored.finish(Default::default())?;
//!
//! let options = Options { version: Version::V9, ..Options::default() };
//! let tool = TrecEval::new(options, &["map", "P.1"]).unwrap();
//! let outcome = tool.evaluate(&qrels, &run, "mine");
//! assert_eq!(outcome.output, "map                   \tall\t0.5000\nP_1                   \tall\t0.0000\n");
//! assert!(outcome.failure.is_none());
//! # Ok::<(), mrmr_core::Error>(())
//! ```
//!
//! # Faults that are kept
//!
//! - `-c` with `-l`: the summary's `num_rel` counts grades from 1 on, whatever the level.
//! - A query without any retrieved document (`-J`, `-M 0`): `-nan` in `iprec_at_recall` and `11pt_avg`.
//! - Where all judgements of a query are negative: exit code 4 if no query before it had another, else the ideal
//!   order is that of the query before (it matters where `-m ndcg.-2=1` gives unjudged documents a gain).
//! - Grades are cut to whole numbers, towards 0.
//! - Gains that differ by less than 1 (`ndcg.1=0.5`) count as equal where the ideal order is made.
//! - Version 10, `-c`: a query that the run lacks counts as one that retrieved a single unjudged document, with
//!   repairs that go by the printed name, so `utility.1,-1,0,0` and `relstring.5` miss them.
//! - Version 10 without `-c` stops with exit code 4 at a judged query that the run lacks.
//!
//! # Faults that are not
//!
//! - `rbp` of version 10 scales by memory that was never set; here the gains are scaled to 0..1 as its source means to.
//! - `dcg`, `ideal_dcg` and `ndcg` of version 10 overwrite each other's parameters; here they do not.
//! - What depends on unset memory, crashes, or reads files that our readers refuse.
//!
//! Preferences and judgement groups (`-R prefs`, `-R qrels_jg`), z-scores (`-Z`) and `-D` are left out.

mod arguments;
mod evaluation;
mod family;
mod gains;
mod judged;
mod measures;
mod number;
mod options;
mod selection;
mod summary;

pub use evaluation::{Outcome, TrecEval};
pub use options::{Failure, Options, Version};
