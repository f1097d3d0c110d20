//! One form of a report a file.

mod csv;
mod github;
mod html;
mod json;
mod jsonl;
mod junit;
mod latex;
mod markdown;
mod table;
mod tsv;

use crate::document::Document;

/// Writes a report in one form.
pub(crate) trait Exporter: Sync {
    /// The report as text that ends with a line end.
    fn export(&self, document: &Document) -> String;
}

pub(crate) use csv::Csv;
pub(crate) use github::Github;
pub(crate) use html::{Html, escaped};
pub(crate) use json::Json;
pub(crate) use jsonl::JsonLines;
pub(crate) use junit::Junit;
pub(crate) use latex::Latex;
pub(crate) use markdown::Markdown;
pub(crate) use table::Text;
pub(crate) use tsv::Tsv;

/// Control characters as escapes, so that an id cannot break a line or steer a terminal.
pub(crate) fn printable(text: &str) -> String {
    if !text.chars().any(char::is_control) {
        return text.to_owned();
    }
    let mut out = String::new();
    for c in text.chars() {
        if c.is_control() {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}
