//! Reciprocal rank fusion.

use crate::fusion::candidates::Answers;
use crate::fusion::definition::{
    Bind, Combine, Definition, Parameter, ParameterKind, Reads, bound,
};

/// How little the first ranks stand out.
pub(super) const K: Parameter = Parameter {
    name: "k",
    kind: ParameterKind::Number {
        default: 60.0,
        min: 0.0,
        max: f64::INFINITY,
    },
    summary: "how little the first ranks stand out",
    grid: &[1.0, 2.0, 5.0, 10.0, 20.0, 40.0, 80.0, 100.0, 200.0, 500.0],
};

pub(super) const DEFINITION: Definition = Definition {
    name: "rrf",
    aliases: &["reciprocal-rank-fusion"],
    summary: "the sum of 1 / (k + rank)",
    parameters: &[K],
    reads: Reads::Ranks,
    source: "Cormack, Clarke & Büttcher 2009, Reciprocal rank fusion outperforms Condorcet and individual rank learning methods (SIGIR)",
    bind: Bind::Plain(|method, _| {
        bound(Rrf {
            k: method.number("k"),
        })
    }),
};

struct Rrf {
    k: f64,
}

impl Combine for Rrf {
    fn combine(&self, answers: &Answers<'_>, scores: &mut [f64]) {
        answers.add(scores, |_, rank, _| 1.0 / (self.k + rank as f64 + 1.0));
    }
}
