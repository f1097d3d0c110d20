//! Texts by query, of a file.

use std::collections::BTreeMap;
use std::path::Path;

use mrmr_core::{Error, Place, Result};
use serde::Deserialize;
use serde_json::Value;

/// What stands for the texts of queries, by query.
///
/// The file is a JSON object `{query: text}`, or JSONL with `_id` (or `id`, `query_id`) and `text` a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Expansions(BTreeMap<String, String>);

#[derive(Deserialize)]
struct Line {
    #[serde(rename = "_id", alias = "id", alias = "query_id")]
    id: Value,
    #[serde(alias = "expansion")]
    text: String,
}

impl Expansions {
    /// Reads a file.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let source = path.display().to_string();
        let text = std::fs::read_to_string(path)
            .map_err(|error| Error::io(error).at(Place::whole(source.clone())))?;
        Expansions::parse(&text, &source)
    }

    /// The expansion of a query.
    pub(super) fn get(&self, query: &str) -> Option<&str> {
        self.0.get(query).map(String::as_str)
    }

    fn parse(text: &str, source: &str) -> Result<Self> {
        // One object over several lines, or on one without an id, holds all of them.
        if let Ok(Value::Object(all)) = serde_json::from_str::<Value>(text)
            && !["_id", "id", "query_id"]
                .iter()
                .any(|key| all.contains_key(*key))
        {
            let mut expansions = BTreeMap::new();
            for (id, value) in all {
                let Value::String(text) = value else {
                    return Err(Error::format(format!("expected a text, found {value}"))
                        .at(Place::item(source, id)));
                };
                expansions.insert(id, text);
            }
            return Ok(Expansions(expansions));
        }
        let mut expansions = BTreeMap::new();
        for (number, line) in text.lines().enumerate() {
            if line.trim().is_empty() {
                continue;
            }
            let place = || Place::line(source, number as u64 + 1);
            let line: Line = serde_json::from_str(line).map_err(|error| {
                Error::format(format!("expected {{\"_id\": .., \"text\": ..}}: {error}"))
                    .at(place())
                    .hint("the file is JSONL, or one JSON object {query: text}")
            })?;
            let id = match line.id {
                Value::String(id) => id,
                other => other.to_string(),
            };
            if expansions.insert(id.clone(), line.text).is_some() {
                return Err(
                    Error::data(format!("query '{id}' has an expansion already")).at(place()),
                );
            }
        }
        Ok(Expansions(expansions))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_say_the_same() {
        let object = Expansions::parse("{\n\"q1\": \"a\", \"2\": \"b\"}", "f").unwrap();
        let lines = "{\"_id\": \"q1\", \"text\": \"a\"}\n\n{\"id\": 2, \"text\": \"b\"}\n";
        assert_eq!(object, Expansions::parse(lines, "f").unwrap());
        assert_eq!(object.get("2"), Some("b"));
    }

    #[test]
    fn what_is_no_expansion_is_told_with_its_place() {
        let error = Expansions::parse("{\"_id\": \"q1\"}\n", "f").unwrap_err();
        assert!(error.to_string().starts_with("f:1: expected"), "{error}");
        let error = Expansions::parse("{\"q1\": 3}", "f").unwrap_err();
        assert_eq!(error.to_string(), "f: q1: expected a text, found 3");
        let twice = "{\"_id\": \"q\", \"text\": \"a\"}\n{\"_id\": \"q\", \"text\": \"b\"}";
        assert!(Expansions::parse(twice, "f").is_err());
    }
}
