//! Mixed: between a weighted sum and a weighted mean.

use super::wsum::weighted;
use crate::fusion::candidates::Answers;
use crate::fusion::definition::{Bind, Combine, Definition, Reads, WEIGHTS, bound};

pub(super) const DEFINITION: Definition = Definition {
    name: "mixed",
    aliases: &[],
    summary: "the sum of weight x score, times the root of the number of runs that have the document",
    parameters: &[WEIGHTS],
    reads: Reads::Scores,
    source: "Wu & Crestani 2002, Data fusion with estimated weights (CIKM)",
    bind: Bind::Plain(|method, runs| {
        bound(Mixed {
            weights: method.weights(runs)?,
        })
    }),
};

struct Mixed {
    weights: Vec<f64>,
}

impl Combine for Mixed {
    fn combine(&self, answers: &Answers<'_>, scores: &mut [f64]) {
        answers.add(scores, |run, _, score| weighted(self.weights[run], score));
        for (score, count) in scores.iter_mut().zip(answers.counts()) {
            *score *= f64::from(count).sqrt();
        }
    }
}
