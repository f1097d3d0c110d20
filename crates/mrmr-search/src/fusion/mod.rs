//! Several runs to one: a [`Method`] gives each document a score made of its ranks or scores in all of them.
//!
//! ```
//! use mrmr_core::{Origin, Run};
//! use mrmr_search::fusion::Method;
//! let run = |name: &str, documents: &[&str]| {
//!     let mut run = Run::builder(name, Origin::memory(name));
//!     for (rank, document) in documents.iter().enumerate() {
//!         run.add("q1", document, -(rank as f64), 0)?;
//!     }
//!     Ok::<_, mrmr_core::Error>(run.finish(Default::default())?.0)
//! };
//! let (words, vectors) = (run("words", &["d1", "d2", "d3"])?, run("vectors", &["d2", "d4"])?);
//! let fused = "rrf(k=10)".parse::<Method>()?.fuse(&[&words, &vectors], "hybrid")?.run;
//! let ranking = fused.ranking(fused.queries().get("q1").unwrap(), Default::default());
//! let order: Vec<&str> = ranking.entries().iter().map(|e| fused.documents().name(e.document)).collect();
//! assert_eq!(order, ["d2", "d1", "d4", "d3"]);
//! # Ok::<(), mrmr_core::Error>(())
//! ```
//!
//! # Contents
//!
//! - specified: [`Method`], declared by a [`Definition`] each in [`definitions`]; [`FusionSpec`] with a
//!   [`Normalization`] and depths;
//! - bound: [`FittedFusion`], what a trained method learnt from judgements; [`JoinedRuns`], for fusing the same runs often;
//! - executed: the trait [`Fusion`], to a [`Fused`] run.
//!
//! Methods and normalizations are those of ranx, with the same numbers where ranx's do not depend on an arbitrary order:
//! tied documents of a run stand in the order of the default ranking policy (the larger id first), and so do those whose
//! votes are equal under `condorcet`, where majorities may also go in circles. Runs may hold different queries and
//! documents. Sums go over runs in their order: every result has the same bits for any number of threads and any order of
//! a run's lines.

mod candidates;
mod definition;
mod fitted;
mod joined;
mod method;
mod methods;
mod normalization;
mod notes;
mod spec;
mod training;

pub use definition::{Definition, Parameter, ParameterKind, Reads};
pub use fitted::FittedFusion;
pub use joined::JoinedRuns;
pub use method::Method;
pub use normalization::Normalization;
pub use notes::{Fused, FusionNotes};
pub use spec::FusionSpec;

/// What makes one run of several.
pub trait Fusion {
    /// The runs as one, under a name. A query that a run lacks counts as one without documents.
    ///
    /// # Errors
    /// If there are fewer than two runs, there is not one weight a run, or scores have no sum (infinity less infinity).
    fn fuse(&self, runs: &[&mrmr_core::Run], name: &str) -> mrmr_core::Result<Fused>;
}

/// Every method there is, by name.
pub fn definitions() -> &'static [&'static Definition] {
    methods::ALL
}
