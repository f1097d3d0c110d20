//! Lines to blocks.

use std::hash::BuildHasher;

use hashbrown::DefaultHashBuilder;
use memchr::{memchr, memchr2};
use mrmr_core::Result;

use super::Block;
use super::duplicates::Duplicates;
use super::source::Stream;
use crate::rows::{DOCUMENT_PREFIX, QUERY_PREFIX, score};

/// What is read at a time; a query with more text gets a larger buffer.
const WINDOW: usize = 256 << 10;

/// Powers of ten that an `f64` holds exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// The query under way, and what was seen of the run.
#[derive(Debug, Default)]
pub(super) struct Scanner {
    query: Vec<u8>,
    scores: Vec<f64>,
    /// Start and end of each document's id, from the start of the buffer.
    spans: Vec<(u32, u32)>,
    duplicates: Duplicates,
    queries: Vec<u64>,
    tag: Option<Vec<u8>>,
    several_tags: bool,
    at_tabs: Option<bool>,
}

/// The fields of a line that count.
struct Line<'a> {
    query: &'a [u8],
    document: (usize, usize),
    score: f64,
    tag: &'a [u8],
}

impl Scanner {
    /// Reads a stream to its end; false if it is unfit.
    pub(super) fn read(
        &mut self,
        stream: &mut Stream,
        mut take: impl FnMut(Block<'_>) -> Result<()>,
    ) -> Result<bool> {
        let mut buffer = vec![0; WINDOW];
        // The block under way begins at 0; lines up to `at` are taken in, bytes up to `end` are there.
        let (mut at, mut end) = (0, 0);
        loop {
            let last = stream.fill(&mut buffer, &mut end)?;
            if !self.fits(&buffer[at..end]) {
                return Ok(false);
            }
            let mut block = 0;
            while at < end {
                let length = match memchr(b'\n', &buffer[at..end]) {
                    Some(length) => length,
                    None if last => end - at,
                    // No line of a run is as long as that: JSON may be.
                    None if end - at > WINDOW / 2 => return Ok(false),
                    None => break,
                };
                let next = (at + length + 1).min(end);
                match self.line(&buffer[..at + length], at) {
                    Step::Unfit => return Ok(false),
                    Step::Blank | Step::Same => {}
                    Step::Other => {
                        if !self.finish(&buffer, &mut take)? {
                            return Ok(false);
                        }
                        block = at;
                        if !matches!(self.line(&buffer[..at + length], at), Step::Same) {
                            return Ok(false);
                        }
                    }
                }
                at = next;
            }
            if last {
                return self.finish(&buffer, &mut take);
            }
            if self.spans.is_empty() {
                block = at;
            }
            // Make room behind the block under way.
            buffer.copy_within(block..end, 0);
            at -= block;
            end -= block;
            for span in &mut self.spans {
                *span = (span.0 - block as u32, span.1 - block as u32);
            }
            if end * 2 > buffer.len() {
                if buffer.len() > (u32::MAX / 4) as usize {
                    return Ok(false);
                }
                buffer.resize(buffer.len() * 2, 0);
            }
        }
    }

    /// The name of all lines; none if they differ or it is not UTF-8. Nothing if there was no line.
    pub(super) fn tag(&self) -> Option<Option<&str>> {
        let tag = self.tag.as_ref()?;
        let tag = std::str::from_utf8(tag).ok();
        Some(tag.filter(|_| !self.several_tags))
    }

    /// A hash of each query that was seen.
    pub(super) fn queries(&self) -> impl Iterator<Item = u64> {
        self.queries.iter().copied()
    }

    /// Whether the bytes can be read here: split at single spaces, or at tabs.
    fn fits(&mut self, bytes: &[u8]) -> bool {
        match self.at_tabs {
            Some(true) => true,
            Some(false) => memchr2(b'\t', b'\r', bytes).is_none(),
            None => {
                let line = bytes
                    .split(|byte| *byte == b'\n')
                    .next()
                    .unwrap_or_default();
                let tabs = line.iter().filter(|byte| **byte == b'\t').count();
                self.at_tabs = Some(tabs > 1);
                tabs > 1 || memchr2(b'\t', b'\r', bytes).is_none()
            }
        }
    }

    /// Takes in the line from `start` to the end of `buffer`.
    #[inline]
    fn line(&mut self, buffer: &[u8], start: usize) -> Step {
        let parsed = if self.at_tabs == Some(true) {
            let mut end = buffer.len();
            while end > start && buffer[end - 1] == b'\r' {
                end -= 1;
            }
            parse::<b'\t'>(&buffer[..end], start, &self.query)
        } else {
            parse::<b' '>(buffer, start, &self.query)
        };
        let Some(line) = parsed else {
            return if buffer.len() == start {
                Step::Blank
            } else {
                Step::Unfit
            };
        };
        if self.spans.is_empty() {
            self.query.clear();
            self.query.extend_from_slice(line.query);
        } else if line.query != self.query {
            return Step::Other;
        }
        match &self.tag {
            Some(tag) if tag == line.tag => {}
            Some(_) => self.several_tags = true,
            None => self.tag = Some(line.tag.to_vec()),
        }
        self.scores.push(line.score);
        self.spans
            .push((line.document.0 as u32, line.document.1 as u32));
        Step::Same
    }

    /// Gives the block under way to its taker; false if it is unfit.
    fn finish(
        &mut self,
        buffer: &[u8],
        take: &mut impl FnMut(Block<'_>) -> Result<()>,
    ) -> Result<bool> {
        let (Some(first), Some(last)) = (self.spans.first(), self.spans.last()) else {
            return Ok(true);
        };
        let text = &buffer[first.0 as usize..last.1 as usize];
        let Ok(query) = std::str::from_utf8(&self.query) else {
            return Ok(false);
        };
        if !text.is_ascii() && std::str::from_utf8(text).is_err() {
            return Ok(false);
        }
        let block = Block {
            query,
            scores: &self.scores,
            text: buffer,
            spans: &self.spans,
        };
        let prefixed = query.starts_with(QUERY_PREFIX)
            || block.document(0).starts_with(DOCUMENT_PREFIX.as_bytes());
        if prefixed
            || self
                .duplicates
                .any(self.spans.len(), |place| block.document(place))
        {
            return Ok(false);
        }
        self.queries.push(Hasher::new().hash(&self.query));
        take(block)?;
        self.scores.clear();
        self.spans.clear();
        Ok(true)
    }
}

/// What a line was.
enum Step {
    /// Empty.
    Blank,
    /// An answer to the query under way.
    Same,
    /// An answer to another query; it was not taken in.
    Other,
    /// Something else.
    Unfit,
}

/// The same hash in every scanner.
struct Hasher(DefaultHashBuilder);

impl Hasher {
    fn new() -> Self {
        use std::sync::OnceLock;
        static STATE: OnceLock<DefaultHashBuilder> = OnceLock::new();
        Hasher(STATE.get_or_init(DefaultHashBuilder::default).clone())
    }

    fn hash(&self, bytes: &[u8]) -> u64 {
        self.0.hash_one(bytes)
    }
}

/// Six fields with one separator between them, and a plain score.
#[inline]
fn parse<'a, const SEPARATOR: u8>(
    buffer: &'a [u8],
    start: usize,
    query: &[u8],
) -> Option<Line<'a>> {
    let line = &buffer[start..];
    let known = query.len();
    let query_end = if line.len() > known && line[known] == SEPARATOR && line[..known] == *query {
        known
    } else {
        field::<SEPARATOR>(line, 0)?
    };
    let iteration_end = field::<SEPARATOR>(line, query_end + 1)?;
    let document_end = field::<SEPARATOR>(line, iteration_end + 1)?;
    let rank_end = field::<SEPARATOR>(line, document_end + 1)?;
    let score_end = field::<SEPARATOR>(line, rank_end + 1)?;
    let tag = &line[score_end + 1..];
    if tag.is_empty() || memchr2(SEPARATOR, b' ', tag).is_some() {
        return None;
    }
    Some(Line {
        query: &line[..query_end],
        document: (start + iteration_end + 1, start + document_end),
        score: number(&line[rank_end + 1..score_end])?,
        tag,
    })
}

