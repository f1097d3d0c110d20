//! Records (queries, documents) and collections of them.

use std::collections::BTreeMap;

use crate::content::{Content, Image};
use crate::error::{Error, Origin, Place, Result};
use crate::id::{Ids, Interned};

/// A further column of a record.
#[derive(Clone, Debug, PartialEq)]
pub enum Field {
    /// A text.
    Text(String),
    /// A list of texts.
    List(Vec<String>),
}

/// A query or a document.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// What it is made of, in reading order.
    pub content: Content,
    /// All its images merged into one, where the data set has that.
    pub merged: Option<Image>,
    /// A rendering of the whole record as a page, where the data set has that.
    pub page: Option<Image>,
    /// Further columns by name: `category`, `question`, `options`, `title`.
    pub fields: BTreeMap<String, Field>,
}

impl Record {
    /// A record of a content alone.
    pub fn new(content: impl Into<Content>) -> Self {
        Record {
            content: content.into(),
            ..Record::default()
        }
    }

    /// The text of a field, where it has that field and it is a text.
    pub fn field(&self, name: &str) -> Option<&str> {
        match self.fields.get(name) {
            Some(Field::Text(text)) => Some(text),
            _ => None,
        }
    }
}

/// Records by id, in the order of their source.
#[derive(Clone, Debug)]
pub struct Collection<K: Interned> {
    ids: Ids<K>,
    records: Vec<Record>,
    numbers: Vec<u64>,
    origin: Origin,
}

impl<K: Interned> Collection<K> {
    /// An empty collection of a source.
    pub fn new(origin: Origin) -> Self {
        Collection {
            ids: Ids::new(),
            records: Vec::new(),
            numbers: Vec::new(),
            origin,
        }
    }

    /// Adds a record that stands at `number` of the source.
    ///
    /// # Errors
    /// If the id is empty, or there already; both entries are named.
    pub fn push(&mut self, id: &str, record: Record, number: u64) -> Result<K> {
        if id.is_empty() {
            return Err(
                Error::data("expected an id, found an empty text").at(self.origin.place(number))
            );
        }
        let (key, new) = self.ids.insert(id);
        if !new {
            return Err(Error::data(format!(
                "id '{id}' is there already, at {}; ids are unique",
                self.origin.entry(self.numbers[key.index()])
            ))
            .at(self.origin.place(number)));
        }
        self.records.push(record);
        self.numbers.push(number);
        Ok(key)
    }

    /// The ids, in the order of the source.
    pub fn ids(&self) -> &Ids<K> {
        &self.ids
    }

    /// How many records there are.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// The record of a key of this collection.
    pub fn record(&self, key: K) -> &Record {
        &self.records[key.index()]
    }

    /// Where the record of a key of this collection stands in the source.
    pub fn place(&self, key: K) -> Place {
        self.origin.place(self.numbers[key.index()])
    }

    /// Where the records come from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The number in the source of a key of this collection.
    pub fn number(&self, key: K) -> u64 {
        self.numbers[key.index()]
    }

    /// Keys, ids and records, in the order of the source.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (K, &str, &Record)> {
        self.ids
            .keys()
            .zip(&self.records)
            .map(|(key, record)| (key, self.ids.name(key), record))
    }
}
