//! A fusion as someone asked for it: the method, and how lists are read before it.

use mrmr_core::{Error, Qrels, Result, Run};

use super::Fusion;
use super::definition::{Bind, Reads};
use super::fitted::FittedFusion;
use super::joined::{JoinedRuns, Reading};
use super::method::Method;
use super::normalization::Normalization;
use super::notes::Fused;
use super::training::Training;

/// A method with the normalization and the depth of what goes in and comes out.
///
/// ```
/// use mrmr_core::{Origin, Run};
/// use mrmr_search::fusion::{Fusion, FusionSpec, Normalization};
/// let run = |name: &str, scores: &[(&str, f64)]| {
///     let mut run = Run::builder(name, Origin::memory(name));
///     for (document, score) in scores {
///         run.add("q1", document, *score, 0)?;
///     }
///     Ok::<_, mrmr_core::Error>(run.finish(Default::default())?.0)
/// };
/// let words = run("words", &[("d1", 12.0), ("d2", 8.0), ("d3", 4.0)])?;
/// let vectors = run("vectors", &[("d3", 0.9), ("d1", 0.5)])?;
///
/// let mut spec = FusionSpec::new("wsum(weights=0.3,0.7)".parse()?);
/// assert_eq!(spec.normalization, Normalization::MinMax);
/// spec.keep = Some(2);
/// let fused = spec.fuse(&[&words, &vectors], "hybrid")?;
/// let query = fused.run.queries().get("q1").unwrap();
/// let ranking = fused.run.ranking(query, Default::default());
/// let best = ranking.entries()[0];
/// assert_eq!((fused.run.documents().name(best.document), best.score), ("d3", 0.7));
/// # Ok::<(), mrmr_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FusionSpec {
    /// The method.
    pub method: Method,
    /// What makes scores of different runs comparable.
    pub normalization: Normalization,
    /// How many documents of each run count for a query, the first ones; all where none is given.
    pub depth: Option<usize>,
    /// How many documents of each query are kept, the first ones; all where none is given.
    pub keep: Option<usize>,
}

impl FusionSpec {
    /// A method with its default normalization, over whole lists.
    pub fn new(method: Method) -> Self {
        FusionSpec {
            normalization: method.default_normalization(),
            method,
            depth: None,
            keep: None,
        }
    }

    /// Learns from judgements what a trained method has to know of these runs: the fusion that results is for further
    /// runs of the same systems in the same order.
    ///
    /// # Errors
    /// If the method is not trained, there are fewer than two runs, or none has a judged query.
    pub fn fit(&self, qrels: &Qrels, runs: &[&Run]) -> Result<FittedFusion> {
        let Bind::Trained(bind) = self.method.definition().bind else {
            return Err(Error::usage(format!(
                "{} learns nothing from judgements",
                self.method.definition().name
            ))
            .hint("mrmr tune finds its parameters"));
        };
        if runs.len() < 2 {
            return Err(Error::usage(format!(
                "fusion needs two runs, found {}",
                runs.len()
            )));
        }
        let depth = self.depth.unwrap_or(usize::MAX);
        let combine = bind(&self.method, &Training::all(qrels, runs, depth)?)?;
        Ok(FittedFusion {
            spec: self.clone(),
            runs: runs.len(),
            combine,
        })
    }

    /// As [`Fusion::fuse`], of runs that were joined before.
    ///
    /// # Errors
    /// As [`Fusion::fuse`]; if the method is trained.
    pub fn fuse_joined(&self, runs: &JoinedRuns<'_>, name: &str) -> Result<Fused> {
        let Bind::Plain(bind) = self.method.definition().bind else {
            return Err(Error::usage(format!(
                "{} learns from judgements first",
                self.method.definition().name
            ))
            .hint("--qrels names judgements to learn from"));
        };
        let combine = bind(&self.method, runs.runs().len())?;
        runs.fuse(&*combine, self.reading(), name)
    }

    pub(super) fn reading(&self) -> Reading {
        Reading {
            normalization: self.normalization,
            depth: self.depth.unwrap_or(usize::MAX),
            keep: self.keep.unwrap_or(usize::MAX),
            ranked: self.method.definition().reads != Reads::Scores
                || self.normalization.reads_ranks(),
        }
    }
}

impl Fusion for FusionSpec {
    fn fuse(&self, runs: &[&Run], name: &str) -> Result<Fused> {
        self.fuse_joined(&JoinedRuns::new(runs)?, name)
    }
}
