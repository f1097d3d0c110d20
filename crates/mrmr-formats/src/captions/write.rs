//! Writing captions in the form that they are read in.

use std::path::Path;

use mrmr_core::{Error, Result};
use serde_json::{Map, Value, json};

use super::{Captions, Subset, key_of};
use crate::output::write_atomically;

/// Writes captions as a JSON list, one record a line; the file is there whole or not at all.
///
/// # Errors
/// If it cannot be written.
pub fn write_captions(captions: &Captions, path: impl AsRef<Path>) -> Result<()> {
    let mut records: Vec<(Subset, &str, Map<String, Value>)> = Vec::new();
    for (subset, id, label, caption) in captions.iter() {
        if records
            .last()
            .is_none_or(|last| (last.0, last.1) != (subset, id))
        {
            records.push((subset, id, Map::new()));
        }
        if let Some((.., images)) = records.last_mut() {
            images.insert(key_of(label), json!({ "caption": caption }));
        }
    }
    let lines: Vec<String> = records
        .into_iter()
        .map(|(subset, id, images)| {
            json!({ "subset": subset.to_string(), "item_id": id, "captions": images }).to_string()
        })
        .collect();
    write_atomically(path.as_ref(), |out| {
        write!(out, "[\n{}\n]\n", lines.join(",\n")).map_err(Error::io)
    })
}
