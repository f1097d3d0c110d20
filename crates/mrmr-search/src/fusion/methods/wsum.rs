//! Weighted sum.

use crate::fusion::candidates::Answers;
use crate::fusion::definition::{Bind, Combine, Definition, Reads, WEIGHTS, bound};

pub(super) const DEFINITION: Definition = Definition {
    name: "wsum",
    aliases: &["weighted-sum", "convex"],
    summary: "the sum of weight x score",
    parameters: &[WEIGHTS],
    reads: Reads::Scores,
    source: "Vogt & Cottrell 1999, Fusion via a linear combination of scores",
    bind: Bind::Plain(|method, runs| {
        bound(WeightedSum {
            weights: method.weights(runs)?,
        })
    }),
};

struct WeightedSum {
    weights: Vec<f64>,
}

impl Combine for WeightedSum {
    fn combine(&self, answers: &Answers<'_>, scores: &mut [f64]) {
        answers.add(scores, |run, _, score| weighted(self.weights[run], score));
    }
}

/// A weight of 0 leaves nothing, of infinity neither.
pub(super) fn weighted(weight: f64, score: f64) -> f64 {
    match weight == 0.0 {
        true => 0.0,
        false => weight * score,
    }
}
