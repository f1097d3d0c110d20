//! The number of retrieved documents.

use crate::definition::{Aggregate, Cutoff, Definition, Example, Range, alias, bound};
use crate::measure::{JudgedRanking, Measure};

pub(super) static DEFINITION: Definition = Definition {
    name: "NumRet",
    aliases: &[alias("num_ret")],
    summary: "the number of retrieved documents, summed over the queries",
    parameters: &[],
    cutoff: Cutoff::None,
    range: Range::Count,
    aggregate: Aggregate::Sum,
    source: "trec_eval num_ret",
    example: Example {
        measure: "NumRet",
        ranking: "1 0 -",
        missed: "2",
        working: "three documents",
        value: 3.0,
    },
    bind: |_, _| bound(NumRet),
};

#[derive(Debug)]
struct NumRet;

impl Measure for NumRet {
    fn as_ranked(&self, query: &JudgedRanking<'_>) -> f64 {
        query.retrieved as f64
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
