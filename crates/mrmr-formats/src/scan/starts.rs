//! Where in a file each query begins.

use mrmr_core::{Ids, Interned, Origin, Place, QueryId};

use crate::rows::QUERY_PREFIX;

/// A query without rows.
const NOWHERE: u64 = u64::MAX;

/// The first row of each query.
#[derive(Clone, Debug)]
pub(super) struct Starts {
    origin: Origin,
    queries: Ids<QueryId>,
    numbers: Vec<u64>,
    /// Whether queries are asked for without the prefix that they have in the file.
    prefixed: bool,
}

impl Starts {
    pub(super) fn new(origin: Origin) -> Self {
        Starts {
            origin,
            queries: Ids::new(),
            numbers: Vec::new(),
            prefixed: false,
        }
    }

    /// A block of rows of a query; the number of its first row of all where this is another block.
    pub(super) fn see(&mut self, query: &str, number: u64) -> Option<u64> {
        let (key, new) = self.queries.insert(query);
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

    /// A query without rows.
    pub(super) fn see_empty(&mut self, query: &str) {
        if self.queries.insert(query).1 {
            self.numbers.push(NOWHERE);
        }
    }

    pub(super) fn prefixed(&mut self) {
        self.prefixed = true;
    }

    pub(super) fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Where a query begins.
    pub(super) fn place(&self, query: &str) -> Place {
        let key = if self.prefixed {
            self.queries.get(&format!("{QUERY_PREFIX}{query}"))
        } else {
            self.queries.get(query)
        };
        match key.map(|key| self.numbers[key.index()]) {
            None | Some(NOWHERE) => Place::item(&self.origin.name, query),
            Some(number) => self.origin.place(number),
        }
    }
}
