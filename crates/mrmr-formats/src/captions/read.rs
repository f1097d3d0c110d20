//! Reading captions: a JSON list, or one object a line.

use std::collections::HashMap;
use std::io::{BufRead, Read};

use mrmr_core::{Error, Place, Result};
use serde_json::{Map, Value};

use super::{Captions, Subset, label_of};
use crate::input::{Input, Opened};
use crate::json_lines::{for_each_object_of, id, short};

/// Reads captions: a JSON list of `{"subset": "query" or "corpus", "item_id": text or integer, "captions":
/// {"image_1": {"caption": "..."}}}`, or such objects one a line. A caption may stand there as a plain text.
///
/// # Errors
/// If an entry has another form, or an image has two captions that differ; the entries are named.
pub fn read_captions(input: &Input) -> Result<Captions> {
    let name = input.name();
    let Opened::Text(mut text) = input.open()? else {
        return Err(
            Error::format("expected captions as JSON, found a Parquet file").at(Place::whole(name)),
        );
    };
    let mut reader = Reader {
        captions: Captions::new(),
        places: HashMap::new(),
    };
    let is_list = loop {
        let bytes = text
            .fill_buf()
            .map_err(|error| crate::input::read_failed(&name, error))?;
        let blank = bytes
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
        if blank < bytes.len() || blank == 0 {
            break bytes.get(blank) == Some(&b'[');
        }
        text.consume(blank);
    };
    if is_list {
        let mut whole = Vec::new();
        let read = text.read_to_end(&mut whole);
        read.map_err(|error| crate::input::read_failed(&name, error))?;
        let entries: Vec<Value> = serde_json::from_slice(&whole).map_err(|error| {
            Error::format(format!("expected a JSON list of captions: {error}"))
                .at(Place::line(&name, error.line() as u64))
                .because(error)
        })?;
        for (number, entry) in entries.into_iter().enumerate() {
            let Value::Object(entry) = entry else {
                return Err(
                    Error::format(format!("expected an object, found {}", short(&entry)))
                        .at(Place::item(&name, format!("entry {number}"))),
                );
            };
            let place = format!("entry {number}");
            reader
                .add(&entry, &place)
                .map_err(|error| error.at(Place::item(&name, place)))?;
        }
    } else {
        for_each_object_of(text, |entry, line| {
            let entry = entry?;
            let added = reader.add(&entry, &format!("line {line}"));
            added.map_err(|error| error.at(Place::line(&name, line)))
        })?;
    }
    Ok(reader.captions)
}

struct Reader {
    captions: Captions,
    /// Where each record was first captioned, for the message about a contradiction.
    places: HashMap<(Subset, String, String), String>,
}

impl Reader {
    fn add(&mut self, entry: &Map<String, Value>, place: &str) -> Result<()> {
        let subset = entry.get("subset").and_then(Value::as_str);
        let Some(subset) = subset else {
            return Err(wrong(entry, "subset", "\"query\" or \"corpus\""));
        };
        let subset: Subset = subset.parse()?;
        let Some(id) = entry.get("item_id").and_then(id) else {
            return Err(wrong(entry, "item_id", "a text or an integer"));
        };
        let Some(Value::Object(captions)) = entry.get("captions") else {
            return Err(wrong(entry, "captions", "an object of captions by image"));
        };
        for (key, value) in captions {
            let caption = match value {
                Value::String(text) => Some(text.as_str()),
                Value::Object(fields) => fields.get("caption").and_then(Value::as_str),
                _ => None,
            };
            let Some(caption) = caption else {
                return Err(Error::format(format!(
                    "{subset} '{id}', '{key}': expected {{\"caption\": \"...\"}} or a text, found {}",
                    short(value)
                )));
            };
            let label = label_of(key);
            let where_first = self
                .places
                .entry((subset, id.clone(), label.clone()))
                .or_insert_with(|| place.to_owned());
            if self
                .captions
                .get(subset, &id, &label)
                .is_some_and(|there| there != caption)
            {
                return Err(Error::data(format!(
                    "{subset} '{id}', '{key}': the caption differs from that of {where_first}; one image has one"
                )));
            }
            self.captions.insert(subset, &id, &label, caption)?;
        }
        Ok(())
    }
}

fn wrong(entry: &Map<String, Value>, key: &str, expected: &str) -> Error {
    match entry.get(key) {
        Some(value) => Error::format(format!(
            "'{key}': expected {expected}, found {}",
            short(value)
        )),
        None => {
            let keys: Vec<String> = entry.keys().map(|key| format!("'{key}'")).collect();
            Error::format(format!(
                "expected '{key}', {expected}; found {}",
                if keys.is_empty() {
                    "an empty object".to_owned()
                } else {
                    keys.join(", ")
                }
            ))
        }
    }
}
