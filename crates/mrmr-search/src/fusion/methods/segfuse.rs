//! SegFuse: shares by segments that grow, and scores.

use crate::fusion::candidates::Answers;
use crate::fusion::definition::{Bind, Combine, Definition, Reads, bound};
use crate::fusion::training::Training;

pub(super) const DEFINITION: Definition = Definition {
    name: "segfuse",
    aliases: &["seg-fuse"],
    summary: "the sum of (score + 1) x the mean share of relevant documents in the run's segment: ranks 1 to 5, to 15, to 35, to 75 and so on",
    parameters: &[],
    reads: Reads::Both,
    source: "Shokouhi 2007, Segmentation of search engine results for effective data-fusion (ECIR)",
    bind: Bind::Trained(|_, runs| {
        bound(SegFuse {
            shares: runs.iter().map(shares).collect(),
        })
    }),
};

struct SegFuse {
    shares: Vec<[f64; ENDS.len()]>,
}

/// Behind which rank each segment ends.
const ENDS: [usize; 10] = [5, 15, 35, 75, 155, 315, 635, 1275, 2555, 5115];

impl Combine for SegFuse {
    fn combine(&self, answers: &Answers<'_>, scores: &mut [f64]) {
        answers.add(scores, |run, rank, score| {
            let segment = ENDS.partition_point(|end| *end <= rank);
            match self.shares[run].get(segment).copied().unwrap_or(0.0) {
                // Of an infinite score too.
                0.0 => 0.0,
                share => share * (score + 1.0),
            }
        });
    }
}

fn shares(run: &Training) -> [f64; ENDS.len()] {
    std::array::from_fn(|segment| {
        let start = if segment == 0 { 0 } else { ENDS[segment - 1] };
        let ranks = start..ENDS[segment];
        run.mean(|list| list.hits_within(ranks.clone()) as f64 / ranks.len() as f64)
    })
}
