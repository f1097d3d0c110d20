//! Interpolated precision.

use crate::definition::{Aggregate, Cutoff, Definition, Example, Range, alias, bound};
use crate::measure::{JudgedRanking, Measure, binary};
use crate::parameter::REL;

pub(super) static DEFINITION: Definition = Definition {
    name: "IPrec",
    aliases: &[alias("iprec_at_recall")],
    summary: "the highest precision at any rank from where recall x is reached: where round(x R) relevant documents are found; \
              halves are rounded up",
    parameters: &[REL],
    cutoff: Cutoff::Recall,
    range: Range::Unit,
    aggregate: Aggregate::Mean,
    source: "trec_eval 10 iprec_at_recall (9 rounds by adding 0.9)",
    example: Example {
        measure: "IPrec@0.5",
        ranking: "0 1 1",
        missed: "",
        working: "R = 2, so from the first relevant document on: max(1/2, 2/3)",
        value: 0.6667,
    },
    bind: |spec, _| {
        bound(InterpolatedPrecision {
            rel: spec.number("rel"),
            level: spec.recall().unwrap_or(0.0),
        })
    },
};

#[derive(Debug)]
struct InterpolatedPrecision {
    rel: f64,
    level: f64,
}

impl Measure for InterpolatedPrecision {
    fn as_ranked(&self, query: &JudgedRanking<'_>) -> f64 {
        let enough = (self.level * query.relevant(self.rel) as f64).round() as usize;
        let relevant = query.hits.iter().filter(|hit| hit.grade >= self.rel);
        let precisions = relevant
            .enumerate()
            .map(|(at, hit)| (at + 1) as f64 / hit.rank as f64);
        precisions
            .skip(enough.saturating_sub(1))
            .fold(0.0, f64::max)
    }

    fn worth(&self, grade: Option<f64>) -> f64 {
        binary(self.rel)(grade)
    }

    fn is_ordered(&self) -> bool {
        true
    }
}
