//! The documents that any run returned for a query, numbered by slots.

use mrmr_core::{DocId, Interned};

/// A document in one run's list.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scored {
    /// Its number among the documents of the query.
    pub(super) slot: u32,
    /// Its score, normalized or as it was.
    pub(super) score: f64,
}

/// All runs' answers to one query.
pub(super) struct Answers<'a> {
    /// How many documents there are in all.
    pub(super) documents: usize,
    /// A list a run; best first where the method reads ranks.
    pub(super) lists: &'a [Vec<Scored>],
    /// The id of a slot.
    pub(super) id: &'a dyn Fn(u32) -> &'a [u8],
}

impl Answers<'_> {
    /// All slots, the larger id first.
    pub(super) fn by_id(&self) -> Vec<u32> {
        let mut slots: Vec<u32> = (0..self.documents as u32).collect();
        slots.sort_unstable_by(|a, b| (self.id)(*b).cmp((self.id)(*a)));
        slots
    }

    /// In how many lists each document is.
    pub(super) fn counts(&self) -> Vec<u32> {
        let mut counts = vec![0; self.documents];
        for scored in self.lists.iter().flatten() {
            counts[scored.slot as usize] += 1;
        }
        counts
    }

    /// Adds what `score` gives for a run's rank (from 0) and score, run by run.
    pub(super) fn add(&self, scores: &mut [f64], score: impl Fn(usize, usize, f64) -> f64) {
        for (run, list) in self.lists.iter().enumerate() {
            for (rank, scored) in list.iter().enumerate() {
                scores[scored.slot as usize] += score(run, rank, scored.score);
            }
        }
    }
}

/// Numbers the documents of a query in the order in which they come; used for one query after another.
#[derive(Debug, Default)]
pub(super) struct Slots {
    documents: Vec<DocId>,
    /// Open addressing: the slot plus 1 of a document, 0 where there is none.
    table: Vec<u32>,
    shift: u32,
}

impl Slots {
    /// Forgets all documents, and makes place for so many.
    pub(super) fn reset(&mut self, most: usize) {
        let size = (2 * most).next_power_of_two().max(16);
        self.documents.clear();
        self.table.clear();
        self.table.resize(size, 0);
        self.shift = 32 - size.trailing_zeros();
    }

    /// The slot of a document.
    pub(super) fn slot(&mut self, document: DocId) -> u32 {
        // Fibonacci hashing: keys are near each other where documents were read together.
        let mut at = ((document.index() as u32).wrapping_mul(0x9e37_79b9) >> self.shift) as usize;
        loop {
            match self.table[at] {
                0 => {
                    self.documents.push(document);
                    self.table[at] = self.documents.len() as u32;
                    return self.documents.len() as u32 - 1;
                }
                found if self.documents[found as usize - 1] == document => return found - 1,
                _ => at = (at + 1) & (self.table.len() - 1),
            }
        }
    }

    /// The documents by slot.
    pub(super) fn documents(&self) -> &[DocId] {
        &self.documents
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_numbered_as_they_come_whatever_their_keys() {
        let mut slots = Slots::default();
        for round in 0..2 {
            slots.reset(3000);
            let key = |i: usize| DocId::from_index(i * 65_536 + round);
            for i in 0..3000 {
                assert_eq!(slots.slot(key(i)), i as u32);
            }
            assert_eq!(slots.slot(key(1234)), 1234);
            assert_eq!(slots.documents().len(), 3000);
        }
    }
}
