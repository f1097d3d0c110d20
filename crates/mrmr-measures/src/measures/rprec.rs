//! R-precision.

use crate::definition::{Aggregate, Cutoff, Definition, REL, Range, alias};
use crate::measure::{JudgedRanking, Measure, Ties, binary, ratio};

pub(super) static DEFINITION: Definition = Definition {
    name: "Rprec",
    aliases: &[alias("r_precision"), alias("r-precision")],
    summary: "precision at R, the number of relevant documents; 0 where there are none",
    parameters: &[REL],
    cutoff: Cutoff::None,
    range: Range::Unit,
    aggregate: Aggregate::Mean,
    source: "trec_eval Rprec",
    bind: |spec| {
        Box::new(RPrecision {
            rel: spec.number("rel"),
        })
    },
};

#[derive(Debug)]
struct RPrecision {
    rel: f64,
}

impl Measure for RPrecision {
    fn value(&self, query: &JudgedRanking<'_>, ties: Ties) -> f64 {
        let relevant = query.relevant(self.rel);
        ratio(
            query.relevant_in_top(relevant, self.rel, ties),
            relevant as f64,
        )
    }

    fn worth(&self, grade: Option<f64>) -> f64 {
        binary(self.rel)(grade)
    }
}
