//! CondorcetFuse with a weight a run.

use super::condorcet::vote;
use crate::fusion::candidates::Answers;
use crate::fusion::definition::{Bind, Combine, Definition, Reads, WEIGHTS, bound};

pub(super) const DEFINITION: Definition = Definition {
    name: "wcondorcet",
    aliases: &["w-condorcet", "weighted-condorcet"],
    summary: "as condorcet, each run with as many votes as its weight",
    parameters: &[WEIGHTS],
    reads: Reads::Ranks,
    source: "Montague & Aslam 2002, Condorcet fusion for improved retrieval (CIKM)",
    bind: Bind::Plain(|method, runs| {
        bound(WeightedCondorcet {
            weights: method.weights(runs)?,
        })
    }),
};

struct WeightedCondorcet {
    weights: Vec<f64>,
}

impl Combine for WeightedCondorcet {
    fn combine(&self, answers: &Answers<'_>, scores: &mut [f64]) {
        vote(answers, scores, |run| self.weights[run]);
    }
}
