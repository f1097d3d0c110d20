//! The ids of vectors: one a line, or a JSON list.

use std::io::Read;

use mrmr_core::{DocId, Error, Ids, Interned, Place, Result};
use serde_json::Value;

use super::VectorFile;
use super::blocks::already;
use crate::input::{Input, Opened, read_failed};
use crate::json_lines::{id, short};

/// Reads the ids of `vectors`, in the order of the rows: a JSON list of texts or integers, or one id a line.
///
/// Lines end with LF or CRLF; what else is in a line is the id, blanks too. Blank lines are skipped.
///
/// # Errors
/// If there are more or fewer ids than vectors, an id stands there twice, or an entry is no id.
pub fn read_ids(input: &Input, vectors: &VectorFile) -> Result<Vec<String>> {
    ids_of(input, vectors.rows, "vectors")
}

/// [`read_ids`] for so many vectors, which need not be read.
///
/// # Errors
/// As [`read_ids`].
pub fn read_ids_of(input: &Input, rows: usize) -> Result<Vec<String>> {
    ids_of(input, rows, "vectors")
}

/// Reads so many ids of what `what` names.
pub(crate) fn ids_of(input: &Input, count: usize, what: &str) -> Result<Vec<String>> {
    let name = input.name();
    let Opened::Text(mut text) = input.open()? else {
        return Err(Error::format(
            "expected ids, one a line or as a JSON list; found a Parquet file",
        )
        .at(Place::whole(name)));
    };
    let mut bytes = Vec::new();
    text.read_to_end(&mut bytes)
        .map_err(|error| read_failed(&name, error))?;
    let is_list = bytes.trim_ascii_start().starts_with(b"[");
    let ids = match is_list {
        true => list(&bytes, &name)?,
        false => lines(&bytes, &name)?,
    };
    refuse_repeated(&ids)?;
    if ids.len() != count {
        return Err(Error::data(format!(
            "expected an id for each of the {count} {what}, found {} ids",
            ids.len()
        ))
        .at(Place::whole(&name)));
    }
    Ok(ids.into_iter().map(|(id, _)| id).collect())
}

/// Refuses an id that is there twice; both places are named.
pub(crate) fn refuse_repeated(ids: &[(String, Place)]) -> Result<()> {
    let mut seen: Ids<DocId> = Ids::new();
    for (id, place) in ids {
        let (key, new) = seen.insert(id);
        if !new {
            return Err(already(id, &ids[key.index()].1).at(place.clone()));
        }
    }
    Ok(())
}

fn list(bytes: &[u8], name: &str) -> Result<Vec<(String, Place)>> {
    let values: Vec<Value> = serde_json::from_slice(bytes).map_err(|error| {
        Error::format(format!("expected a JSON list of ids: {error}"))
            .at(Place::line(name, error.line() as u64))
            .because(error)
    })?;
    let entries = values.iter().enumerate().map(|(number, value)| {
        let place = Place::item(name, format!("entry {number}"));
        match id(value) {
            Some(id) => Ok((id, place)),
            None => Err(Error::format(format!(
                "expected an id, a text or an integer; found {}",
                short(value)
            ))
            .at(place)),
        }
    });
    entries.collect()
}

fn lines(bytes: &[u8], name: &str) -> Result<Vec<(String, Place)>> {
    let mut ids = Vec::new();
    for (number, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.trim_ascii().is_empty() {
            continue;
        }
        let place = Place::line(name, number as u64 + 1);
        match std::str::from_utf8(line) {
            Ok(id) => ids.push((id.to_owned(), place)),
            Err(error) => {
                return Err(Error::format(format!("expected an id in UTF-8: {error}")).at(place));
            }
        }
    }
    Ok(ids)
}
