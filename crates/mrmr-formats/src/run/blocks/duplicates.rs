//! Whether a document stands twice in one query's answers.

use std::hash::BuildHasher;

use hashbrown::DefaultHashBuilder;

/// A hash table that is empty again for each query without being cleared.
#[derive(Debug, Default)]
pub(super) struct Duplicates {
    hasher: DefaultHashBuilder,
    /// The query's number, and the place of the document.
    slots: Vec<(u32, u32)>,
    hashes: Vec<u64>,
    generation: u32,
}

impl Duplicates {
    /// Whether two of `count` documents have one id.
    pub(super) fn any<'a>(&mut self, count: usize, name: impl Fn(usize) -> &'a [u8]) -> bool {
        let size = (count * 2).next_power_of_two();
        if self.slots.len() < size || self.generation == u32::MAX {
            self.slots.clear();
            self.slots.resize(size.max(1024), (0, 0));
            self.generation = 0;
        }
        self.generation += 1;
        let mask = self.slots.len() - 1;
        self.hashes.clear();
        for place in 0..count {
            let hash = self.hasher.hash_one(name(place));
            self.hashes.push(hash);
            let mut slot = hash as usize & mask;
            loop {
                let (generation, other) = self.slots[slot];
                if generation != self.generation {
                    self.slots[slot] = (self.generation, place as u32);
                    break;
                }
                if self.hashes[other as usize] == hash && name(other as usize) == name(place) {
                    return true;
                }
                slot = (slot + 1) & mask;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_counts_once_a_query() {
        let mut duplicates = Duplicates::default();
        let names: Vec<String> = (0..5000).map(|n| format!("d{n}")).collect();
        for count in [0, 1, 10, 5000, 3] {
            assert!(!duplicates.any(count, |place| names[place].as_bytes()));
        }
        assert!(duplicates.any(5000, |place| names[place % 4999].as_bytes()));
        assert!(duplicates.any(2, |_| b"x"));
    }
}
