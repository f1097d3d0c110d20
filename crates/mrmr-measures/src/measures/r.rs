//! Recall.

use crate::definition::{Aggregate, Cutoff, Definition, REL, Range, alias};
use crate::measure::{JudgedRanking, Measure, Ties, binary, ratio};

pub(super) static DEFINITION: Definition = Definition {
    name: "R",
    aliases: &[alias("recall")],
    summary: "relevant documents in the top k / all relevant documents; 0 where there are none",
    parameters: &[REL],
    cutoff: Cutoff::Required,
    range: Range::Unit,
    aggregate: Aggregate::Mean,
    source: "trec_eval recall",
    bind: |spec| {
        Box::new(Recall {
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

impl Measure for Recall {
    fn value(&self, query: &JudgedRanking<'_>, ties: Ties) -> f64 {
        let found = query.relevant_in_top(self.depth, self.rel, ties);
        ratio(found, query.relevant(self.rel) as f64)
    }

    fn worth(&self, grade: Option<f64>) -> f64 {
        binary(self.rel)(grade)
    }
}
