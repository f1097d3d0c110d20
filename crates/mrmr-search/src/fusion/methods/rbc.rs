//! Rank-biased centroids.

use crate::fusion::candidates::Answers;
use crate::fusion::definition::{
    Bind, Combine, Definition, Parameter, ParameterKind, Reads, bound,
};

pub(super) const DEFINITION: Definition = Definition {
    name: "rbc",
    aliases: &["rank-biased-centroid"],
    summary: "the sum of (1 - phi) phi^(rank - 1)",
    parameters: &[Parameter {
        name: "phi",
        kind: ParameterKind::Number {
            default: 0.8,
            min: 0.0,
            max: 1.0,
        },
        summary: "how far down a reader goes",
        grid: &[0.5, 0.6, 0.7, 0.9, 0.95, 0.98, 0.99],
    }],
    reads: Reads::Ranks,
    source: "Bailey et al. 2017, Retrieval consistency in the presence of query variations (SIGIR)",
    bind: Bind::Plain(|method, _| {
        bound(Rbc {
            phi: method.number("phi"),
        })
    }),
};

struct Rbc {
    phi: f64,
}

impl Combine for Rbc {
    fn combine(&self, answers: &Answers<'_>, scores: &mut [f64]) {
        let power = |rank: usize| self.phi.powi(rank.min(i32::MAX as usize) as i32);
        answers.add(scores, |_, rank, _| (1.0 - self.phi) * power(rank));
    }
}
