//! Recall.

use crate::definition::{Aggregate, Cutoff, Definition, Example, Range, alias, bound};
use crate::measure::{JudgedRanking, Measure, Ties, binary, ratio};
use crate::parameter::REL;

pub(super) static DEFINITION: Definition = Definition {
    name: "R",
    aliases: &[alias("recall")],
    summary: "relevant documents in the top k / all relevant documents; 0 where there are none",
    parameters: &[REL],
    cutoff: Cutoff::Required,
    range: Range::Unit,
    aggregate: Aggregate::Mean,
    source: "trec_eval recall",
    example: Example {
        measure: "R@2",
        ranking: "1 0 1",
        missed: "",
        working: "1 / 2",
        value: 0.5,
    },
    bind: |spec, _| {
        bound(Recall {
            rel: spec.number("rel"),
            depth: spec.depth(),
        })
    },
};

#[derive(Debug)]
struct Recall {
    rel: f64,
    depth: usize,
}

impl Recall {
    fn at(&self, query: &JudgedRanking<'_>, ties: Ties) -> f64 {
        let found = query.relevant_in_top(self.depth, self.rel, ties);
        ratio(found, query.relevant(self.rel) as f64)
    }
}

impl Measure for Recall {
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
