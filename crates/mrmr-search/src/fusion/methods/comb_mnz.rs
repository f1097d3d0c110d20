//! CombMNZ: the sum of the scores, times the number of runs that have the document.

use crate::fusion::candidates::Answers;
use crate::fusion::definition::{Bind, Combine, Definition, Reads, bound};

pub(super) const DEFINITION: Definition = Definition {
    name: "combmnz",
    aliases: &["mnz", "comb-mnz"],
    summary: "the sum of the scores, times the number of runs that have the document",
    parameters: &[],
    reads: Reads::Scores,
    source: "Fox & Shaw 1993, Combination of multiple searches (TREC-2)",
    bind: Bind::Plain(|_, _| bound(CombMnz)),
};

struct CombMnz;

impl Combine for CombMnz {
    fn combine(&self, answers: &Answers<'_>, scores: &mut [f64]) {
        answers.add(scores, |_, _, score| score);
        for (score, count) in scores.iter_mut().zip(answers.counts()) {
            *score *= f64::from(count);
        }
    }
}
