//! Precision.

use crate::definition::{Aggregate, Cutoff, Definition, REL, Range, alias};
use crate::measure::{JudgedRanking, Measure, Ties, binary};

pub(super) static DEFINITION: Definition = Definition {
    name: "P",
    aliases: &[alias("precision")],
    summary: "relevant documents in the top k / k, also where fewer than k came back",
    parameters: &[REL],
    cutoff: Cutoff::Required,
    range: Range::Unit,
    aggregate: Aggregate::Mean,
    source: "trec_eval P",
    bind: |spec| {
        Box::new(Precision {
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

impl Measure for Precision {
    fn value(&self, query: &JudgedRanking<'_>, ties: Ties) -> f64 {
        query.relevant_in_top(self.depth, self.rel, ties) / self.depth as f64
    }

    fn worth(&self, grade: Option<f64>) -> f64 {
        binary(self.rel)(grade)
    }
}
