//! CombANZ: the mean of the scores that runs give.

use crate::fusion::candidates::Answers;
use crate::fusion::definition::{Bind, Combine, Definition, Reads, bound};

pub(super) const DEFINITION: Definition = Definition {
    name: "combanz",
    aliases: &["anz", "comb-anz"],
    summary: "the mean of the scores that runs give",
    parameters: &[],
    reads: Reads::Scores,
    source: "Fox & Shaw 1993, Combination of multiple searches (TREC-2)",
    bind: Bind::Plain(|_, _| bound(CombAnz)),
};

struct CombAnz;

impl Combine for CombAnz {
    fn combine(&self, answers: &Answers<'_>, scores: &mut [f64]) {
        answers.add(scores, |_, _, score| score);
        for (score, count) in scores.iter_mut().zip(answers.counts()) {
            *score /= f64::from(count);
        }
    }
}
