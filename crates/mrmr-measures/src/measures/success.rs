//! Success: is there a relevant document in the top k?

use crate::definition::{Aggregate, Cutoff, Definition, Example, Range, alias, bound};
use crate::measure::{JudgedRanking, Measure, binary};
use crate::parameter::REL;

pub(super) static DEFINITION: Definition = Definition {
    name: "Success",
    aliases: &[alias("hit"), alias("hit_rate")],
    summary: "1 if any relevant document is in the top k, else 0",
    parameters: &[REL],
    cutoff: Cutoff::Required,
    range: Range::Unit,
    aggregate: Aggregate::Mean,
    source: "trec_eval success",
    example: Example {
        measure: "Success@2",
        ranking: "0 1",
        missed: "",
        working: "rank 2 is relevant",
        value: 1.0,
    },
    bind: |spec, _| {
        bound(Success {
            rel: spec.number("rel"),
            depth: spec.depth(),
        })
    },
};

#[derive(Debug)]
struct Success {
    rel: f64,
    depth: usize,
}

impl Measure for Success {
    fn as_ranked(&self, query: &JudgedRanking<'_>) -> f64 {
        let first = query.first_relevant(self.rel);
        f64::from(u8::from(first.is_some_and(|rank| rank <= self.depth)))
    }

    fn averaged(&self, query: &JudgedRanking<'_>) -> Option<f64> {
        let mut groups = query.counts(self.rel);
        let Some(group) = groups.find(|group| group.relevant > 0) else {
            return Some(0.0);
        };
        // Drawn without replacement: the probability that no place in the top k is relevant.
        let places = group.places(self.depth);
        let none: f64 = (0..places)
            .map(|at| {
                let left = group.size - at;
                left.saturating_sub(group.relevant) as f64 / left as f64
            })
            .product();
        Some(1.0 - none)
    }

    fn worth(&self, grade: Option<f64>) -> f64 {
        binary(self.rel)(grade)
    }

    fn is_ordered(&self) -> bool {
        true
    }
}
