//! One JSON object a value.

use serde_json::{Map, Value};

use super::Exporter;
use crate::document::Document;

/// JSON lines.
pub(crate) struct JsonLines;

impl Exporter for JsonLines {
    fn export(&self, document: &Document) -> String {
        let mut out = String::new();
        for row in &document.records.rows {
            let fields = document.records.columns.iter().zip(row);
            let object: Map<String, Value> = fields
                .map(|(name, value)| ((*name).to_owned(), value.json()))
                .collect();
            out += &Value::Object(object).to_string();
            out.push('\n');
        }
        out
    }
}
