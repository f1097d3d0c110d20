//! CombGMNZ: CombMNZ with a power.

use crate::fusion::candidates::Answers;
use crate::fusion::definition::{
    Bind, Combine, Definition, Parameter, ParameterKind, Reads, bound,
};

pub(super) const DEFINITION: Definition = Definition {
    name: "combgmnz",
    aliases: &["gmnz", "comb-gmnz"],
    summary: "the sum of the scores, times the number of runs that have the document to the power of gamma",
    parameters: &[Parameter {
        name: "gamma",
        kind: ParameterKind::Number {
            default: 1.0,
            min: 0.0,
            max: f64::INFINITY,
        },
        summary: "0 is CombSUM, 1 CombMNZ",
        grid: &[0.0, 0.25, 0.5, 0.75, 1.5, 2.0],
    }],
    reads: Reads::Scores,
    source: "Lee 1997, Analyses of multiple evidence combination (SIGIR)",
    bind: Bind::Plain(|method, _| {
        bound(CombGmnz {
            gamma: method.number("gamma"),
        })
    }),
};

struct CombGmnz {
    gamma: f64,
}

impl Combine for CombGmnz {
    fn combine(&self, answers: &Answers<'_>, scores: &mut [f64]) {
        answers.add(scores, |_, _, score| score);
        for (score, count) in scores.iter_mut().zip(answers.counts()) {
            *score *= f64::from(count).powf(self.gamma);
        }
    }
}
