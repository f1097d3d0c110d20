//! JSON as a stream of tokens, read in blocks, with lines and columns for messages.
//!
//! Numbers are parsed by the standard library, which rounds correctly: a score that was written in its
//! shortest form comes back bit for bit. `Infinity` and `-Infinity` are read, as Python writes them.

mod text;

use std::io::BufRead;

use mrmr_core::{Error, Place, Result};

use super::quoted::quoted;
use crate::input::read_failed;

/// A value, or the start of one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Value {
    /// Its text was written to the buffer.
    String,
    /// Its text, as it stands in the file, was written to the buffer.
    Number(f64),
    NotANumber,
    True,
    False,
    Null,
    /// An object, of which nothing was taken yet.
    Object,
    /// An array, of which nothing was taken yet.
    Array,
}

impl Value {
    /// The value for messages; `text` is what was written to the buffer.
    pub(super) fn describe(self, text: &[u8]) -> String {
        match self {
            Value::String => quoted(text),
            Value::Number(_) => String::from_utf8_lossy(text).into_owned(),
            Value::NotANumber => "NaN".to_owned(),
            Value::True => "true".to_owned(),
            Value::False => "false".to_owned(),
            Value::Null => "null".to_owned(),
            Value::Object => "an object".to_owned(),
            Value::Array => "an array".to_owned(),
        }
    }
}

/// A reader of tokens.
pub(super) struct JsonReader<R> {
    reader: R,
    name: String,
    line: u64,
    column: u64,
}

impl<R: BufRead> JsonReader<R> {
    pub(super) fn new(name: impl Into<String>, reader: R) -> Self {
        JsonReader {
            reader,
            name: name.into(),
            line: 1,
            column: 1,
        }
    }

    /// Counts lines from this one on.
    pub(super) fn starting_at(mut self, line: u64) -> Self {
        self.line = line;
        self
    }

    pub(super) fn place(&self) -> Place {
        Place::line(&self.name, self.line)
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The next byte that is no white space, which is not taken.
    pub(super) fn significant(&mut self) -> Result<Option<u8>> {
        loop {
            match self.peek()? {
                Some(b'\n') => {
                    self.take(1);
                    self.line += 1;
                    self.column = 1;
                }
                Some(b' ' | b'\t' | b'\r') => self.take(1),
                other => return Ok(other),
            }
        }
    }

    /// Takes the opening byte; false where the closing one follows, which is taken too.
    pub(super) fn open(&mut self, opening: u8) -> Result<bool> {
        self.expect(opening)?;
        let closing = if opening == b'{' { b'}' } else { b']' };
        if self.significant()? == Some(closing) {
            self.take(1);
            return Ok(false);
        }
        Ok(true)
    }

    /// Takes a comma, or the closing byte: then false.
    pub(super) fn more(&mut self, closing: u8) -> Result<bool> {
        match self.significant()? {
            Some(b',') => {
                self.take(1);
                Ok(true)
            }
            Some(byte) if byte == closing => {
                self.take(1);
                Ok(false)
            }
            found => Err(self.unexpected(&format!("',' or '{}'", closing as char), found)),
        }
    }

    /// Takes a key and its colon.
    pub(super) fn key(&mut self, key: &mut Vec<u8>) -> Result<()> {
        match self.significant()? {
            Some(b'"') => self.string(key)?,
            found => return Err(self.unexpected("a key in double quotes", found)),
        }
        self.expect(b':')
    }

    /// Takes a value, unless it is an object or an array.
    pub(super) fn value(&mut self, text: &mut Vec<u8>) -> Result<Value> {
        text.clear();
        match self.significant()? {
            Some(b'"') => self.string(text).map(|()| Value::String),
            Some(b'{') => Ok(Value::Object),
            Some(b'[') => Ok(Value::Array),
            found => self.word(found, text),
        }
    }

    /// Takes a value of any kind.
    pub(super) fn skip(&mut self) -> Result<()> {
        let mut open = Vec::new();
        let mut text = Vec::new();
        loop {
            let opened = match self.value(&mut text)? {
                Value::Object => self.open(b'{')?.then_some(b'}'),
                Value::Array => self.open(b'[')?.then_some(b']'),
                _ => None,
            };
            open.extend(opened);
            let starts = opened.is_some();
            while let (Some(closing), false) = (open.last().copied(), starts) {
                if self.more(closing)? {
                    break;
                }
                open.pop();
            }
            match open.last() {
                None => return Ok(()),
                Some(b'}') => self.key(&mut text)?,
                Some(_) => {}
            }
        }
    }

    /// An error of syntax at this point.
    pub(super) fn unexpected(&self, expected: &str, found: Option<u8>) -> Error {
        let Some(found) = found else {
            return Error::format(format!("the JSON ends too early; expected {expected}"))
                .at(self.place())
                .hint("the file may be cut off");
        };
        let found = match found {
            b' '..=b'~' => char::from(found).to_string(),
            _ => found.escape_ascii().to_string(),
        };
        Error::format(format!(
            "broken JSON at column {}: expected {expected}, found '{found}'",
            self.column,
        ))
        .at(self.place())
    }

    fn expect(&mut self, wanted: u8) -> Result<()> {
        match self.significant()? {
            Some(byte) if byte == wanted => {
                self.take(1);
                Ok(())
            }
            found => Err(self.unexpected(&format!("'{}'", wanted as char), found)),
        }
    }

    fn peek(&mut self) -> Result<Option<u8>> {
        match self.block()? {
            [] => Ok(None),
            [byte, ..] => Ok(Some(*byte)),
        }
    }

    fn block(&mut self) -> Result<&[u8]> {
        // The first call may be interrupted; the second borrows what the first one fetched.
        loop {
            match self.reader.fill_buf() {
                Ok(_) => break,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(read_failed(&self.name, error)),
            }
        }
        self.reader
            .fill_buf()
            .map_err(|error| read_failed(&self.name, error))
    }

    fn take(&mut self, count: usize) {
        self.reader.consume(count);
        self.column += count as u64;
    }

    fn word(&mut self, first: Option<u8>, text: &mut Vec<u8>) -> Result<Value> {
        loop {
            let block = self.block()?;
            let is_part = |byte: &u8| {
                byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.' | b'_')
            };
            let length = block
                .iter()
                .position(|byte| !is_part(byte))
                .unwrap_or(block.len());
            text.extend_from_slice(&block[..length]);
            let goes_on = length == block.len() && length > 0;
            self.take(length);
            if !goes_on {
                break;
            }
        }
        let value = match text.as_slice() {
            b"true" => Value::True,
            b"false" => Value::False,
            b"null" => Value::Null,
            b"NaN" => Value::NotANumber,
            b"Infinity" => Value::Number(f64::INFINITY),
            b"-Infinity" => Value::Number(f64::NEG_INFINITY),
            [] => return Err(self.unexpected("a value", first)),
            [b'0'..=b'9', ..] | [b'-', b'0'..=b'9', ..] => match decimal(text) {
                Some(number) => Value::Number(number),
                None => return Err(self.no_value(text)),
            },
            _ => return Err(self.no_value(text)),
        };
        Ok(value)
    }

    fn no_value(&self, text: &[u8]) -> Error {
        Error::format(format!(
            "broken JSON: expected a value, found {}",
            quoted(text)
        ))
        .at(self.place())
    }
}

fn decimal(text: &[u8]) -> Option<f64> {
    std::str::from_utf8(text).ok()?.parse().ok()
}
