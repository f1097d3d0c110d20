//! Where in a file each id stands first.

use mrmr_core::{Ids, Interned, Origin, Place, QueryId};

/// An id without rows.
const NOWHERE: u64 = u64::MAX;

/// The first row of each id: of queries, or of documents.
#[derive(Clone, Debug)]
pub(crate) struct Starts {
    origin: Origin,
    ids: Ids<QueryId>,
    numbers: Vec<u64>,
    /// What the ids have in the file before what they are asked for by.
    prefix: &'static str,
}

impl Starts {
    pub(crate) fn new(origin: Origin) -> Self {
        Starts {
            origin,
            ids: Ids::new(),
            numbers: Vec::new(),
            prefix: "",
        }
    }

    /// A row of an id; the number of its first row where this is another.
    pub(crate) fn see(&mut self, id: &str, number: u64) -> Option<u64> {
        let (key, new) = self.ids.insert(id);
        if new {
            self.numbers.push(number);
            return None;
        }
        let first = &mut self.numbers[key.index()];
        if *first == NOWHERE {
            *first = number;
            return None;
        }
        Some(*first)
    }

    /// An id without rows.
    pub(crate) fn see_empty(&mut self, id: &str) {
        if self.ids.insert(id).1 {
            self.numbers.push(NOWHERE);
        }
    }

    /// Ids are asked for without this prefix from now on.
    pub(crate) fn strip(&mut self, prefix: &'static str) {
        self.prefix = prefix;
    }

    pub(crate) fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Where an id stands first.
    pub(crate) fn place(&self, id: &str) -> Place {
        let key = if self.prefix.is_empty() {
            self.ids.get(id)
        } else {
            self.ids.get(&format!("{}{id}", self.prefix))
        };
        match key.map(|key| self.numbers[key.index()]) {
            None | Some(NOWHERE) => Place::item(&self.origin.name, id),
            Some(number) => self.origin.place(number),
        }
    }
}
