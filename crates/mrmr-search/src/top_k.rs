//! The best k of many scored rows, ties included.

use std::cmp::Ordering;

use mrmr_core::{DocId, Error, Ids, Interned, Result};

/// A row that was found, with its score: higher is better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Neighbour {
    /// Which row of the index, from 0.
    pub row: u32,
    /// Never NaN.
    pub score: f64,
}

/// Which of two rows with equal scores comes first.
///
/// Where rows have ids, the larger id, byte-wise: the order in which a run is ranked by default. Where
/// they have none, the smaller row number.
#[derive(Clone, Debug)]
pub(crate) enum Precedence {
    /// For each row its place among all ids, ascending by bytes.
    Ids(Vec<u32>),
    Rows,
}

impl Precedence {
    pub(crate) fn of_ids(ids: &Ids<DocId>) -> Self {
        Precedence::Ids(ids.byte_order())
    }

    /// Smaller comes first.
    fn key(&self, row: u32) -> u32 {
        match self {
            Precedence::Ids(places) => u32::MAX - places[row as usize],
            Precedence::Rows => row,
        }
    }
}

/// Keeps the best `k` of the rows that it is offered, whatever their order.
pub(crate) struct TopK<'a> {
    k: usize,
    precedence: &'a Precedence,
    kept: Vec<Offer>,
    capacity: usize,
    /// The k-th best score so far; a lower one need not be kept.
    threshold: f64,
}

#[derive(Clone, Copy)]
struct Offer {
    score: f64,
    precedence: u32,
    row: u32,
}

impl Offer {
    fn order(&self, other: &Offer) -> Ordering {
        let score = other.score.partial_cmp(&self.score);
        // Scores are never NaN: parameters and vectors are checked.
        score
            .unwrap_or(Ordering::Equal)
            .then(self.precedence.cmp(&other.precedence))
    }
}

impl<'a> TopK<'a> {
    pub(crate) fn new(k: usize, precedence: &'a Precedence) -> Self {
        TopK {
            k,
            precedence,
            kept: Vec::new(),
            capacity: k.saturating_mul(2).max(64),
            threshold: f64::NEG_INFINITY,
        }
    }

    #[inline]
    pub(crate) fn offer(&mut self, row: u32, score: f64) {
        if score >= self.threshold {
            let precedence = self.precedence.key(row);
            self.kept.push(Offer {
                score,
                precedence,
                row,
            });
            if self.kept.len() == self.capacity {
                self.prune();
            }
        }
    }

    /// The score that is needed to be among the best, as far as is known.
    pub(crate) fn threshold(&self) -> f64 {
        self.threshold
    }

    /// Takes note of a score that at least `k` rows reach.
    pub(crate) fn raise(&mut self, threshold: f64) {
        self.threshold = self.threshold.max(threshold);
    }

    /// Brings the threshold up to date if enough rows came since it was last.
    pub(crate) fn tighten(&mut self) {
        if self.kept.len() >= self.k.saturating_add(self.k / 2).saturating_add(4) {
            self.prune();
        }
    }

    fn prune(&mut self) {
        if self.kept.len() >= self.k {
            self.kept.select_nth_unstable_by(self.k - 1, Offer::order);
            self.kept.truncate(self.k);
            self.threshold = self.kept[self.k - 1].score;
        }
    }

    /// Best first.
    pub(crate) fn into_sorted(mut self) -> Vec<Neighbour> {
        self.prune();
        self.kept.sort_unstable_by(Offer::order);
        let neighbours = self.kept.iter().map(|offer| Neighbour {
            row: offer.row,
            score: offer.score,
        });
        neighbours.collect()
    }
}

/// Refuses to search for nothing.
pub(crate) fn check_k(k: usize) -> Result<()> {
    if k == 0 {
        return Err(Error::usage(
            "k is 0; expected how many rows to find, at least 1",
        ));
    }
    Ok(())
}

/// The id of a row.
pub(crate) fn id_of(ids: &Ids<DocId>, row: u32) -> &str {
    ids.name(DocId::from_index(row as usize))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rows(neighbours: &[Neighbour]) -> Vec<u32> {
        neighbours.iter().map(|neighbour| neighbour.row).collect()
    }

    fn best(k: usize, precedence: &Precedence, scores: &[f64]) -> Vec<u32> {
        let mut top = TopK::new(k, precedence);
        for (row, score) in scores.iter().enumerate() {
            top.offer(row as u32, *score);
        }
        rows(&top.into_sorted())
    }

    #[test]
    fn ties_break_by_document_id_descending_at_the_cut_off_too() {
        let ids: Ids<DocId> = ["10", "9", "a", "B"].into_iter().collect();
        let precedence = Precedence::of_ids(&ids);
        assert_eq!(best(2, &precedence, &[1.0; 4]), [2, 3]);
        assert_eq!(best(9, &precedence, &[1.0; 4]), [2, 3, 1, 0]);
    }

    #[test]
    fn ties_break_by_row_where_there_are_no_ids() {
        assert_eq!(best(2, &Precedence::Rows, &[0.0, -0.0, 1.0]), [2, 0]);
    }

    proptest! {
        #[test]
        fn the_best_k_are_the_first_k_of_all(scores in prop::collection::vec(0u8..20, 0..400), k in 1usize..50) {
            let scores: Vec<f64> = scores.into_iter().map(f64::from).collect();
            let mut order: Vec<u32> = (0..scores.len() as u32).collect();
            order.sort_by(|a, b| scores[*b as usize].total_cmp(&scores[*a as usize]));
            order.truncate(k);
            prop_assert_eq!(best(k, &Precedence::Rows, &scores), order);
        }
    }
}
