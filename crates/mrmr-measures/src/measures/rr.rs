//! Reciprocal rank.

use crate::definition::{Aggregate, Cutoff, Definition, Example, Range, alias, bound};
use crate::measure::{JudgedRanking, Measure, binary};
use crate::parameter::REL;

pub(super) static DEFINITION: Definition = Definition {
    name: "RR",
    aliases: &[alias("mrr"), alias("recip_rank")],
    summary: "1 / rank of the first relevant document in the top k, else 0",
    parameters: &[REL],
    cutoff: Cutoff::Optional,
    range: Range::Unit,
    aggregate: Aggregate::Mean,
    source: "Voorhees 1999, The TREC-8 Question Answering Track Report; trec_eval recip_rank",
    example: Example {
        measure: "RR",
        ranking: "0 - 1",
        missed: "",
        working: "1 / 3",
        value: 0.3333,
    },
    bind: |spec, _| {
        bound(ReciprocalRank {
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
    fn as_ranked(&self, query: &JudgedRanking<'_>) -> f64 {
        let first = query
            .first_relevant(self.rel)
            .filter(|rank| *rank <= self.depth);
        first.map_or(0.0, |rank| 1.0 / rank as f64)
    }

    fn averaged(&self, query: &JudgedRanking<'_>) -> Option<f64> {
        let mut groups = query.counts(self.rel);
        let Some(group) = groups.find(|group| group.relevant > 0) else {
            return Some(0.0);
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
        Some(mean)
    }

    fn worth(&self, grade: Option<f64>) -> f64 {
        binary(self.rel)(grade)
    }

    fn is_ordered(&self) -> bool {
        true
    }
}
