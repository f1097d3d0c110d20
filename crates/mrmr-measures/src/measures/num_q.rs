//! The number of queries.

use crate::definition::{Aggregate, Cutoff, Definition, Range, alias};
use crate::measure::{JudgedRanking, Measure, Ties};

pub(super) static DEFINITION: Definition = Definition {
    name: "NumQ",
    aliases: &[alias("num_q")],
    summary: "the number of queries that the mean goes over",
    parameters: &[],
    cutoff: Cutoff::None,
    range: Range::Count,
    aggregate: Aggregate::Sum,
    source: "trec_eval num_q",
    bind: |_| Box::new(NumQ),
};

#[derive(Debug)]
struct NumQ;

impl Measure for NumQ {
    fn value(&self, _: &JudgedRanking<'_>, _: Ties) -> f64 {
        1.0
    }

    fn worth(&self, _: Option<f64>) -> f64 {
        0.0
    }
}
