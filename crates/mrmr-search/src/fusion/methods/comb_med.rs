//! CombMED: the median of the scores.

use crate::fusion::candidates::Answers;
use crate::fusion::definition::{Bind, Combine, Definition, Reads, bound};

pub(super) const DEFINITION: Definition = Definition {
    name: "combmed",
    aliases: &["med", "comb-med"],
    summary: "the median of the scores that runs give",
    parameters: &[],
    reads: Reads::Scores,
    source: "Fox & Shaw 1993, Combination of multiple searches (TREC-2)",
    bind: Bind::Plain(|_, _| bound(CombMed)),
};

struct CombMed;

impl Combine for CombMed {
    fn combine(&self, answers: &Answers<'_>, scores: &mut [f64]) {
        // All scores, those of a slot behind each other.
        let counts = answers.counts();
        let mut ends: Vec<usize> = Vec::with_capacity(counts.len());
        for count in &counts {
            ends.push(ends.last().copied().unwrap_or(0) + *count as usize);
        }
        let mut values = vec![0.0; ends.last().copied().unwrap_or(0)];
        let mut free = ends.clone();
        for scored in answers.lists.iter().flatten() {
            let at = &mut free[scored.slot as usize];
            *at -= 1;
            values[*at] = scored.score;
        }
        for ((score, start), end) in scores.iter_mut().zip(free).zip(ends) {
            *score = median(&mut values[start..end]);
        }
    }
}

/// Of an even number of values, the mean of the two in the middle.
fn median(values: &mut [f64]) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() % 2 {
        1 => values[middle],
        _ => (values[middle - 1] + values[middle]) / 2.0,
    }
}
