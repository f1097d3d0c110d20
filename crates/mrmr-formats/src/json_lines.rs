//! One JSON object a line.

use std::io::BufRead;

use mrmr_core::{Error, Origin, Place, Result};
use serde_json::{Map, Value};

use crate::input::{Input, Opened, Text};

/// Calls `each` with every object of a source, or what is there instead, and its line; blank lines are skipped.
pub(crate) fn for_each_object(
    input: &Input,
    each: impl FnMut(Result<Map<String, Value>>, u64) -> Result<()>,
) -> Result<()> {
    match input.open()? {
        Opened::Text(text) => for_each_object_of(text, each),
        Opened::Parquet(_) => Err(Error::format(
            "expected one JSON object a line, found a Parquet file",
        )
        .at(Place::whole(input.name()))),
    }
}

/// [`for_each_object`] of an open text.
pub(crate) fn for_each_object_of(
    mut text: Text,
    mut each: impl FnMut(Result<Map<String, Value>>, u64) -> Result<()>,
) -> Result<()> {
    let origin = Origin::lines(text.name());
    let mut line = Vec::new();
    let mut number = 0;
    loop {
        line.clear();
        let read = text.read_until(b'\n', &mut line);
        if read.map_err(|error| text.failed(error))? == 0 {
            return Ok(());
        }
        number += 1;
        let trimmed = line.trim_ascii_end();
        if trimmed.is_empty() {
            continue;
        }
        each(
            object(trimmed).map_err(|error| error.at(origin.place(number))),
            number,
        )?;
    }
}

fn object(line: &[u8]) -> Result<Map<String, Value>> {
    match serde_json::from_slice(line) {
        Ok(Value::Object(object)) => Ok(object),
        Ok(value) => Err(Error::format(format!(
            "expected a JSON object, found {}",
            short(&value)
        ))),
        Err(error) => Err(Error::format(format!(
            "expected a JSON object: {}",
            without_line(&error)
        ))
        .because(error)),
    }
}

/// The message of an error without `at line 1 column 9`: the line is always 1 here.
fn without_line(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.rsplit_once(" at line ") {
        Some((what, _)) => format!("{what} at column {}", error.column()),
        None => text,
    }
}

/// An id: a text or an integer.
pub(crate) fn id(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) if number.is_i64() || number.is_u64() => Some(number.to_string()),
        _ => None,
    }
}

/// A value in few characters, for messages.
pub(crate) fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}
