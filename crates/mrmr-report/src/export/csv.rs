//! Comma-separated lines, long: one value a line, quoted as RFC 4180 says.

use super::Exporter;
use crate::document::{Document, Records};

/// Lines with commas.
pub(crate) struct Csv;

impl Exporter for Csv {
    fn export(&self, document: &Document) -> String {
        separated(&document.records, ',')
    }
}

/// Rows as lines of fields; a field in quotes where it holds a separator, a quote or a line end.
pub(super) fn separated(records: &Records, separator: char) -> String {
    let quoted = |text: &str| {
        if text.contains([separator, '"', '\n', '\r']) {
            format!("\"{}\"", text.replace('"', "\"\""))
        } else {
            text.to_owned()
        }
    };
    let mut out = String::new();
    let mut line = |fields: Vec<String>| {
        let last = fields.len().saturating_sub(1);
        for (at, field) in fields.iter().enumerate() {
            out += &quoted(field);
            out.push(if at == last { '\n' } else { separator });
        }
    };
    line(
        records
            .columns
            .iter()
            .map(|name| (*name).to_owned())
            .collect(),
    );
    for row in &records.rows {
        line(row.iter().map(crate::document::Datum::plain).collect());
    }
    out
}
