//! Which slice each query is in: a kind of question, a language, a length.

mod lines;

use std::collections::BTreeMap;
use std::io::Read;

use mrmr_core::{Error, Place, Result};
use serde_json::{Map, Value};

use crate::input::{Input, Opened};
use crate::json_lines::{id, short};

/// What the column of queries may be called.
const QUERY: &[&str] = &["query-id", "query_id", "qid", "query", "topic", "_id", "id"];

/// What the column of slices may be called, where no field is named.
const SLICE: &[&str] = &["slice", "category", "class", "group", "type"];

/// Reads the slice of each query: JSON `{query: slice}`, one object a line, or lines of query and slice
/// with a tab or comma between, with or without a header.
///
/// `field` names the column or key of the slice. Without it, it is the second column, or the key `slice`,
/// `category`, `class`, `group` or `type`.
///
/// ```
/// use mrmr_formats::{Input, slices::read_slices};
/// let lines = Input::memory("slices.tsv", &b"query-id\tcategory\nq1\tPhysics\nq2\tMath\n"[..]);
/// let slices = read_slices(&lines, None)?;
/// assert_eq!(slices["q1"], "Physics");
/// let object = Input::memory("slices.json", &br#"{"q1": "Physics", "q2": "Math"}"#[..]);
/// assert_eq!(read_slices(&object, None)?, slices);
/// # Ok::<(), mrmr_core::Error>(())
/// ```
///
/// # Errors
/// If the file has another form, has no such field, or puts a query into two slices.
pub fn read_slices(input: &Input, field: Option<&str>) -> Result<BTreeMap<String, String>> {
    let name = input.name();
    let Opened::Text(mut text) = input.open()? else {
        return Err(
            Error::format("expected slices as TSV, CSV or JSON, found a Parquet file")
                .at(Place::whole(name)),
        );
    };
    let mut bytes = Vec::new();
    let read = text.read_to_end(&mut bytes);
    read.map_err(|error| crate::input::read_failed(&name, error))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let line = error.as_bytes()[..error.utf8_error().valid_up_to()]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count();
        Error::format("expected UTF-8").at(Place::line(&name, line as u64 + 1))
    })?;
    let mut slices = Slices {
        name: &name,
        found: BTreeMap::new(),
    };
    if text.trim_start().starts_with('{') {
        match serde_json::from_str::<Map<String, Value>>(&text) {
            Ok(object) if record(&object, field).is_none() => slices.object(object, field)?,
            _ => slices.objects(&text, field)?,
        }
    } else {
        lines::read(&text, field, &mut slices)?;
    }
    let found = slices.found.into_iter();
    Ok(found.map(|(query, (slice, _))| (query, slice)).collect())
}

/// The slices found so far, each with its line (0 where the file is one object).
struct Slices<'a> {
    name: &'a str,
    found: BTreeMap<String, (String, u64)>,
}

impl Slices<'_> {
    fn add(&mut self, query: String, slice: String, line: u64) -> Result<()> {
        match self.found.get(&query) {
            Some((other, first)) if *other != slice => Err(Error::data(format!(
                "query '{query}' is in the slice '{slice}' here, and in '{other}' at line {first}; a query is in one"
            ))
            .at(Place::line(self.name, line))),
            Some(_) => Ok(()),
            None => {
                self.found.insert(query, (slice, line));
                Ok(())
            }
        }
    }

    /// `{query: slice}`.
    fn object(&mut self, object: Map<String, Value>, field: Option<&str>) -> Result<()> {
        if let Some(field) = field {
            return Err(Error::usage(format!(
                "an object of slices by query has no field '{field}'"
            ))
            .at(Place::whole(self.name)));
        }
        for (query, value) in object {
            let slice = text(&value).ok_or_else(|| {
                Error::format(format!(
                    "expected the name of a slice, found {}",
                    short(&value)
                ))
                .at(Place::item(self.name, format!("'{query}'")))
            })?;
            self.add(query, slice, 0)?;
        }
        Ok(())
    }

    /// One object a line.
    fn objects(&mut self, text: &str, field: Option<&str>) -> Result<()> {
        for (at, line) in text.lines().enumerate() {
            let number = at as u64 + 1;
            if line.trim().is_empty() {
                continue;
            }
            let place = || Place::line(self.name, number);
            let object: Map<String, Value> = serde_json::from_str(line).map_err(|error| {
                Error::format("expected a JSON object")
                    .at(place())
                    .because(error)
            })?;
            let (query, slice) = record(&object, field).ok_or_else(|| {
                let keys: Vec<&str> = object.keys().map(String::as_str).collect();
                Error::format(format!(
                    "expected a query ({}) and its slice ({}), found the keys {}",
                    QUERY.join(", "),
                    field.map_or(SLICE.join(", "), str::to_owned),
                    keys.join(", ")
                ))
                .at(place())
            })?;
            // A query without a value is one without a slice.
            if let Some(slice) = slice {
                self.add(query, slice, number)?;
            }
        }
        Ok(())
    }
}

/// The query and slice of an object that is one of many; the slice may stand under `metadata`, as in BEIR.
fn record(object: &Map<String, Value>, field: Option<&str>) -> Option<(String, Option<String>)> {
    let query = QUERY.iter().find_map(|key| object.get(*key)).and_then(id)?;
    let metadata = object.get("metadata").and_then(Value::as_object);
    let objects = || std::iter::once(object).chain(metadata);
    let value = match field {
        Some(field) => objects().find_map(|object| object.get(field)),
        None => objects().find_map(|object| SLICE.iter().find_map(|key| object.get(*key))),
    }?;
    Some((query, text(value)))
}

/// The name of a slice.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        _ => None,
    }
}
