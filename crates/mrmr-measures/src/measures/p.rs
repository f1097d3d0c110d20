//! Precision.

use crate::definition::{Aggregate, Cutoff, Definition, Example, Range, alias, bound};
use crate::measure::{JudgedRanking, Measure, Ties, binary};
use crate::parameter::REL;

pub(super) static DEFINITION: Definition = Definition {
    name: "P",
    aliases: &[alias("precision")],
    summary: "relevant documents in the top k / k, also where fewer than k came back",
    parameters: &[REL],
    cutoff: Cutoff::Required,
    range: Range::Unit,
    aggregate: Aggregate::Mean,
    source: "trec_eval P",
    example: Example {
        measure: "P@4",
        ranking: "1 0 1",
        missed: "",
        working: "2 / 4",
        value: 0.5,
    },
    bind: |spec, _| {
        bound(Precision {
            rel: spec.number("rel"),
            depth: spec.depth(),
        })
    },
};

#[derive(Debug)]
struct Precision {
    rel: f64,
    depth: usize,
}

impl Precision {
    fn at(&self, query: &JudgedRanking<'_>, ties: Ties) -> f64 {
        query.relevant_in_top(self.depth, self.rel, ties) / self.depth as f64
    }
}

impl Measure for Precision {
    fn as_ranked(&self, query: &JudgedRanking<'_>) -> f64 {
        self.at(query, Ties::AsRanked)
    }

    fn averaged(&self, query: &JudgedRanking<'_>) -> Option<f64> {
        Some(self.at(query, Ties::Averaged))
    }

    fn worth(&self, grade: Option<f64>) -> f64 {
        binary(self.rel)(grade)
    }

    fn is_ordered(&self) -> bool {
        true
    }
}
