//! The number of retrieved relevant documents.

use crate::definition::{Aggregate, Cutoff, Definition, REL, Range, alias};
use crate::measure::{JudgedRanking, Measure, Ties, binary};

pub(super) static DEFINITION: Definition = Definition {
    name: "NumRelRet",
    aliases: &[alias("num_rel_ret")],
    summary: "the number of relevant documents that were retrieved, summed over the queries",
    parameters: &[REL],
    cutoff: Cutoff::None,
    range: Range::Count,
    aggregate: Aggregate::Sum,
    source: "trec_eval num_rel_ret",
    bind: |spec| {
        Box::new(NumRelRet {
            rel: spec.number("rel"),
        })
    },
};

#[derive(Debug)]
struct NumRelRet {
    rel: f64,
}

impl Measure for NumRelRet {
    fn value(&self, query: &JudgedRanking<'_>, _: Ties) -> f64 {
        query.relevant_in_top(usize::MAX, self.rel, Ties::AsRanked)
    }

    fn worth(&self, grade: Option<f64>) -> f64 {
        binary(self.rel)(grade)
    }
}
