//! The line that decides the format.

use mrmr_core::Result;

use crate::input::Text;
use crate::rows::lines::is_blank;

/// How far to look, in bytes; a first line longer than this is no record.
pub(super) const LONGEST_LINE: usize = 1 << 20;

/// The first line that decides.
pub(super) struct First {
    pub(super) line: Vec<u8>,
    pub(super) number: u64,
    /// Whether its end was seen.
    pub(super) complete: bool,
    /// Where in the text it starts.
    pub(super) start: usize,
}

/// The first line that is neither blank nor starts with `#`, else the first with `#` that is a record.
pub(super) fn first(text: &mut Text, is_record: impl Fn(&[u8]) -> bool) -> Result<Option<First>> {
    let mut length = 64 * 1024;
    loop {
        let head = text.peek(length)?;
        let whole = head.len() < length || length >= LONGEST_LINE;
        let ended = head.len() < length;
        let mut marked = None;
        let (mut start, mut number) = (0, 0);
        while start < head.len() {
            number += 1;
            let end = head[start..].iter().position(|byte| *byte == b'\n');
            let line = &head[start..end.map_or(head.len(), |end| start + end)];
            if end.is_none() && !whole {
                break;
            }
            let complete = end.is_some() || ended;
            let found = || First {
                line: line.strip_suffix(b"\r").unwrap_or(line).to_vec(),
                number,
                complete,
                start,
            };
            if line.starts_with(b"#") {
                if marked.is_none() && complete && is_record(line) {
                    marked = Some(found());
                }
            } else if !is_blank(line) {
                return Ok(Some(found()));
            }
            start += line.len() + 1;
        }
        if whole {
            return Ok(marked);
        }
        length *= 4;
    }
}
