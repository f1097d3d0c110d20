//! CondorcetFuse: a document stands above those that most runs have below it.

use crate::fusion::candidates::Answers;
use crate::fusion::definition::{Bind, Combine, Definition, Reads, bound};

pub(super) const DEFINITION: Definition = Definition {
    name: "condorcet",
    aliases: &["condorcetfuse"],
    summary: "n for the first of n documents, n - 1 for the second, ..., in an order where each document is above the next in at least as many runs as below it",
    parameters: &[],
    reads: Reads::Ranks,
    source: "Montague & Aslam 2002, Condorcet fusion for improved retrieval (CIKM)",
    bind: Bind::Plain(|_, _| bound(Condorcet)),
};

struct Condorcet;

impl Combine for Condorcet {
    fn combine(&self, answers: &Answers<'_>, scores: &mut [f64]) {
        vote(answers, scores, |_| 1.0);
    }
}

/// Scores documents by their place in an order of majorities.
///
/// A run votes for the document that it has at the better rank, or has alone. Where votes are equal, the larger id
/// wins. Majorities may go round in a circle; then several orders have no document that the next one beats, and it is
/// the one that a merge sort of the documents by id, the larger first, finds. Of documents in no circle the order is the
/// only one.
pub(super) fn vote(answers: &Answers<'_>, scores: &mut [f64], weight: impl Fn(usize) -> f64) {
    let by_id = answers.by_id();
    let mut places = vec![0u32; answers.documents];
    for (place, slot) in by_id.iter().enumerate() {
        places[*slot as usize] = place as u32;
    }
    let runs = answers.lists.len();
    // For each slot its rank in every run; what a run lacks is below all that it has.
    let mut ranks = vec![u32::MAX; answers.documents * runs];
    for (run, list) in answers.lists.iter().enumerate() {
        for (rank, scored) in list.iter().enumerate() {
            ranks[scored.slot as usize * runs + run] = rank as u32;
        }
    }
    let weights: Vec<f64> = (0..runs).map(weight).collect();
    let above = |a: u32, b: u32| {
        let of = |slot: u32| &ranks[slot as usize * runs..][..runs];
        let (mut for_a, mut for_b) = (0.0, 0.0);
        for ((a, b), weight) in of(a).iter().zip(of(b)).zip(&weights) {
            if a < b {
                for_a += weight;
            } else if b < a {
                for_b += weight;
            }
        }
        for_a > for_b || (for_a == for_b && places[a as usize] < places[b as usize])
    };
    for (place, slot) in merge_sort(by_id, above).into_iter().enumerate() {
        scores[slot as usize] = (answers.documents - place) as f64;
    }
}

/// Sorts by pairs, then fours and so on. Neighbours of the result were compared, so that none stands behind one that it
/// is above, whether `above` is an order or goes in circles.
fn merge_sort(mut slots: Vec<u32>, above: impl Fn(u32, u32) -> bool) -> Vec<u32> {
    let mut merged = Vec::with_capacity(slots.len());
    let mut width = 1;
    while width < slots.len() {
        merged.clear();
        for block in slots.chunks(2 * width) {
            let (mut left, mut right) = block.split_at(width.min(block.len()));
            while let ([a, rest_left @ ..], [b, rest_right @ ..]) = (left, right) {
                if above(*b, *a) {
                    merged.push(*b);
                    right = rest_right;
                } else {
                    merged.push(*a);
                    left = rest_left;
                }
            }
            merged.extend_from_slice(left);
            merged.extend_from_slice(right);
        }
        std::mem::swap(&mut slots, &mut merged);
        width *= 2;
    }
    slots
}
