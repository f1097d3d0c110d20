//! The unjudged share of the top of a ranking.

use crate::definition::{Aggregate, Cutoff, Definition, Example, Range, bound};
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
    example: Example {
        measure: "Unjudged@4",
        ranking: "1 - 0 -",
        missed: "",
        working: "2 / 4",
        value: 0.5,
    },
    bind: |spec, _| {
        bound(Unjudged {
            depth: spec.depth(),
        })
    },
};

#[derive(Debug)]
struct Unjudged {
    depth: usize,
}

impl Unjudged {
    fn at(&self, query: &JudgedRanking<'_>, ties: Ties) -> f64 {
        let judged = query.relevant_in_top(self.depth, f64::NEG_INFINITY, ties);
        let top = self.depth.min(query.retrieved) as f64;
        ratio(top - judged, top)
    }
}

impl Measure for Unjudged {
    fn as_ranked(&self, query: &JudgedRanking<'_>) -> f64 {
        self.at(query, Ties::AsRanked)
    }

    fn averaged(&self, query: &JudgedRanking<'_>) -> Option<f64> {
        Some(self.at(query, Ties::Averaged))
    }

    fn worth(&self, grade: Option<f64>) -> f64 {
        f64::from(u8::from(grade.is_none()))
    }

    fn is_ordered(&self) -> bool {
        true
    }
}
