//! ProbFuse: the share of relevant documents in a segment of the list.

use crate::fusion::candidates::Answers;
use crate::fusion::definition::{
    Bind, Combine, Definition, Parameter, ParameterKind, Reads, bound,
};
use crate::fusion::training::Training;

pub(super) const DEFINITION: Definition = Definition {
    name: "probfuse",
    aliases: &["prob-fuse"],
    summary: "the sum of the mean share of relevant documents in the segment of the run's list, divided by the segment's number",
    parameters: &[Parameter {
        name: "segments",
        kind: ParameterKind::Whole {
            default: 25,
            min: 1,
        },
        summary: "how many parts of the same length a list has",
        grid: &[],
    }],
    reads: Reads::Ranks,
    source: "Lillis et al. 2006, ProbFuse: a probabilistic approach to data fusion (SIGIR)",
    bind: Bind::Trained(|method, runs| {
        let segments = method.whole("segments");
        bound(ProbFuse {
            shares: runs.iter().map(|run| shares(run, segments)).collect(),
        })
    }),
};

struct ProbFuse {
    shares: Vec<Vec<f64>>,
}

impl Combine for ProbFuse {
    fn combine(&self, answers: &Answers<'_>, scores: &mut [f64]) {
        for (shares, list) in self.shares.iter().zip(answers.lists) {
            let length = list.len().div_ceil(shares.len()).max(1);
            for (rank, scored) in list.iter().enumerate() {
                let segment = rank / length;
                scores[scored.slot as usize] += shares[segment] / (segment + 1) as f64;
            }
        }
    }
}

/// For each segment the mean over queries of its share of relevant documents; a list that has no such segment counts 0.
fn shares(run: &Training, segments: usize) -> Vec<f64> {
    let share = |segment: usize| {
        run.mean(|list| {
            let length = list.hits.len().div_ceil(segments);
            let start = (segment * length).min(list.hits.len());
            let end = (start + length).min(list.hits.len());
            match end > start {
                true => list.hits_within(start..end) as f64 / (end - start) as f64,
                false => 0.0,
            }
        })
    };
    (0..segments).map(share).collect()
}
