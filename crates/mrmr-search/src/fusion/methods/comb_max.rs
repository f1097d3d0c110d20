//! CombMAX: the highest score that a run gives.

use crate::fusion::candidates::Answers;
use crate::fusion::definition::{Bind, Combine, Definition, Reads, bound};

pub(super) const DEFINITION: Definition = Definition {
    name: "combmax",
    aliases: &["max", "comb-max"],
    summary: "the highest score that a run gives",
    parameters: &[],
    reads: Reads::Scores,
    source: "Fox & Shaw 1993, Combination of multiple searches (TREC-2)",
    bind: Bind::Plain(|_, _| bound(CombMax)),
};

struct CombMax;

impl Combine for CombMax {
    fn combine(&self, answers: &Answers<'_>, scores: &mut [f64]) {
        scores.fill(f64::NEG_INFINITY);
        for scored in answers.lists.iter().flatten() {
            let score = &mut scores[scored.slot as usize];
            *score = score.max(scored.score);
        }
    }
}
