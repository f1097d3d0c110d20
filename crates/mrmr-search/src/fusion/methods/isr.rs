//! ISR: inverse square ranks.

use crate::fusion::candidates::Answers;
use crate::fusion::definition::{Bind, Combine, Definition, Reads, bound};

pub(super) const DEFINITION: Definition = Definition {
    name: "isr",
    aliases: &[],
    summary: "the sum of 1 / rank^2, times the number of runs that have the document",
    parameters: &[],
    reads: Reads::Ranks,
    source: "Mourão, Martins & Magalhães 2015, Multimodal medical information retrieval with unsupervised rank fusion",
    bind: Bind::Plain(|_, _| bound(Isr)),
};

struct Isr;

impl Combine for Isr {
    fn combine(&self, answers: &Answers<'_>, scores: &mut [f64]) {
        answers.add(scores, |_, rank, _| 1.0 / ((rank + 1) as f64).powi(2));
        for (score, count) in scores.iter_mut().zip(answers.counts()) {
            *score *= f64::from(count);
        }
    }
}
