//! The number of relevant documents.

use crate::definition::{Aggregate, Cutoff, Definition, Example, Range, alias, bound};
use crate::measure::{JudgedRanking, Measure};
use crate::parameter::REL;

pub(super) static DEFINITION: Definition = Definition {
    name: "NumRel",
    aliases: &[alias("num_rel")],
    summary: "the number of relevant documents in the qrels, summed over the queries",
    parameters: &[REL],
    cutoff: Cutoff::None,
    range: Range::Count,
    aggregate: Aggregate::Sum,
    source: "trec_eval num_rel",
    example: Example {
        measure: "NumRel",
        ranking: "1 0",
        missed: "2",
        working: "the documents of grade 1 and 2",
        value: 2.0,
    },
    bind: |spec, _| {
        bound(NumRel {
            rel: spec.number("rel"),
        })
    },
};

#[derive(Debug)]
struct NumRel {
    rel: f64,
}

impl Measure for NumRel {
    fn as_ranked(&self, query: &JudgedRanking<'_>) -> f64 {
        query.relevant(self.rel) as f64
    }

    fn averaged(&self, query: &JudgedRanking<'_>) -> Option<f64> {
        Some(self.as_ranked(query))
    }

    fn worth(&self, _: Option<f64>) -> f64 {
        0.0
    }

    fn is_ordered(&self) -> bool {
        true
    }
}
