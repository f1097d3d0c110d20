//! Weighted MNZ.

use super::wsum::weighted;
use crate::fusion::candidates::Answers;
use crate::fusion::definition::{Bind, Combine, Definition, Reads, WEIGHTS, bound};

pub(super) const DEFINITION: Definition = Definition {
    name: "wmnz",
    aliases: &["weighted-mnz"],
    summary: "the sum of the scores, times the weights of the runs that have the document",
    parameters: &[WEIGHTS],
    reads: Reads::Scores,
    source: "Wu & Crestani 2002, Data fusion with estimated weights (CIKM)",
    bind: Bind::Plain(|method, runs| {
        bound(WeightedMnz {
            weights: method.weights(runs)?,
        })
    }),
};

struct WeightedMnz {
    weights: Vec<f64>,
}

impl Combine for WeightedMnz {
    fn combine(&self, answers: &Answers<'_>, scores: &mut [f64]) {
        let mut weights = vec![0.0; answers.documents];
        answers.add(&mut weights, |run, _, _| self.weights[run]);
        answers.add(scores, |_, _, score| score);
        for (score, weight) in scores.iter_mut().zip(weights) {
            *score = weighted(weight, *score);
        }
    }
}
