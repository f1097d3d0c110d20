//! The judged share of the top of a ranking.

use crate::definition::{Aggregate, Cutoff, Definition, Range};
use crate::measure::{JudgedRanking, Measure, Ties, ratio};

pub(super) static DEFINITION: Definition = Definition {
    name: "Judged",
    aliases: &[],
    summary: "the judged share of the min(k, retrieved) first documents; 0 where nothing came back",
    parameters: &[],
    cutoff: Cutoff::Required,
    range: Range::Unit,
    aggregate: Aggregate::Mean,
    source: "ir_measures Judged",
    bind: |spec| {
        Box::new(Judged {
            depth: spec.depth(),
        })
    },
};

#[derive(Debug)]
struct Judged {
    depth: usize,
}

impl Measure for Judged {
    fn value(&self, query: &JudgedRanking<'_>, ties: Ties) -> f64 {
        let judged = query.relevant_in_top(self.depth, f64::NEG_INFINITY, ties);
        ratio(judged, self.depth.min(query.retrieved) as f64)
    }

    fn worth(&self, grade: Option<f64>) -> f64 {
        f64::from(u8::from(grade.is_some()))
    }
}
