//! A trained method with what it has learnt.

use mrmr_core::{Error, Result, Run};

use super::Fusion;
use super::definition::Combine;
use super::joined::JoinedRuns;
use super::notes::Fused;
use super::spec::FusionSpec;

/// A trained method, bound to what judgements said of some systems; see [`FusionSpec::fit`].
pub struct FittedFusion {
    pub(super) spec: FusionSpec,
    pub(super) runs: usize,
    pub(super) combine: Box<dyn Combine>,
}

impl FittedFusion {
    /// What was fitted.
    pub fn spec(&self) -> &FusionSpec {
        &self.spec
    }
}

impl std::fmt::Debug for FittedFusion {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("FittedFusion");
        shown.field("spec", &self.spec).field("runs", &self.runs);
        shown.finish_non_exhaustive()
    }
}

impl Fusion for FittedFusion {
    fn fuse(&self, runs: &[&Run], name: &str) -> Result<Fused> {
        if runs.len() != self.runs {
            return Err(Error::usage(format!(
                "{} was fitted to {} runs; expected as many in the same order, found {}",
                self.spec.method,
                self.runs,
                runs.len()
            )));
        }
        let joined = JoinedRuns::new(runs)?;
        joined.fuse(&*self.combine, self.spec.reading(), name)
    }
}
