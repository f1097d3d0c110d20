//! A mapped file to an index, with nothing in it trusted.

use std::ops::Range;
use std::sync::Arc;

use mrmr_core::{Error, Result};

use super::{Checked, Checksum, LAZY, MAGIC, PAGE, SECTIONS, VERSION, changed, contradiction};
use crate::bm25::corpus::Corpus;
use crate::bm25::impacts::{BLOCK, Impacts, RANKS};
use crate::bm25::index::Bm25Index;
use crate::bm25::names::{Dictionary, Names};
use crate::bm25::params::Bm25Params;
use crate::bm25::postings::Postings;
use crate::bm25::scratch::ScratchPool;
use crate::bm25::section::Section;
use crate::mapped::Mapped;
use crate::{Analysis, StopWords};

impl Bm25Index {
    pub(super) fn read(map: &Arc<Mapped>, source: &str) -> Result<Self> {
        let (mut head, length) = head(map)?;
        let (params, analysis) = head.settings()?;
        let sections = head.sections(length, map.len())?;
        let body = sections[SECTIONS - 1].end - sections[0].start;
        let checksums = (0..body.div_ceil(PAGE)).map(|_| head.array());
        let checksums: Vec<Checksum> = checksums.collect::<Result<_>>()?;
        if !head.0.is_empty() {
            return Err(contradiction());
        }
        let terms = sections[4].len() / 8;
        let checked = Checked::new(Arc::clone(map), source, sections.clone(), checksums, terms);
        checked.bytes(sections[0].start..sections[LAZY].start)?;
        let [
            ends,
            text,
            places,
            lengths,
            term_ends,
            term_text,
            slots,
            starts,
            tops,
            maxima,
            rows,
            frequencies,
            x,
        ] = sections.map(|range| Section::Mapped(Arc::clone(map), range));
        let names = Names { ends, text };
        let terms = Names {
            ends: term_ends,
            text: term_text,
        };
        let postings = Postings {
            terms: Dictionary {
                names: terms,
                slots,
            },
            starts,
            rows,
            frequencies,
            lengths,
        };
        let impacts = Impacts { x, maxima, tops };
        if !sound(&names, &places, &postings, &impacts) {
            return Err(contradiction());
        }
        let corpus = Corpus::of_file(names, places, postings, checked);
        if corpus.with_terms == 0 && corpus.postings.len() > 0 {
            return Err(contradiction());
        }
        Ok(Bm25Index {
            norm_inverse: corpus.norm_inverse(params),
            params,
            analysis,
            corpus: Arc::new(corpus),
            impacts,
            scratch: ScratchPool::default(),
        })
    }
}

/// What of the head is behind its length, its checksum left out, and how long the whole head is.
fn head(map: &[u8]) -> Result<(Content<'_>, usize)> {
    if !map.starts_with(MAGIC) {
        return Err(Error::format("this is no index of BM25")
            .hint("an index is written by Bm25Index::save"));
    }
    let mut head = Content(&map[MAGIC.len()..]);
    let version = u32::from_le_bytes(head.array()?);
    if version != VERSION {
        return Err(Error::unsupported(format!(
            "the index has format {version}; this version reads format {VERSION}"
        ))
        .hint("make the index again from its documents, or use the version that wrote it"));
    }
    let length = head.length()?;
    let start = map.len() - head.0.len();
    let end = length
        .checked_sub(blake3::OUT_LEN)
        .ok_or_else(contradiction)?;
    if end < start || length > map.len() {
        return Err(contradiction());
    }
    if blake3::hash(&map[..end]).as_bytes() != &map[end..length] {
        return Err(changed());
    }
    Ok((Content(&map[start..end]), length))
}

/// Whether the sections that are checked at once fit together.
fn sound(names: &Names, places: &Section, postings: &Postings, impacts: &Impacts) -> bool {
    let (documents, terms) = (names.len(), postings.terms.names.len());
    let starts = postings
        .starts
        .numbers()
        .iter()
        .map(|start| u64::from_le_bytes(*start));
    let fits = places.len() == documents * 4
        && names.ends.len() == documents * 8
        && postings.lengths.len() == documents * 4
        && postings.terms.names.ends.len() == terms * 8
        && postings.starts.len() == (terms + 1) * 8
        && impacts.tops.len() == terms * RANKS.len() * 4
        && postings.rows.len() == postings.len() * 4
        && postings.frequencies.len() == postings.len() * 4
        && impacts.x.len() == postings.len() * 4
        && impacts.maxima.len() == postings.len().div_ceil(BLOCK) * 4;
    fits && names.are_sound()
        && postings.terms.is_sound()
        && starts.clone().is_sorted()
        && starts.clone().next() == Some(0)
        && starts.clone().next_back() == Some(postings.len() as u64)
        && in_order(names, places)
}

/// Whether every id has its place in the order of their bytes, and none is there twice.
fn in_order(names: &Names, places: &Section) -> bool {
    let mut rows = vec![u32::MAX; names.len()];
    for (row, place) in places.numbers().iter().enumerate() {
        match rows.get_mut(u32::from_le_bytes(*place) as usize) {
            Some(at) => *at = row as u32,
            None => return false,
        }
    }
    let name =
        |row: u32| ((row as usize) < names.len()).then(|| names.get(row as usize).as_bytes());
    rows.first().is_none_or(|row| name(*row).is_some())
        && rows
            .array_windows()
            .all(|[left, right]| name(*right).is_some() && name(*left) < name(*right))
}

/// What is left to read.
struct Content<'a>(&'a [u8]);

impl<'a> Content<'a> {
    fn settings(&mut self) -> Result<(Bm25Params, Analysis)> {
        let (k1, b) = (
            f32::from_le_bytes(self.array()?),
            f32::from_le_bytes(self.array()?),
        );
        let params =
            Bm25Params::new(k1, b, self.text()?.parse()?)?.with_query(self.text()?.parse()?);
        let analyzer = self.text()?.parse()?;
        let stop_words = match self.text()? {
            "custom" => {
                let count = self.length()?;
                let words: Result<Vec<&str>> = (0..count).map(|_| self.text()).collect();
                StopWords::custom(words?)
            }
            known => known.parse()?,
        };
        Ok((params, Analysis::new(analyzer, stop_words)))
    }

    /// Where each section lies; from `start` on they fill a file of `length` bytes.
    fn sections(&mut self, mut start: usize, length: usize) -> Result<[Range<usize>; SECTIONS]> {
        let mut sections = [const { 0..0 }; SECTIONS];
        for section in &mut sections {
            let end = start
                .checked_add(self.length()?)
                .ok_or_else(contradiction)?;
            *section = start..end;
            start = end;
        }
        if start != length {
            return Err(Error::format(format!(
                "the index was cut short or has something behind it: it is said to have {start} bytes, but the file has {length}"
            ))
            .hint("make the index again from its documents"));
        }
        Ok(sections)
    }

    fn bytes(&mut self, count: usize) -> Result<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(count).ok_or_else(contradiction)?;
        self.0 = rest;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let bytes = self.bytes(N)?;
        bytes.try_into().map_err(|_| contradiction())
    }

    fn length(&mut self) -> Result<usize> {
        usize::try_from(u64::from_le_bytes(self.array()?)).map_err(|_| contradiction())
    }

    fn text(&mut self) -> Result<&'a str> {
        let length = self.length()?;
        std::str::from_utf8(self.bytes(length)?).map_err(|_| contradiction())
    }
}
