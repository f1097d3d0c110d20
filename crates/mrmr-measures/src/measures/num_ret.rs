//! The number of retrieved documents.

use crate::definition::{Aggregate, Cutoff, Definition, Range, alias};
use crate::measure::{JudgedRanking, Measure, Ties};

pub(super) static DEFINITION: Definition = Definition {
    name: "NumRet",
    aliases: &[alias("num_ret")],
    summary: "the number of retrieved documents, summed over the queries",
    parameters: &[],
    cutoff: Cutoff::None,
    range: Range::Count,
    aggregate: Aggregate::Sum,
    source: "trec_eval num_ret",
    bind: |_| Box::new(NumRet),
};

#[derive(Debug)]
struct NumRet;

impl Measure for NumRet {
    fn value(&self, query: &JudgedRanking<'_>, _: Ties) -> f64 {
        query.retrieved as f64
    }

    fn worth(&self, _: Option<f64>) -> f64 {
        0.0
    }
}
