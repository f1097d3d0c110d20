//! Precision of all that was retrieved.

use crate::definition::{Aggregate, Cutoff, Definition, Example, Range, alias, bound};
use crate::measure::{JudgedRanking, Measure, binary, ratio};
use crate::parameter::REL;

pub(super) static DEFINITION: Definition = Definition {
    name: "SetP",
    aliases: &[alias("set_p")],
    summary: "relevant retrieved documents / retrieved documents; 0 where nothing came back",
    parameters: &[REL],
    cutoff: Cutoff::None,
    range: Range::Unit,
    aggregate: Aggregate::Mean,
    source: "trec_eval set_P",
    example: Example {
        measure: "SetP",
        ranking: "1 0 1 -",
        missed: "1",
        working: "2 / 4",
        value: 0.5,
    },
    bind: |spec, _| {
        bound(SetPrecision {
            rel: spec.number("rel"),
        })
    },
};

#[derive(Debug)]
struct SetPrecision {
    rel: f64,
}

impl Measure for SetPrecision {
    fn as_ranked(&self, query: &JudgedRanking<'_>) -> f64 {
        ratio(query.retrieved_relevant(self.rel), query.retrieved as f64)
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
