//! Documents by query: what a query may return, or must not.
//!
//! ```
//! use mrmr_formats::Input;
//! use mrmr_formats::document_lists::read_document_lists;
//! let lines = Input::memory("excluded.tsv", &b"# from the crawl\nquery-id\tcorpus-id\nq1\td1\nq1\td2\nq2\td1\n"[..]);
//! let json = Input::memory("excluded.json", &br#"{"q1": ["d1", "d2"], "q2": ["d1"]}"#[..]);
//! let lists = read_document_lists(&lines)?;
//! assert_eq!(lists.documents("q1").unwrap(), ["d1", "d2"]);
//! assert_eq!(lists.place("q2", 0).to_string(), "excluded.tsv:5");
//! assert!(lists.has_header());
//! let same = read_document_lists(&json)?;
//! assert_eq!(lists.documents("q1"), same.documents("q1"));
//! # Ok::<(), mrmr_core::Error>(())
//! ```

mod json;
mod lines;

use std::collections::BTreeMap;
use std::io::Read;

use mrmr_core::{Error, Place, Result};

use crate::input::{Input, Opened, read_failed};

/// A list of documents for each query of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentLists {
    name: String,
    lists: BTreeMap<String, List>,
    has_header: bool,
}

/// The documents of a query, and the line of each where the file has lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct List {
    documents: Vec<String>,
    lines: Vec<u64>,
}

impl DocumentLists {
    fn new(name: &str) -> Self {
        DocumentLists {
            name: name.to_owned(),
            lists: BTreeMap::new(),
            has_header: false,
        }
    }

    /// The file, for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many queries have a list.
    pub fn len(&self) -> usize {
        self.lists.len()
    }

    /// Whether no query has one.
    pub fn is_empty(&self) -> bool {
        self.lists.is_empty()
    }

    /// Whether the first line names the columns and was left out.
    pub fn has_header(&self) -> bool {
        self.has_header
    }

    /// The queries, by the bytes of their ids.
    pub fn queries(&self) -> impl Iterator<Item = &str> {
        self.lists.keys().map(String::as_str)
    }

    /// The documents of a query in the order of the file, where it has a list; that may be empty.
    pub fn documents(&self, query: &str) -> Option<&[String]> {
        Some(&self.lists.get(query)?.documents)
    }

    /// Where an entry of a query's list stands: its line, or its query where the file has no lines.
    pub fn place(&self, query: &str, entry: usize) -> Place {
        let list = self.lists.get(query);
        match list.and_then(|list| list.lines.get(entry)) {
            Some(line) => Place::line(&self.name, *line),
            None => Place::item(&self.name, format!("query '{query}'")),
        }
    }
}

/// Reads documents by query: lines with a query and a document, a tab between them or, without any tab, white space;
/// or a JSON object with a list of documents for each query.
///
/// A line that starts with `#` is a comment, unless it is a query and a document with a tab between them. A first
/// line of the names of two columns (`query-id`, `corpus-id` and the like) is no entry. A list in JSON may be empty.
///
/// # Errors
/// If the file has another form; the line or the query is named.
pub fn read_document_lists(input: &Input) -> Result<DocumentLists> {
    let name = input.name();
    let Opened::Text(mut text) = input.open()? else {
        return Err(
            Error::format("expected lines or JSON, found a Parquet file").at(Place::whole(name)),
        );
    };
    let mut content = String::new();
    text.read_to_string(&mut content)
        .map_err(|error| read_failed(&name, error))?;
    match content.trim_start().starts_with('{') {
        true => json::read(&content, &name),
        false => lines::read(&content, &name),
    }
}
