//! The types that every part of mrmr-eval shares.
//!
//! ```
//! use mrmr_core::{Origin, Qrels, RankingPolicy, Run, TiePolicy};
//!
//! let mut judged = Qrels::builder(Origin::memory("qrels"));
//! judged.add("q1", "d1", 1.0, 1)?;
//! let (qrels, _) = judged.finish()?;
//!
//! let mut scored = Run::builder("bm25", Origin::memory("run"));
//! scored.add("q1", "d1", 2.5, 1)?;
//! scored.add("q1", "d2", 2.5, 2)?;
//! let (run, _) = scored.finish(Default::default())?;
//!
//! // Equal scores: the larger document id comes first, whatever the order of the lines.
//! let query = run.queries().get("q1").unwrap();
//! let ranking = run.ranking(query, RankingPolicy::default());
//! let order: Vec<&str> = ranking.entries().iter().map(|e| run.documents().name(e.document)).collect();
//! assert_eq!(order, ["d2", "d1"]);
//! assert_eq!(qrels.queries().len(), 1);
//! # Ok::<(), mrmr_core::Error>(())
//! ```
//!
//! # Contents
//!
//! - what is retrieved: [`Content`], [`Record`], [`Collection`], [`Dataset`];
//! - what is known: [`Qrels`], [`Judgement`], [`SubtopicGrade`], and what a system answered: [`Run`], [`Ranking`];
//! - how it is read: the policies ([`TiePolicy`], [`MissingPolicy`], ...);
//! - what goes wrong: [`Error`] with its place and hint, [`Observer`] for progress.
//!
//! This crate does no input or output, starts no thread and reads no clock.

mod content;
mod dataset;
mod error;
mod id;
mod policy;
mod progress;
mod qrels;
mod ranking;
mod record;
mod run;
mod subtopics;
mod suggest;
mod words;

pub use content::{Audio, Content, Image, Media, MediaSource, Modality, Part};
pub use dataset::Dataset;
pub use error::{Error, ErrorKind, Origin, OriginUnit, Place, Position, Result};
pub use id::{DocId, Ids, Interned, QueryId, SubtopicId};
pub use policy::{
    DuplicatePolicy, MissingPolicy, NoRelevantPolicy, RankingPolicy, ScorePrecision, TiePolicy,
    UnjudgedPolicy,
};
pub use progress::{Event, Observer};
pub use qrels::{Judgement, Qrels, QrelsBuilder, QrelsNotes, RepeatedJudgement};
pub use ranking::{Entry, Ranking};
pub use record::{Collection, Field, Record};
pub use run::{RepeatedAnswer, Run, RunBuilder, RunNotes};
pub use subtopics::SubtopicGrade;
pub use suggest::closest;
pub use words::counted;