/// The end of the field that starts here; none if it is empty or nothing follows it.
#[inline]
fn field<const SEPARATOR: u8>(line: &[u8], start: usize) -> Option<usize> {
    let length = line
        .get(start..)?
        .iter()
        .position(|byte| *byte == SEPARATOR)?;
    (length > 0).then_some(start + length)
}

/// A score: digits with a point are read exactly here, all else by the general reader's rules.
///
/// A whole number below 2^53 divided by a power of ten up to 10^22 is rounded once, and so correctly
/// (Clinger 1990).
#[inline]
fn number(text: &[u8]) -> Option<f64> {
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        _ => (false, text),
    };
    let (mut mantissa, mut decimals, mut point) = (0u64, 0usize, false);
    if digits.is_empty() || digits.len() > 16 {
        return score(text);
    }
    for byte in digits {
        match byte {
            b'0'..=b'9' => {
                mantissa = mantissa * 10 + u64::from(byte - b'0');
                decimals += usize::from(point);
            }
            b'.' if !point => point = true,
            _ => return score(text),
        }
    }
    if digits.len() == usize::from(point) || mantissa > 1 << 53 {
        return score(text);
    }
    let value = mantissa as f64 / POWERS[decimals];
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_those_of_the_general_reader() {
        for text in [
            "0",
            "1",
            "-1",
            "1.",
            ".5",
            "-0.0",
            "30.123456",
            "99.9999999990",
            "0.000000000000001",
            "123456789012345.6",
            "9007199254740993",
            "9999999999999999",
            "1e-3",
            "inf",
            "-inf",
            "+1",
            "nan",
            "",
            "-",
            ".",
            "1..2",
            "0,9",
            "1_0",
            "0x1p3",
            "1e400",
            "17 ",
            "12345678901234567890123",
            "0.30000000000000004",
        ] {
            let expected = score(text.as_bytes()).map(f64::to_bits);
            assert_eq!(
                number(text.as_bytes()).map(f64::to_bits),
                expected,
                "{text}"
            );
        }
    }
}
