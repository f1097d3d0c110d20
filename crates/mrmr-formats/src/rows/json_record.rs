//! A row as a JSON object with named values.

use std::io::BufRead;

use mrmr_core::Error;

use super::json_lexer::{JsonReader, Value};
use super::kind::Kind;
use super::layout::Columns;
use super::{Flaw, Row, number};
use crate::findings::Code;

/// The values of one object; kept from record to record for its memory.
#[derive(Debug, Default)]
pub(super) struct Record {
    /// The keys of this record that may be columns, then those of earlier ones, for their memory.
    names: Vec<String>,
    values: Vec<(Option<Value>, Vec<u8>)>,
    count: usize,
}

impl Record {
    /// Takes an object.
    pub(super) fn read<'a, R: BufRead>(
        &'a mut self,
        json: &mut JsonReader<R>,
        kind: Kind,
        number: u64,
    ) -> Result<Row<'a>, Flaw> {
        match json.significant().map_err(Flaw::json)? {
            Some(b'{') => {}
            found => return Err(Flaw::json(json.unexpected("an object", found))),
        }
        self.count = 0;
        if !json.open(b'{').map_err(Flaw::json)? {
            return self.row(json, kind, number);
        }
        let mut key = Vec::new();
        json.key(&mut key).map_err(Flaw::json)?;
        self.read_from(json, kind, key, number)
    }

    /// Takes the rest of an object after its first key.
    pub(super) fn read_from<'a, R: BufRead>(
        &'a mut self,
        json: &mut JsonReader<R>,
        kind: Kind,
        mut key: Vec<u8>,
        number: u64,
    ) -> Result<Row<'a>, Flaw> {
        self.count = 0;
        loop {
            self.entry(json, &key).map_err(Flaw::json)?;
            if !json.more(b'}').map_err(Flaw::json)? {
                return self.row(json, kind, number);
            }
            json.key(&mut key).map_err(Flaw::json)?;
        }
    }

    fn entry<R: BufRead>(&mut self, json: &mut JsonReader<R>, key: &[u8]) -> Result<(), Error> {
        if self.count == self.names.len() {
            self.names.push(String::new());
            self.values.push((None, Vec::new()));
        }
        let (name, (value, text)) = (&mut self.names[self.count], &mut self.values[self.count]);
        self.count += 1;
        name.clear();
        name.push_str(&String::from_utf8_lossy(key));
        let found = json.value(text)?;
        if matches!(found, Value::Object | Value::Array) {
            json.skip()?;
        }
        *value = Some(found);
        Ok(())
    }

    fn row<'a, R: BufRead>(
        &'a self,
        json: &JsonReader<R>,
        kind: Kind,
        number: u64,
    ) -> Result<Row<'a>, Flaw> {
        let flaw = |code, error: Error| Flaw::new(code, error.at(json.place()));
        let columns = Columns::find(kind, &self.names[..self.count])
            .map_err(|error| flaw(Code::MissingColumn, error))?;
        let id = |index: usize, what| {
            self.id(index, what)
                .map_err(|error| flaw(Code::EmptyId, error))
        };
        let (query, document) = (
            id(columns.query, "query")?,
            id(columns.document, "document")?,
        );
        let rank = columns.rank.and_then(|index| self.rank(index));
        let wrong = |code, index: usize, expected: &str| {
            let found = self.describe(index);
            let of = format!("document '{document}' of query '{query}'");
            flaw(
                code,
                Error::format(format!("expected {expected} of {of}, found {found}")),
            )
        };
        let (value, rank) = match (columns.value, columns.rank) {
            (Some(index), _) => match self.values[index].0 {
                Some(Value::Number(value)) if kind.accepts(value) => (value, rank),
                found => {
                    let code = kind.wrong_value(found == Some(Value::NotANumber));
                    let expected = format!("a number as {}", kind.value_noun());
                    return Err(wrong(code, index, &expected));
                }
            },
            (None, Some(index)) => match rank {
                Some(rank) => (-(rank as f64), None),
                None => return Err(wrong(Code::BadRank, index, "a whole number as rank")),
            },
            // `Columns::find` gives a value or a rank.
            (None, None) => (0.0, None),
        };
        let tag = columns.tag.map(|index| self.values[index].1.as_slice());
        Ok(Row {
            query,
            document,
            value,
            from_rank: columns.value.is_none(),
            rank,
            tag,
            subtopic: None,
            number,
        })
    }

    /// An id is a text or a whole number.
    fn id(&self, index: usize, what: &str) -> Result<&str, Error> {
        let (value, text) = &self.values[index];
        let is_whole = |text: &[u8]| {
            text.iter()
                .all(|byte| byte.is_ascii_digit() || *byte == b'-')
        };
        let id = match value {
            Some(Value::String) if !text.is_empty() => std::str::from_utf8(text).ok(),
            Some(Value::Number(_)) if is_whole(text) => std::str::from_utf8(text).ok(),
            _ => None,
        };
        id.ok_or_else(|| {
            Error::format(format!(
                "expected a text or a whole number as id of a {what}, found {}",
                self.describe(index)
            ))
        })
    }

    fn rank(&self, index: usize) -> Option<i64> {
        match &self.values[index] {
            (Some(Value::Number(_)), text) => number::rank(text),
            _ => None,
        }
    }

    fn describe(&self, index: usize) -> String {
        let (value, text) = &self.values[index];
        value.map_or_else(|| "nothing".to_owned(), |value| value.describe(text))
    }
}
