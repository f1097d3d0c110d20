//! Capped recall.

use crate::definition::{Aggregate, Cutoff, Definition, REL, Range, alias};
use crate::measure::{JudgedRanking, Measure, Ties, binary, ratio};

pub(super) static DEFINITION: Definition = Definition {
    name: "R_cap",
    aliases: &[alias("recall_cap")],
    summary: "relevant documents in the top k / the most that could be there, min(R, k)",
    parameters: &[REL],
    cutoff: Cutoff::Required,
    range: Range::Unit,
    aggregate: Aggregate::Mean,
    source: "Thakur et al. 2021, BEIR (capped Recall@k)",
    bind: |spec| {
        Box::new(CappedRecall {
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

impl Measure for CappedRecall {
    fn value(&self, query: &JudgedRanking<'_>, ties: Ties) -> f64 {
        let found = query.relevant_in_top(self.depth, self.rel, ties);
        ratio(found, query.relevant(self.rel).min(self.depth) as f64)
    }

    fn worth(&self, grade: Option<f64>) -> f64 {
        binary(self.rel)(grade)
    }
}
