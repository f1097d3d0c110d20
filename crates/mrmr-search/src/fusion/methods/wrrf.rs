//! Reciprocal rank fusion with a weight a run.

use super::rrf::K;
use crate::fusion::candidates::Answers;
use crate::fusion::definition::{Bind, Combine, Definition, Reads, WEIGHTS, bound};

pub(super) const DEFINITION: Definition = Definition {
    name: "wrrf",
    aliases: &["w-rrf", "weighted-rrf"],
    summary: "the sum of weight / (k + rank)",
    parameters: &[WEIGHTS, K],
    reads: Reads::Ranks,
    source: "Cormack, Clarke & Büttcher 2009, with the weights of Elasticsearch and others",
    bind: Bind::Plain(|method, runs| {
        bound(WeightedRrf {
            weights: method.weights(runs)?,
            k: method.number("k"),
        })
    }),
};

struct WeightedRrf {
    weights: Vec<f64>,
    k: f64,
}

impl Combine for WeightedRrf {
    fn combine(&self, answers: &Answers<'_>, scores: &mut [f64]) {
        answers.add(scores, |run, rank, _| {
            self.weights[run] * (1.0 / (self.k + rank as f64 + 1.0))
        });
    }
}
