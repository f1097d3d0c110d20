//! Reciprocal rank.

use crate::definition::{Aggregate, Cutoff, Definition, REL, Range, alias};
use crate::measure::{JudgedRanking, Measure, Ties, binary};

pub(super) static DEFINITION: Definition = Definition {
    name: "RR",
    aliases: &[alias("mrr"), alias("recip_rank")],
    summary: "1 / rank of the first relevant document in the top k, else 0",
    parameters: &[REL],
    cutoff: Cutoff::Optional,
    range: Range::Unit,
    aggregate: Aggregate::Mean,
    source: "Voorhees 1999, The TREC-8 Question Answering Track Report; trec_eval recip_rank",
    bind: |spec| {
        Box::new(ReciprocalRank {
            rel: spec.number("rel"),
            depth: spec.depth(),
        })
    },
};

#[derive(Debug)]
struct ReciprocalRank {
    rel: f64,
    depth: usize,
}

impl Measure for ReciprocalRank {
    fn value(&self, query: &JudgedRanking<'_>, ties: Ties) -> f64 {
        match ties {
            Ties::AsRanked => {
                let first = query
                    .first_relevant(self.rel)
                    .filter(|rank| *rank <= self.depth);
                first.map_or(0.0, |rank| 1.0 / rank as f64)
            }
            Ties::Averaged => {
                let mut groups = query.counts(self.rel);
                let Some(group) = groups.find(|group| group.relevant > 0) else {
                    return 0.0;
                };
                // The probability that none of the group's documents so far was relevant, times
                // that the next one is, at each of its places.
                let (mut mean, mut none_yet) = (0.0, 1.0);
                let last = self.depth.saturating_sub(group.before);
                for at in 0..(group.size - group.relevant + 1).min(last) {
                    let left = (group.size - at) as f64;
                    let rank = (group.before + at + 1) as f64;
                    mean += none_yet * (group.relevant as f64 / left) / rank;
                    none_yet *= (left - group.relevant as f64) / left;
                }
                mean
            }
        }
    }

    fn worth(&self, grade: Option<f64>) -> f64 {
        binary(self.rel)(grade)
    }
}
