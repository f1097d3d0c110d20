//! SlideFuse: PosFuse, smoothed over neighbouring ranks.

use crate::fusion::candidates::Answers;
use crate::fusion::definition::{
    Bind, Combine, Definition, Parameter, ParameterKind, Reads, bound,
};
use crate::fusion::training::Training;

pub(super) const DEFINITION: Definition = Definition {
    name: "slidefuse",
    aliases: &["slide-fuse"],
    summary: "the sum of the mean of posfuse's shares from window ranks before to window ranks behind",
    parameters: &[Parameter {
        name: "window",
        kind: ParameterKind::Whole { default: 5, min: 0 },
        summary: "how many ranks on each side count",
        grid: &[],
    }],
    reads: Reads::Ranks,
    source: "Lillis et al. 2008, Extending probabilistic data fusion using sliding windows (ECIR)",
    bind: Bind::Trained(|method, runs| {
        bound(SlideFuse {
            shares: runs.iter().map(Training::shares_by_rank).collect(),
            window: method.whole("window"),
        })
    }),
};

struct SlideFuse {
    shares: Vec<Vec<f64>>,
    window: usize,
}

impl Combine for SlideFuse {
    fn combine(&self, answers: &Answers<'_>, scores: &mut [f64]) {
        for (shares, list) in self.shares.iter().zip(answers.lists) {
            for (rank, scored) in list.iter().enumerate() {
                let start = rank.saturating_sub(self.window);
                // The window ends where the list does.
                let end = rank.saturating_add(self.window).min(list.len() - 1) + 1;
                let known = start.min(shares.len())..end.min(shares.len());
                let sum: f64 = shares[known].iter().sum();
                scores[scored.slot as usize] += sum / (end - start) as f64;
            }
        }
    }
}
