//! A JSON object with a list for each query.

use std::fmt;

use mrmr_core::{Error, Place, Result};
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;

use super::{DocumentLists, List};
use crate::json_lines::{id, short};

pub(super) fn read(content: &str, name: &str) -> Result<DocumentLists> {
    let object: Members = serde_json::from_str(content).map_err(|error| {
        Error::format(format!(
            "expected a JSON object with a list for each query: {error}"
        ))
        .at(Place::line(name, error.line() as u64))
        .because(error)
    })?;
    let mut lists = DocumentLists::new(name);
    for (query, value) in object.0 {
        let documents: Option<Vec<String>> = value
            .as_array()
            .and_then(|documents| documents.iter().map(id).collect());
        let Some(documents) = documents else {
            return Err(Error::format(format!(
                "expected a list of document ids, found {}",
                short(&value)
            ))
            .at(Place::item(name, format!("query '{query}'"))));
        };
        let lines = Vec::new();
        let list = List { documents, lines };
        if lists.lists.insert(query.clone(), list).is_some() {
            return Err(Error::data("expected one list, found a second one")
                .at(Place::item(name, format!("query '{query}'"))));
        }
    }
    Ok(lists)
}

/// The members of an object in the order of the file, those of the same name too: a map would keep the last of them.
struct Members(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_map(InOrder)
    }
}

struct InOrder;

impl<'de> Visitor<'de> for InOrder {
    type Value = Members;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Members, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Members(members))
    }
}
