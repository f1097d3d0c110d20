//! PosFuse: the share of relevant documents at a rank.

use crate::fusion::candidates::Answers;
use crate::fusion::definition::{Bind, Combine, Definition, Reads, bound};
use crate::fusion::training::Training;

pub(super) const DEFINITION: Definition = Definition {
    name: "posfuse",
    aliases: &["pos-fuse"],
    summary: "the sum of the share of queries that have a relevant document at the run's rank",
    parameters: &[],
    reads: Reads::Ranks,
    source: "Lillis et al. 2010, Estimating probabilities for effective data fusion (SIGIR)",
    bind: Bind::Trained(|_, runs| {
        bound(PosFuse {
            shares: runs.iter().map(Training::shares_by_rank).collect(),
        })
    }),
};

struct PosFuse {
    shares: Vec<Vec<f64>>,
}

impl Combine for PosFuse {
    fn combine(&self, answers: &Answers<'_>, scores: &mut [f64]) {
        answers.add(scores, |run, rank, _| {
            self.shares[run].get(rank).copied().unwrap_or(0.0)
        });
    }
}
