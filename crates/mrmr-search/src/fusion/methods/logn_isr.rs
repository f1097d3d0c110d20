//! LogN ISR: inverse square ranks.

use crate::fusion::candidates::Answers;
use crate::fusion::definition::{
    Bind, Combine, Definition, Parameter, ParameterKind, Reads, bound,
};

pub(super) const DEFINITION: Definition = Definition {
    name: "logn-isr",
    aliases: &["lognisr"],
    summary: "the sum of 1 / rank^2, times the logarithm of sigma plus the number of runs that have the document",
    parameters: &[Parameter {
        name: "sigma",
        kind: ParameterKind::Number {
            default: 0.01,
            min: 0.0,
            max: 1.0,
        },
        summary: "keeps a document of one run above 0",
        grid: &[0.1, 0.2, 0.5, 1.0],
    }],
    reads: Reads::Ranks,
    source: "Mourão, Martins & Magalhães 2015, Multimodal medical information retrieval with unsupervised rank fusion",
    bind: Bind::Plain(|method, _| {
        bound(LogNIsr {
            sigma: method.number("sigma"),
        })
    }),
};

struct LogNIsr {
    sigma: f64,
}

impl Combine for LogNIsr {
    fn combine(&self, answers: &Answers<'_>, scores: &mut [f64]) {
        answers.add(scores, |_, rank, _| 1.0 / ((rank + 1) as f64).powi(2));
        for (score, count) in scores.iter_mut().zip(answers.counts()) {
            *score *= (f64::from(count) + self.sigma).ln();
        }
    }
}
