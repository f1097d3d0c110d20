//! Interned ids: strings at the edge, `u32` inside.

use std::hash::BuildHasher;
use std::marker::PhantomData;

use hashbrown::{DefaultHashBuilder, HashTable};

/// A number that stands for an interned id.
pub trait Interned: Copy + Eq + Ord + std::fmt::Debug {
    /// The key of the n-th id of a table.
    fn from_index(index: usize) -> Self;
    /// Which id of its table this is, from 0.
    fn index(self) -> usize;
}

macro_rules! interned {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl Interned for $name {
            fn from_index(index: usize) -> Self {
                // A table of 2^32 ids would hold over 30 GB of bookkeeping alone.
                $name(u32::try_from(index).expect("more than 2^32 distinct ids in one table"))
            }
            fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

interned!(
    /// A query's number in one table of ids; means nothing in another table.
    QueryId
);
interned!(
    /// A document's number in one table of ids; means nothing in another table.
    DocId
);
interned!(
    /// A subtopic's number in one table of ids; means nothing in another table.
    SubtopicId
);

/// A table of distinct ids, numbered in the order in which they were first seen.
///
/// ```
/// use mrmr_core::{DocId, Ids};
/// let mut ids: Ids<DocId> = Ids::new();
/// let a = ids.intern("d7");
/// assert_eq!(ids.intern("d7"), a);
/// assert_eq!(ids.name(a), "d7");
/// assert_eq!(ids.get("d8"), None);
/// ```
#[derive(Clone)]
pub struct Ids<K> {
    text: String,
    ends: Vec<usize>,
    table: HashTable<u32>,
    hasher: DefaultHashBuilder,
    key: PhantomData<K>,
}

impl<K: Interned> Ids<K> {
    /// An empty table.
    pub fn new() -> Self {
        Ids {
            text: String::new(),
            ends: Vec::new(),
            table: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
            key: PhantomData,
        }
    }

    /// How many ids there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The key of an id, added if it is new.
    ///
    /// # Panics
    /// At 2^32 distinct ids.
    pub fn intern(&mut self, id: &str) -> K {
        self.insert(id).0
    }

    /// The key of an id, and whether it was new.
    ///
    /// # Panics
    /// At 2^32 distinct ids.
    pub fn insert(&mut self, id: &str) -> (K, bool) {
        let hash = self.hasher.hash_one(id);
        let (text, ends) = (&self.text, &self.ends);
        if let Some(&found) = self
            .table
            .find(hash, |&i| slice(text, ends, i as usize) == id)
        {
            return (K::from_index(found as usize), false);
        }
        let key = K::from_index(self.ends.len());
        self.text.push_str(id);
        self.ends.push(self.text.len());
        let (text, ends, hasher) = (&self.text, &self.ends, &self.hasher);
        self.table.insert_unique(hash, key.index() as u32, |&i| {
            hasher.hash_one(slice(text, ends, i as usize))
        });
        (key, true)
    }

    /// The key of an id that is there.
    pub fn get(&self, id: &str) -> Option<K> {
        let hash = self.hasher.hash_one(id);
        self.table
            .find(hash, |&i| slice(&self.text, &self.ends, i as usize) == id)
            .map(|&i| K::from_index(i as usize))
    }

    /// The id of a key.
    ///
    /// # Panics
    /// If the key comes from a longer table.
    pub fn name(&self, key: K) -> &str {
        slice(&self.text, &self.ends, key.index())
    }

    /// All keys, in the order in which the ids were first seen.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = K> + use<K> {
        (0..self.len()).map(K::from_index)
    }

    /// All ids, in the order in which they were first seen.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.len()).map(|i| slice(&self.text, &self.ends, i))
    }

    /// All keys, by the bytes of their ids.
    pub fn sorted_keys(&self) -> Vec<K> {
        let mut keys: Vec<K> = self.keys().collect();
        keys.sort_unstable_by(|a, b| self.name(*a).as_bytes().cmp(self.name(*b).as_bytes()));
        keys
    }

    /// For each key, its place among all ids sorted by their bytes: a cheap order of ids.
    pub fn byte_order(&self) -> Vec<u32> {
        let mut order = vec![0; self.len()];
        for (place, key) in self.sorted_keys().into_iter().enumerate() {
            order[key.index()] = place as u32;
        }
        order
    }
}

impl<K: Interned> Default for Ids<K> {
    fn default() -> Self {
        Ids::new()
    }
}

impl<K: Interned> std::fmt::Debug for Ids<K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

impl<K: Interned, S: AsRef<str>> FromIterator<S> for Ids<K> {
    /// Interns each; a repeated id keeps its first key.
    fn from_iter<I: IntoIterator<Item = S>>(names: I) -> Self {
        let mut ids = Ids::new();
        for name in names {
            ids.intern(name.as_ref());
        }
        ids
    }
}

fn slice<'a>(text: &'a str, ends: &[usize], index: usize) -> &'a str {
    let start = if index == 0 { 0 } else { ends[index - 1] };
    &text[start..ends[index]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_keep_the_order_in_which_they_were_seen() {
        let ids: Ids<DocId> = ["b", "a", "b", "c"].into_iter().collect();
        assert_eq!(ids.names().collect::<Vec<_>>(), ["b", "a", "c"]);
        assert_eq!(ids.byte_order(), [1, 0, 2]);
    }

    #[test]
    fn the_empty_id_is_an_id() {
        let ids: Ids<QueryId> = ["", "a"].into_iter().collect();
        assert_eq!(ids.get("").map(|k| ids.name(k).len()), Some(0));
        assert_eq!(ids.len(), 2);
    }
}
