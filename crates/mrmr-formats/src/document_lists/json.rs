//! A JSON object with a list for each query.

use mrmr_core::{Error, Place, Result};
use serde_json::{Map, Value};

use super::{DocumentLists, List};
use crate::json_lines::{id, short};

pub(super) fn read(content: &str, name: &str) -> Result<DocumentLists> {
    let object: Map<String, Value> = serde_json::from_str(content).map_err(|error| {
        Error::format(format!(
            "expected a JSON object with a list for each query: {error}"
        ))
        .at(Place::line(name, error.line() as u64))
        .because(error)
    })?;
    let mut lists = DocumentLists::new(name);
    for (query, value) in object {
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
        lists.lists.insert(query, List { documents, lines });
    }
    Ok(lists)
}
