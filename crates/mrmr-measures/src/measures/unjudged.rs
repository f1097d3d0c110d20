//! The unjudged share of the top of a ranking.

use crate::definition::{Aggregate, Cutoff, Definition, Range};
use crate::measure::{JudgedRanking, Measure, Ties, ratio};

pub(super) static DEFINITION: Definition = Definition {
    name: "Unjudged",
    aliases: &[],
    summary: "the unjudged share of the min(k, retrieved) first documents; 0 where nothing came back",
    parameters: &[],
    cutoff: Cutoff::Required,
    range: Range::Unit,
    aggregate: Aggregate::Mean,
    source: "the complement of Judged",
    bind: |spec| {
        Box::new(Unjudged {
            depth: spec.depth(),
        })
    },
};

#[derive(Debug)]
struct Unjudged {
    depth: usize,
}

impl Measure for Unjudged {
    fn value(&self, query: &JudgedRanking<'_>, ties: Ties) -> f64 {
        let gains = query.gains(ties, |grade| self.worth(grade));
        let depth = self.depth.min(gains.len());
        ratio(gains[..depth].iter().sum(), depth as f64)
    }

    fn worth(&self, grade: Option<f64>) -> f64 {
        f64::from(u8::from(grade.is_none()))
    }
}
