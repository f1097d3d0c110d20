//! Capped recall.

use crate::definition::{Aggregate, Cutoff, Definition, Example, Range, alias, bound};
use crate::measure::{JudgedRanking, Measure, Ties, binary, ratio};
use crate::parameter::REL;

pub(super) static DEFINITION: Definition = Definition {
    name: "R_cap",
    aliases: &[alias("recall_cap")],
    summary: "relevant documents in the top k / the most that could be there, min(R, k)",
    parameters: &[REL],
    cutoff: Cutoff::Required,
    range: Range::Unit,
    aggregate: Aggregate::Mean,
    source: "Thakur et al. 2021, BEIR (capped Recall@k)",
    example: Example {
        measure: "R_cap@2",
        ranking: "1 0 1",
        missed: "1",
        working: "1 / min(3, 2)",
        value: 0.5,
    },
    bind: |spec, _| {
        bound(CappedRecall {
            rel: spec.number("rel"),
            depth: spec.depth(),
        })
    },
};

#[derive(Debug)]
struct CappedRecall {
    rel: f64,
    depth: usize,
}

impl CappedRecall {
    fn at(&self, query: &JudgedRanking<'_>, ties: Ties) -> f64 {
        let found = query.relevant_in_top(self.depth, self.rel, ties);
        ratio(found, query.relevant(self.rel).min(self.depth) as f64)
    }
}

impl Measure for CappedRecall {
    fn as_ranked(&self, query: &JudgedRanking<'_>) -> f64 {
        self.at(query, Ties::AsRanked)
    }

    fn averaged(&self, query: &JudgedRanking<'_>) -> Option<f64> {
        Some(self.at(query, Ties::Averaged))
    }

    fn worth(&self, grade: Option<f64>) -> f64 {
        binary(self.rel)(grade)
    }

    fn is_ordered(&self) -> bool {
        true
    }
}
