//! One JSON object a line, its fields asked for by name.

use std::io::BufRead;

use mrmr_core::{Error, Place, Result};
use mrmr_formats::Input;
use mrmr_formats::input::Opened;
use serde_json::{Map, Value};

/// An object and where it stands.
pub(super) struct Line {
    object: Map<String, Value>,
    source: String,
    pub(super) number: u64,
}

/// All objects of a source; blank lines are skipped.
pub(super) fn read(input: &Input) -> Result<Vec<Line>> {
    let source = input.name();
    let Opened::Text(text) = input.open()? else {
        return Err(
            Error::format("expected one JSON object a line, found a Parquet file")
                .at(Place::whole(source)),
        );
    };
    let mut lines = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let number = at as u64 + 1;
        let place = || Place::line(&source, number);
        let line = line.map_err(|error| Error::io(error).at(place()))?;
        if line.trim().is_empty() {
            continue;
        }
        let object = serde_json::from_str(&line).map_err(|error| {
            Error::format(format!("expected a JSON object: {error}"))
                .because(error)
                .at(place())
        })?;
        lines.push(Line {
            object,
            source: source.clone(),
            number,
        });
    }
    match lines.is_empty() {
        true => {
            Err(Error::data("expected one JSON object a line, found none").at(Place::whole(source)))
        }
        false => Ok(lines),
    }
}

impl Line {
    pub(super) fn place(&self) -> Place {
        Place::line(&self.source, self.number)
    }

    /// The value of a key; null is as good as none.
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        self.object.get(name).filter(|value| !value.is_null())
    }

    /// That of the first key that is there, as an id: a text or an integer.
    pub(super) fn id(&self, names: &[&str]) -> Result<String> {
        match names.iter().find_map(|name| self.get(name)) {
            Some(value) => id(value).map_err(|error| self.of(names[0], error)),
            None => Err(self.lacks(names[0])),
        }
    }

    pub(super) fn text(&self, name: &str) -> Result<Option<&str>> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(value) => Err(self.of(name, found("a text", value))),
        }
    }

    pub(super) fn number(&self, name: &str) -> Result<Option<u64>> {
        let Some(value) = self.get(name) else {
            return Ok(None);
        };
        match value.as_u64() {
            Some(number) => Ok(Some(number)),
            None => Err(self.of(name, found("an integer from 0 on", value))),
        }
    }

    pub(super) fn list(&self, name: &str) -> Result<&[Value]> {
        match self.get(name) {
            Some(Value::Array(values)) => Ok(values),
            Some(value) => Err(self.of(name, found("a list", value))),
            None => Err(self.lacks(name)),
        }
    }

    fn lacks(&self, name: &str) -> Error {
        let there: Vec<&str> = self.object.keys().map(String::as_str).collect();
        Error::format(format!(
            "expected a key '{name}', found {}",
            there.join(", ")
        ))
        .at(self.place())
    }

    /// An error of the value of a key.
    pub(super) fn of(&self, name: &str, error: Error) -> Error {
        Error::format(format!("'{name}': {}", error.message())).at(self.place())
    }
}

/// An id: a text that is not empty, or an integer.
pub(super) fn id(value: &Value) -> Result<String> {
    match value {
        Value::String(text) if !text.is_empty() => Ok(text.clone()),
        Value::Number(number) if number.is_i64() || number.is_u64() => Ok(number.to_string()),
        _ => Err(found("a text or an integer", value)),
    }
}

pub(super) fn found(expected: &str, value: &Value) -> Error {
    let shown: String = value.to_string().chars().take(60).collect();
    Error::format(format!("expected {expected}, found {shown}"))
}
