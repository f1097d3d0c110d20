//! JSON and JSONL as rows.

use std::io::BufRead;

use mrmr_core::{Error, Place, Result};

use super::json_lexer::{JsonReader, Value};
use super::json_record::Record;
use super::kind::Kind;
use super::lines::Lines;
use super::{Flaw, Row, Sink};
use crate::findings::Code;
use crate::format::FileNotes;
use crate::input::Text;

/// Reads objects `{query: {document: value}}` and records, one or many, bare or in an array.
///
/// Rows are numbered from 0 in the order of the file.
pub(super) fn read_document<S: Sink>(text: Text, kind: Kind, sink: &mut S) -> Result<(), Flaw> {
    let name = text.name().to_owned();
    let mut document = Document {
        json: JsonReader::new(name, text),
        kind,
        row: 0,
        record: Record::default(),
    };
    let read = document.read(sink);
    read.map_err(Flaw::json)
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
        let read = record.read(&mut json, kind, number).and_then(|row| {
            match json.significant().map_err(Flaw::json)? {
                None => Ok(row),
                found => Err(Flaw::json(json.unexpected("the end of the line", found))),
            }
        });
        match read {
            Ok(row) => sink.row(row)?,
            Err(_) if lines.line().starts_with(b"#") => {
                notes.comments += 1;
                sink.comment(number);
            }
            Err(flaw) => sink.fault(flaw.code, || flaw.error)?,
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
    fn read<S: Sink>(&mut self, sink: &mut S) -> Result<()> {
        while let Some(byte) = self.json.significant()? {
            if byte != b'[' {
                self.object(sink)?;
                continue;
            }
            let mut more = self.json.open(b'[')?;
            while more {
                self.object(sink)?;
                more = self.json.more(b']')?;
            }
        }
        Ok(())
    }

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
            let number = self.row;
            self.row += 1;
            let row = self
                .record
                .read_from(&mut self.json, self.kind, key, number);
            return match row {
                Ok(row) => sink.row(row),
                Err(flaw) if flaw.is_final() => Err(flaw.error),
                Err(flaw) => sink.fault(flaw.code, || flaw.error),
            };
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
        let query = match id(key, "query") {
            Ok(query) => query,
            Err(error) => {
                sink.fault(Code::EmptyId, || error.at(self.json.place()))?;
                return self.json.skip();
            }
        };
        let mut text = Vec::new();
        let value = self.json.value(&mut text)?;
        if value != Value::Object {
            sink.fault(Code::BadEntry, || {
                Error::format(format!(
                    "expected an object of documents for query '{query}', found {}",
                    value.describe(&text)
                ))
                .at(Place::item(self.json.name(), query))
            })?;
            return self.skip_rest(value);
        }
        if !self.json.open(b'{')? {
            sink.empty(query);
            return Ok(());
        }
        let mut document = Vec::new();
        loop {
            self.json.key(&mut document)?;
            self.answer(query, &document, &mut text, sink)?;
            self.row += 1;
            if !self.json.more(b'}')? {
                return Ok(());
            }
        }
    }

    /// Takes the value of a document.
    fn answer<S: Sink>(
        &mut self,
        query: &str,
        key: &[u8],
        text: &mut Vec<u8>,
        sink: &mut S,
    ) -> Result<()> {
        let document = match id(key, "document") {
            Ok(document) => document,
            Err(error) => {
                sink.fault(Code::EmptyId, || error.at(self.json.place()))?;
                return self.json.skip();
            }
        };
        match self.json.value(text)? {
            Value::Number(value) if self.kind.accepts(value) => sink.row(Row {
                query,
                document,
                value,
                from_rank: false,
                rank: None,
                tag: None,
                subtopic: None,
                number: self.row,
            }),
            found => {
                let code = match found {
                    Value::Object => Code::BadEntry,
                    _ => self.kind.wrong_value(found == Value::NotANumber),
                };
                sink.fault(code, || self.wrong_value(query, document, found, text))?;
                self.skip_rest(found)
            }
        }
    }

    /// Takes what is left of a value that was not expected.
    fn skip_rest(&mut self, found: Value) -> Result<()> {
        match found {
            Value::Object | Value::Array => self.json.skip(),
            _ => Ok(()),
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
fn id<'a>(key: &'a [u8], what: &str) -> Result<&'a str> {
    match std::str::from_utf8(key) {
        Ok(id) if !id.is_empty() => Ok(id),
        _ => Err(Error::format(format!(
            "expected the id of a {what}, found an empty key"
        ))),
    }
}
