//! Documents by query: what a query may return, or must not.
//!
//! ```
//! use mrmr_formats::Input;
//! use mrmr_formats::document_lists::read_document_lists;
//! let lines = Input::memory("excluded.tsv", &b"q1\td1\nq1\td2\nq2\td1\n"[..]);
//! let json = Input::memory("excluded.json", &br#"{"q1": ["d1", "d2"], "q2": ["d1"]}"#[..]);
//! let lists = read_document_lists(&lines)?;
//! assert_eq!(lists["q1"], ["d1", "d2"]);
//! assert_eq!(lists, read_document_lists(&json)?);
//! # Ok::<(), mrmr_core::Error>(())
//! ```

use std::collections::BTreeMap;
use std::io::Read;

use mrmr_core::{Error, Place, Result};
use serde_json::{Map, Value};

use crate::input::{Input, Opened, read_failed};
use crate::json_lines::{id, short};

/// Reads documents by query: lines with a query and a document, a tab between them or, without any tab, white space;
/// or a JSON object with a list of documents for each query.
///
/// # Errors
/// If the file has another form; the line or the query is named.
pub fn read_document_lists(input: &Input) -> Result<BTreeMap<String, Vec<String>>> {
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
        true => json(&content, &name),
        false => lines(&content, &name),
    }
}

fn lines(content: &str, name: &str) -> Result<BTreeMap<String, Vec<String>>> {
    let mut lists: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (number, line) in content.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let fields: Vec<&str> = match line.contains('\t') {
            true => line.split('\t').collect(),
            false => line.split_whitespace().collect(),
        };
        let [query, document] = fields[..] else {
            return Err(Error::format(format!(
                "expected a query and a document, found {} fields: {line:?}",
                fields.len()
            ))
            .at(Place::line(name, number as u64 + 1)));
        };
        lists
            .entry(query.to_owned())
            .or_default()
            .push(document.to_owned());
    }
    Ok(lists)
}

fn json(content: &str, name: &str) -> Result<BTreeMap<String, Vec<String>>> {
    let object: Map<String, Value> = serde_json::from_str(content).map_err(|error| {
        Error::format(format!(
            "expected a JSON object with a list for each query: {error}"
        ))
        .at(Place::line(name, error.line() as u64))
        .because(error)
    })?;
    let lists = object.into_iter().map(|(query, value)| {
        let documents: Option<Vec<String>> = value
            .as_array()
            .and_then(|documents| documents.iter().map(id).collect());
        match documents {
            Some(documents) => Ok((query, documents)),
            None => Err(Error::format(format!(
                "expected a list of document ids, found {}",
                short(&value)
            ))
            .at(Place::item(name, format!("query '{query}'")))),
        }
    });
    lists.collect()
}
