//! Recall of all that was retrieved.

use crate::definition::{Aggregate, Cutoff, Definition, Example, Range, alias, bound};
use crate::measure::{JudgedRanking, Measure, binary, ratio};
use crate::parameter::REL;

pub(super) static DEFINITION: Definition = Definition {
    name: "SetR",
    aliases: &[alias("set_recall")],
    summary: "relevant retrieved documents / all relevant documents; 0 where there are none",
    parameters: &[REL],
    cutoff: Cutoff::None,
    range: Range::Unit,
    aggregate: Aggregate::Mean,
    source: "trec_eval set_recall",
    example: Example {
        measure: "SetR",
        ranking: "1 0 1 -",
        missed: "1",
        working: "2 / 3",
        value: 0.6667,
    },
    bind: |spec, _| {
        bound(SetRecall {
            rel: spec.number("rel"),
        })
    },
};

#[derive(Debug)]
struct SetRecall {
    rel: f64,
}

impl Measure for SetRecall {
    fn as_ranked(&self, query: &JudgedRanking<'_>) -> f64 {
        let found = query.retrieved_relevant(self.rel);
        ratio(found, query.relevant(self.rel) as f64)
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
