//! Queries by what they have in common.

use std::collections::BTreeMap;

use serde_json::{Value, json};

/// What queries without a slice are listed as.
pub(crate) const NONE: &str = "(none)";

/// Which slice each query is in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SliceFacts {
    /// Where they come from, as the user named it.
    pub source: String,
    /// The slice of each query.
    pub of: BTreeMap<String, String>,
}

impl SliceFacts {
    /// The slices of these queries by name, with the places of theirs; those without one last.
    pub fn places<'a>(&'a self, queries: &[String]) -> Vec<(&'a str, Vec<usize>)> {
        let mut named: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let mut rest = Vec::new();
        for (at, query) in queries.iter().enumerate() {
            match self.of.get(query) {
                Some(name) => named.entry(name).or_default().push(at),
                None => rest.push(at),
            }
        }
        let mut slices: Vec<(&str, Vec<usize>)> = named.into_iter().collect();
        if !rest.is_empty() {
            slices.push((NONE, rest));
        }
        slices
    }

    /// How many of these queries have no slice.
    pub fn without(&self, queries: &[String]) -> usize {
        queries
            .iter()
            .filter(|query| !self.of.contains_key(*query))
            .count()
    }

    pub(crate) fn json(&self, queries: &[String]) -> Value {
        json!({ "source": self.source, "queries_without": self.without(queries) })
    }
}
