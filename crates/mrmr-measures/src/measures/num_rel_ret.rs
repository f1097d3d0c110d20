//! The number of retrieved relevant documents.

use crate::definition::{Aggregate, Cutoff, Definition, Example, Range, alias, bound};
use crate::measure::{JudgedRanking, Measure, Ties, binary};
use crate::parameter::REL;

pub(super) static DEFINITION: Definition = Definition {
    name: "NumRelRet",
    aliases: &[alias("num_rel_ret")],
    summary: "the number of relevant documents that were retrieved, summed over the queries",
    parameters: &[REL],
    cutoff: Cutoff::None,
    range: Range::Count,
    aggregate: Aggregate::Sum,
    source: "trec_eval num_rel_ret",
    example: Example {
        measure: "NumRelRet",
        ranking: "1 0",
        missed: "2",
        working: "the document of grade 1",
        value: 1.0,
    },
    bind: |spec, _| {
        bound(NumRelRet {
            rel: spec.number("rel"),
        })
    },
};

#[derive(Debug)]
struct NumRelRet {
    rel: f64,
}

impl Measure for NumRelRet {
    fn as_ranked(&self, query: &JudgedRanking<'_>) -> f64 {
        query.relevant_in_top(usize::MAX, self.rel, Ties::AsRanked)
    }

    fn averaged(&self, query: &JudgedRanking<'_>) -> Option<f64> {
        Some(self.as_ranked(query))
    }

    fn worth(&self, grade: Option<f64>) -> f64 {
        binary(self.rel)(grade)
    }

    fn is_ordered(&self) -> bool {
        true
    }
}
