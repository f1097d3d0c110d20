//! Where a file can be cut so that no query is in two parts.

use std::ops::Range;

use memchr::memchr;
use mrmr_core::Result;

use super::source::{PlainFile, Stream};

/// A part that is not worth a thread of its own.
const SMALLEST: u64 = 4 << 20;

/// Parts for each thread, so that all are busy to the end.
const PER_THREAD: u64 = 4;

const WINDOW: usize = 64 << 10;

/// The parts of a file, in order: each begins where a new query does.
pub(super) fn parts(file: &PlainFile) -> Result<Vec<Range<u64>>> {
    let wanted = rayon::current_num_threads() as u64 * PER_THREAD;
    let size = (file.length / wanted).max(SMALLEST);
    let mut parts = Vec::new();
    let mut start = 0;
    while start < file.length {
        let aim = start + size;
        let end = if aim >= file.length {
            file.length
        } else {
            next_query(file, aim)?
        };
        parts.push(start..end);
        start = end;
    }
    Ok(parts)
}

/// The start of the first line behind `aim` whose query differs from that of the line before it.
fn next_query(file: &PlainFile, aim: u64) -> Result<u64> {
    let mut lines = Lines {
        stream: file.part(aim..file.length)?,
        buffer: vec![0; WINDOW],
        start: 0,
        end: 0,
        at: aim,
    };
    // What is left of the line in which `aim` lies.
    lines.next()?;
    let mut query: Option<Vec<u8>> = None;
    loop {
        let at = lines.at + lines.start as u64;
        let Some(line) = lines.next()? else {
            return Ok(file.length);
        };
        let field = line
            .split(|byte| matches!(byte, b' ' | b'\t'))
            .next()
            .unwrap_or_default();
        match &query {
            Some(query) if query != field => return Ok(at),
            Some(_) => {}
            None => query = Some(field.to_vec()),
        }
    }
}

struct Lines {
    stream: Stream,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// Where in the file the buffer begins.
    at: u64,
}

impl Lines {
    fn next(&mut self) -> Result<Option<&[u8]>> {
        loop {
            if let Some(length) = memchr(b'\n', &self.buffer[self.start..self.end]) {
                let line = self.start..self.start + length;
                self.start += length + 1;
                return Ok(Some(&self.buffer[line]));
            }
            self.buffer.copy_within(self.start..self.end, 0);
            self.at += self.start as u64;
            self.end -= self.start;
            self.start = 0;
            if self.end == self.buffer.len() {
                self.buffer.resize(self.buffer.len() * 2, 0);
            }
            let before = self.end;
            self.stream.fill(&mut self.buffer, &mut self.end)?;
            if self.end == before {
                return Ok(None);
            }
        }
    }
}
