//! CombSUM: the sum of the scores.

use crate::fusion::candidates::Answers;
use crate::fusion::definition::{Bind, Combine, Definition, Reads, bound};

pub(super) const DEFINITION: Definition = Definition {
    name: "combsum",
    aliases: &["sum", "comb-sum"],
    summary: "the sum of the scores",
    parameters: &[],
    reads: Reads::Scores,
    source: "Fox & Shaw 1993, Combination of multiple searches (TREC-2)",
    bind: Bind::Plain(|_, _| bound(CombSum)),
};

struct CombSum;

impl Combine for CombSum {
    fn combine(&self, answers: &Answers<'_>, scores: &mut [f64]) {
        answers.add(scores, |_, _, score| score);
    }
}
