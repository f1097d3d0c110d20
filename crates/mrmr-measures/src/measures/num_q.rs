//! The number of queries.

use crate::definition::{Aggregate, Cutoff, Definition, Example, Range, alias, bound};
use crate::measure::{JudgedRanking, Measure};

pub(super) static DEFINITION: Definition = Definition {
    name: "NumQ",
    aliases: &[alias("num_q")],
    summary: "the number of queries that the mean goes over",
    parameters: &[],
    cutoff: Cutoff::None,
    range: Range::Count,
    aggregate: Aggregate::Sum,
    source: "trec_eval num_q",
    example: Example {
        measure: "NumQ",
        ranking: "1",
        missed: "",
        working: "one query",
        value: 1.0,
    },
    bind: |_, _| bound(NumQ),
};

#[derive(Debug)]
struct NumQ;

impl Measure for NumQ {
    fn as_ranked(&self, _: &JudgedRanking<'_>) -> f64 {
        1.0
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
