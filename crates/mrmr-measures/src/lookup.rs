//! The judged documents of one query by name: most names that are asked for are not among them.

use std::hash::BuildHasher;

use hashbrown::DefaultHashBuilder;
use mrmr_core::{Interned as _, Judgement, Qrels};

/// Bits of the filter a judged document; a name that is not judged passes one time in sixteen at most.
const BITS: usize = 16;

/// A small hash table that is filled anew for each query.
#[derive(Debug, Default)]
pub(crate) struct Lookup {
    hasher: DefaultHashBuilder,
    filter: Vec<u64>,
    /// Places in the query's judgements plus 1; 0 where there is none.
    slots: Vec<u32>,
}

impl Lookup {
    /// Fills the table with the judged documents of a query.
    pub(crate) fn fill(&mut self, qrels: &Qrels, judgements: &[Judgement]) {
        let size = judgements.len().next_power_of_two().max(4);
        self.filter.clear();
        self.filter.resize((size * BITS).div_ceil(64), 0);
        self.slots.clear();
        self.slots.resize(size * 2, 0);
        for (at, judgement) in judgements.iter().enumerate() {
            let name = qrels.documents().name(judgement.document).as_bytes();
            let hash = self.hasher.hash_one(name);
            let (word, bit) = self.bit(hash);
            self.filter[word] |= bit;
            let mut slot = self.slot(hash);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (self.slots.len() - 1);
            }
            self.slots[slot] = at as u32 + 1;
        }
    }

    /// The judgement of a name: its place in the query's judgements.
    #[inline]
    pub(crate) fn get(
        &self,
        qrels: &Qrels,
        judgements: &[Judgement],
        name: &[u8],
    ) -> Option<usize> {
        let hash = self.hasher.hash_one(name);
        let (word, bit) = self.bit(hash);
        if self.filter[word] & bit == 0 {
            return None;
        }
        let mut slot = self.slot(hash);
        while self.slots[slot] != 0 {
            let at = self.slots[slot] as usize - 1;
            let document = judgements[at].document;
            debug_assert!(document.index() < qrels.documents().len());
            if qrels.documents().name(document).as_bytes() == name {
                return Some(at);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        None
    }

    fn bit(&self, hash: u64) -> (usize, u64) {
        let word = (hash >> 6) as usize & (self.filter.len() - 1);
        (word, 1 << (hash & 63))
    }

    fn slot(&self, hash: u64) -> usize {
        (hash >> 32) as usize & (self.slots.len() - 1)
    }
}
