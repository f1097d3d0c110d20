//! The number of relevant documents.

use crate::definition::{Aggregate, Cutoff, Definition, REL, Range, alias};
use crate::measure::{JudgedRanking, Measure, Ties};

pub(super) static DEFINITION: Definition = Definition {
    name: "NumRel",
    aliases: &[alias("num_rel")],
    summary: "the number of relevant documents in the qrels, summed over the queries",
    parameters: &[REL],
    cutoff: Cutoff::None,
    range: Range::Count,
    aggregate: Aggregate::Sum,
    source: "trec_eval num_rel",
    bind: |spec| {
        Box::new(NumRel {
            rel: spec.number("rel"),
        })
    },
};

#[derive(Debug)]
struct NumRel {
    rel: f64,
}

impl Measure for NumRel {
    fn value(&self, query: &JudgedRanking<'_>, _: Ties) -> f64 {
        query.relevant(self.rel) as f64
    }

    fn worth(&self, _: Option<f64>) -> f64 {
        0.0
    }
}
