//! BordaFuse with a weight a run.

use super::borda::add_points;
use crate::fusion::candidates::Answers;
use crate::fusion::definition::{Bind, Combine, Definition, Reads, WEIGHTS, bound};

pub(super) const DEFINITION: Definition = Definition {
    name: "wborda",
    aliases: &["w-bordafuse", "weighted-bordafuse"],
    summary: "as borda, the points of each run times its weight",
    parameters: &[WEIGHTS],
    reads: Reads::Ranks,
    source: "Aslam & Montague 2001, Models for metasearch (SIGIR)",
    bind: Bind::Plain(|method, runs| {
        bound(WeightedBorda {
            weights: method.weights(runs)?,
        })
    }),
};

struct WeightedBorda {
    weights: Vec<f64>,
}

impl Combine for WeightedBorda {
    fn combine(&self, answers: &Answers<'_>, scores: &mut [f64]) {
        add_points(answers, scores, |run| self.weights[run]);
    }
}
