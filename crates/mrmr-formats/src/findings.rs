//! What is wrong with files, all of it at once: findings with their codes, counted and listed.
//!
//! ```
//! use mrmr_core::{Error, Place};
//! use mrmr_formats::findings::{Code, Findings, Severity};
//! let mut findings = Findings::new("run.txt");
//! findings.add(Code::FieldCount, || {
//!     Error::format("expected 6 fields, found 5").at(Place::line("run.txt", 17))
//! });
//! assert_eq!(findings.count(Severity::Error), 1);
//! let found = findings.lists().next().unwrap();
//! assert_eq!((found.code.name(), found.count), ("field-count", 1));
//! assert_eq!(found.listed[0].place.to_string(), "run.txt:17");
//! ```

mod code;
mod list;

use std::collections::BTreeMap;

use mrmr_core::{Error, Place};

pub use code::{Code, Severity};
use list::List;

/// One thing that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What kind of thing.
    pub code: Code,
    /// Where.
    pub place: Place,
    /// What was found and, where there is such a thing, what was expected.
    pub message: String,
    /// Advice.
    pub hints: Vec<String>,
}

/// All findings of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Their code.
    pub code: Code,
    /// How many there are.
    pub count: u64,
    /// The first [`Findings::LISTED`] of them, in the order of the file.
    pub listed: Vec<Finding>,
}

/// Findings about one source. Memory is bounded: beyond [`Findings::LISTED`] of one kind they are only counted.
#[derive(Clone, Debug)]
pub struct Findings {
    source: String,
    lists: BTreeMap<Code, List>,
}

impl Findings {
    /// How many findings of one kind are listed.
    pub const LISTED: usize = 10_000;

    /// Nothing found yet; `source` is the place of findings that name none.
    pub fn new(source: impl Into<String>) -> Self {
        Findings {
            source: source.into(),
            lists: BTreeMap::new(),
        }
    }

    /// Adds what comes in the order of the file; the error is made only if it is going to be listed.
    pub fn add(&mut self, code: Code, error: impl FnOnce() -> Error) {
        self.add_at(code, 0, error);
    }

    /// Adds what comes in any order: the line or row is its place among those of one kind.
    pub fn add_at(&mut self, code: Code, number: u64, error: impl FnOnce() -> Error) {
        let source = &self.source;
        let list = self.lists.entry(code).or_default();
        list.add(number, || {
            let error = error();
            let place = error.place().cloned();
            Finding {
                code,
                place: place.unwrap_or_else(|| Place::whole(source)),
                message: error.message().to_owned(),
                hints: error.hints().to_vec(),
            }
        });
    }

    /// Adds those of a part of the source, behind those that are there.
    pub fn extend(&mut self, part: Findings) {
        for found in part.lists() {
            let beyond = found.count - found.listed.len() as u64;
            let list = self.lists.entry(found.code).or_default();
            for finding in found.listed {
                list.add(0, || finding);
            }
            list.count += beyond;
        }
    }

    /// How many findings of one kind there are.
    pub fn count_of(&self, code: Code) -> u64 {
        self.lists.get(&code).map_or(0, |list| list.count)
    }

    /// How many findings there are of a severity.
    pub fn count(&self, severity: Severity) -> u64 {
        let lists = self.lists.iter();
        lists
            .filter(|(code, _)| code.severity() == severity)
            .map(|(_, list)| list.count)
            .sum()
    }

    /// The findings by kind: errors first, then by name.
    pub fn lists(&self) -> impl Iterator<Item = Found> {
        self.lists.iter().map(|(code, list)| Found {
            code: *code,
            count: list.count,
            listed: list.in_order(),
        })
    }
}
