//! The lines of a text, one at a time, in memory that is used again.

use std::io::{BufRead, Cursor};

use memchr::memchr;
use mrmr_core::{Error, Place, Result};

use crate::input::Text;

/// The longest record that may span lines: more is a quote that nobody closed.
const LONGEST_RECORD: usize = 1 << 20;

/// Lines end at LF, and a CR before it is dropped; blank lines are skipped and counted.
pub(crate) struct Lines {
    text: Text,
    /// Lines that were read already and come again.
    again: Cursor<Vec<u8>>,
    buffer: Vec<u8>,
    read: u64,
    first: u64,
    blank: u64,
}

impl Lines {
    pub(crate) fn new(text: Text) -> Self {
        Lines {
            text,
            again: Cursor::default(),
            buffer: Vec::new(),
            read: 0,
            first: 0,
            blank: 0,
        }
    }

    /// Goes to the next line that is not blank; false at the end.
    pub(crate) fn advance(&mut self) -> Result<bool> {
        loop {
            self.buffer.clear();
            if !self.append()? {
                return Ok(false);
            }
            if !is_blank(&self.buffer) {
                self.first = self.read;
                return Ok(true);
            }
            self.blank += 1;
        }
    }

    /// Adds the next line to this one, with a line feed between them; false at the end.
    pub(crate) fn join(&mut self) -> Result<bool> {
        if self.buffer.len() > LONGEST_RECORD {
            return Ok(false);
        }
        self.buffer.push(b'\n');
        self.append()
    }

    /// Undoes every [`Lines::join`] since the last advance: the lines behind the first one come again.
    pub(crate) fn separate(&mut self) {
        let Some(first) = memchr(b'\n', &self.buffer) else {
            return;
        };
        let mut again = self.buffer.split_off(first + 1);
        if !again.is_empty() && again.last() != Some(&b'\n') {
            again.push(b'\n');
        }
        let rest = self.again.get_ref();
        again.extend_from_slice(&rest[self.again.position() as usize..]);
        self.again = Cursor::new(again);
        self.buffer.truncate(first);
        self.read = self.first;
    }

    fn append(&mut self) -> Result<bool> {
        let read = match self.again.read_until(b'\n', &mut self.buffer) {
            Ok(0) => self.text.read_until(b'\n', &mut self.buffer),
            again => again,
        };
        if read.map_err(|error| self.text.failed(error))? == 0 {
            return Ok(false);
        }
        self.read += 1;
        if self.buffer.last() == Some(&b'\n') {
            self.buffer.pop();
        }
        while self.buffer.last() == Some(&b'\r') {
            self.buffer.pop();
        }
        Ok(true)
    }

    /// The line, without its end.
    pub(crate) fn line(&self) -> &[u8] {
        &self.buffer
    }

    /// The number of the line, from 1; of the first one where several were joined.
    pub(crate) fn number(&self) -> u64 {
        self.first
    }

    /// How many lines were read so far.
    pub(crate) fn read(&self) -> u64 {
        self.read
    }

    /// How many of them were blank.
    pub(crate) fn blank(&self) -> u64 {
        self.blank
    }

    pub(crate) fn name(&self) -> &str {
        self.text.name()
    }

    /// The place of the line.
    pub(crate) fn place(&self) -> Place {
        Place::line(self.name(), self.first)
    }

    /// An error at the line.
    pub(crate) fn error(&self, message: impl Into<String>) -> Error {
        Error::format(message).at(self.place())
    }
}

/// Whether a line holds nothing but spaces, tabs and carriage returns.
pub(crate) fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{Input, Opened};

    fn lines(bytes: &'static [u8]) -> Lines {
        let Opened::Text(text) = Input::memory("x", bytes).open().unwrap() else {
            panic!("not a text");
        };
        Lines::new(text)
    }

    #[test]
    fn every_kind_of_line_end_is_read_alike() {
        let mut lines = lines(b"a\r\n\n \t\r\nb\nc\r\r\n\nd");
        let mut seen = Vec::new();
        while lines.advance().unwrap() {
            seen.push((lines.number(), lines.line().to_vec()));
        }
        let expected = [(1, "a"), (4, "b"), (5, "c"), (7, "d")];
        let expected = expected.map(|(number, line)| (number, line.as_bytes().to_vec()));
        assert_eq!(seen, expected);
        assert_eq!((lines.read(), lines.blank()), (7, 3));
    }

    #[test]
    fn joined_lines_have_the_number_of_the_first() {
        let mut lines = lines(b"\na\r\n\nb\nc");
        assert!(lines.advance().unwrap());
        assert!(lines.join().unwrap());
        assert!(lines.join().unwrap());
        assert_eq!((lines.number(), lines.line()), (2, &b"a\n\nb"[..]));
        assert!(lines.advance().unwrap());
        assert_eq!((lines.number(), lines.line()), (5, &b"c"[..]));
    }

    #[test]
    fn separated_lines_come_again_with_their_numbers() {
        let mut lines = lines(b"a\r\n\nb\nc\nd");
        assert!(lines.advance().unwrap());
        assert!(lines.join().unwrap() && lines.join().unwrap());
        lines.separate();
        assert_eq!((lines.number(), lines.line()), (1, &b"a"[..]));
        assert!(lines.advance().unwrap());
        while lines.join().unwrap() {}
        lines.separate();
        assert_eq!((lines.number(), lines.line()), (3, &b"b"[..]));
        let mut seen = Vec::new();
        while lines.advance().unwrap() {
            seen.push((lines.number(), lines.line().to_vec()));
        }
        assert_eq!(seen, [(4, b"c".to_vec()), (5, b"d".to_vec())]);
    }
}
