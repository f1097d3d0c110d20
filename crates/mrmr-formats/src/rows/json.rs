//! JSON and JSONL as rows.

use std::io::BufRead;

use mrmr_core::{Error, Place, Result};

use super::json_lexer::{JsonReader, Value};
use super::json_record::Record;
use super::kind::Kind;
use super::lines::Lines;
use super::{Row, Sink};
use crate::format::FileNotes;
use crate::input::Text;

/// Reads objects `{query: {document: value}}` and records, one or many, bare or in an array.
///
/// Rows are numbered from 0 in the order of the file.
pub(super) fn read_document<S: Sink>(text: Text, kind: Kind, sink: &mut S) -> Result<()> {
    let name = text.name().to_owned();
    let mut document = Document {
        json: JsonReader::new(name, text),
        kind,
        row: 0,
        record: Record::default(),
    };
    while let Some(byte) = document.json.significant()? {
        if byte != b'[' {
            document.object(sink)?;
            continue;
        }
        let mut more = document.json.open(b'[')?;
        while more {
            document.object(sink)?;
            more = document.json.more(b']')?;
        }
    }
    Ok(())
}

/// Reads one record a line; rows are numbered by their lines.
pub(super) fn read_lines<S: Sink>(
    text: Text,
    kind: Kind,
    sink: &mut S,
    notes: &mut FileNotes,
) -> Result<()> {
    let mut lines = Lines::new(text);
    let mut record = Record::default();
    while lines.advance()? {
        let number = lines.number();
        let name = lines.name();
        let mut json = JsonReader::new(name, lines.line()).starting_at(number);
        let read =
            record
                .read(&mut json, kind, number)
                .and_then(|row| match json.significant()? {
                    None => Ok(row),
                    found => Err(json.unexpected("the end of the line", found)),
                });
        match read {
            Ok(row) => sink.row(row)?,
            Err(_) if lines.line().starts_with(b"#") => notes.comments += 1,
            Err(error) => return Err(error),
        }
    }
    notes.lines = lines.read();
    notes.blank_lines = lines.blank();
    Ok(())
}

struct Document<R> {
    json: JsonReader<R>,
    kind: Kind,
    row: u64,
    record: Record,
}

impl<R: BufRead> Document<R> {
    /// An object of queries, or a record: the first value says which.
    fn object<S: Sink>(&mut self, sink: &mut S) -> Result<()> {
        match self.json.significant()? {
            Some(b'{') => {}
            found => return Err(self.json.unexpected("an object", found)),
        }
        if !self.json.open(b'{')? {
            return Ok(());
        }
        let mut key = Vec::new();
        self.json.key(&mut key)?;
        if self.json.significant()? != Some(b'{') {
            let row = self
                .record
                .read_from(&mut self.json, self.kind, key, self.row)?;
            self.row += 1;
            return sink.row(row);
        }
        loop {
            self.query(&key, sink)?;
            if !self.json.more(b'}')? {
                return Ok(());
            }
            self.json.key(&mut key)?;
        }
    }

    fn query<S: Sink>(&mut self, key: &[u8], sink: &mut S) -> Result<()> {
        let query = id(key, "query", &self.json)?;
        let mut text = Vec::new();
        let value = self.json.value(&mut text)?;
        if value != Value::Object {
            return Err(Error::format(format!(
                "expected an object of documents for query '{query}', found {}",
                value.describe(&text)
            ))
            .at(Place::item(self.json.name(), query)));
        }
        if !self.json.open(b'{')? {
            sink.empty(query);
            return Ok(());
        }
        let mut document = Vec::new();
        loop {
            self.json.key(&mut document)?;
            let document = id(&document, "document", &self.json)?;
            let found = self.json.value(&mut text)?;
            let value = match found {
                Value::Number(value) if self.kind.accepts(value) => value,
                _ => return Err(self.wrong_value(query, document, found, &text)),
            };
            sink.row(Row {
                query,
                document,
                value,
                from_rank: false,
                rank: None,
                tag: None,
                number: self.row,
            })?;
            self.row += 1;
            if !self.json.more(b'}')? {
                return Ok(());
            }
        }
    }

    fn wrong_value(&self, query: &str, document: &str, found: Value, text: &[u8]) -> Error {
        let nested = (found == Value::Object).then(|| {
            "the file nests deeper than query, document, value; extract the inner object first"
                .to_owned()
        });
        Error::format(format!(
            "expected a number as {} of document '{document}' of query '{query}', found {}",
            self.kind.value_noun(),
            found.describe(text)
        ))
        .at(Place::item(
            self.json.name(),
            format!("{query} / {document}"),
        ))
        .hint_maybe(nested)
    }
}

/// The text of a key, which the reader has checked to be UTF-8.
fn id<'a, R: BufRead>(key: &'a [u8], what: &str, json: &JsonReader<R>) -> Result<&'a str> {
    match std::str::from_utf8(key) {
        Ok(id) if !id.is_empty() => Ok(id),
        _ => Err(
            Error::format(format!("expected the id of a {what}, found an empty key"))
                .at(json.place()),
        ),
    }
}
