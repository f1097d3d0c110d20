//! BordaFuse: points by rank.

use crate::fusion::candidates::Answers;
use crate::fusion::definition::{Bind, Combine, Definition, Reads, bound};

pub(super) const DEFINITION: Definition = Definition {
    name: "borda",
    aliases: &["bordafuse"],
    summary: "the sum of points: of n documents in all, n for the first of a list, n - 1 for the second; those that a list lacks share what is left",
    parameters: &[],
    reads: Reads::Ranks,
    source: "Aslam & Montague 2001, Models for metasearch (SIGIR)",
    bind: Bind::Plain(|_, _| bound(Borda)),
};

struct Borda;

impl Combine for Borda {
    fn combine(&self, answers: &Answers<'_>, scores: &mut [f64]) {
        add_points(answers, scores, |_| 1.0);
    }
}

/// Adds the points of each list, times its weight.
pub(super) fn add_points(answers: &Answers<'_>, scores: &mut [f64], weight: impl Fn(usize) -> f64) {
    let all = answers.documents;
    let mut points = vec![0.0; all];
    for (run, list) in answers.lists.iter().enumerate() {
        points.fill((all - list.len() + 1) as f64 / 2.0);
        for (rank, scored) in list.iter().enumerate() {
            points[scored.slot as usize] = (all - rank) as f64;
        }
        for (score, points) in scores.iter_mut().zip(&points) {
            *score += weight(run) * points;
        }
    }
}
