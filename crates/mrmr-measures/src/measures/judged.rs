//! The judged share of the top of a ranking.

use crate::definition::{Aggregate, Cutoff, Definition, Example, Range, bound};
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
    example: Example {
        measure: "Judged@4",
        ranking: "1 - 0 -",
        missed: "",
        working: "2 / 4",
        value: 0.5,
    },
    bind: |spec, _| {
        bound(Judged {
            depth: spec.depth(),
        })
    },
};

#[derive(Debug)]
struct Judged {
    depth: usize,
}

impl Judged {
    fn at(&self, query: &JudgedRanking<'_>, ties: Ties) -> f64 {
        let judged = query.relevant_in_top(self.depth, f64::NEG_INFINITY, ties);
        ratio(judged, self.depth.min(query.retrieved) as f64)
    }
}

impl Measure for Judged {
    fn as_ranked(&self, query: &JudgedRanking<'_>) -> f64 {
        self.at(query, Ties::AsRanked)
    }

    fn averaged(&self, query: &JudgedRanking<'_>) -> Option<f64> {
        Some(self.at(query, Ties::Averaged))
    }

    fn worth(&self, grade: Option<f64>) -> f64 {
        f64::from(u8::from(grade.is_some()))
    }

    fn is_ordered(&self) -> bool {
        true
    }
}
