//! Precision times recall of all that was retrieved.

use crate::definition::{Aggregate, Cutoff, Definition, Example, Range, alias, bound};
use crate::measure::{JudgedRanking, Measure, binary, ratio};
use crate::parameter::REL;

pub(super) static DEFINITION: Definition = Definition {
    name: "SetAP",
    aliases: &[alias("set_map")],
    summary: "SetP times SetR: the average precision where each relevant retrieved document counts the precision of the whole set",
    parameters: &[REL],
    cutoff: Cutoff::None,
    range: Range::Unit,
    aggregate: Aggregate::Mean,
    source: "trec_eval set_map",
    example: Example {
        measure: "SetAP",
        ranking: "1 0 1 -",
        missed: "1",
        working: "(2 / 4) (2 / 3)",
        value: 0.3333,
    },
    bind: |spec, _| {
        bound(SetAveragePrecision {
            rel: spec.number("rel"),
        })
    },
};

#[derive(Debug)]
struct SetAveragePrecision {
    rel: f64,
}

impl Measure for SetAveragePrecision {
    fn as_ranked(&self, query: &JudgedRanking<'_>) -> f64 {
        let found = query.retrieved_relevant(self.rel);
        let most = query.retrieved as f64 * query.relevant(self.rel) as f64;
        ratio(found * found, most)
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
