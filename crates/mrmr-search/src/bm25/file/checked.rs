//! What of a mapped file is known to be as it was written.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use mrmr_core::{Interned, Place, Result};

use super::{Checksum, LAZY, PAGE, SECTIONS, changed, contradiction};
use crate::bm25::postings::{Postings, TermId};
use crate::mapped::Mapped;

/// Checks pages, and postings of terms, once each.
pub(in crate::bm25) struct Checked {
    map: Arc<Mapped>,
    source: String,
    /// Where each section is.
    sections: [Range<usize>; SECTIONS],
    checksums: Vec<Checksum>,
    pages: Marks,
    terms: Marks,
}

impl Checked {
    pub(super) fn new(
        map: Arc<Mapped>,
        source: &str,
        sections: [Range<usize>; SECTIONS],
        checksums: Vec<Checksum>,
        terms: usize,
    ) -> Self {
        Checked {
            map,
            source: source.to_owned(),
            sections,
            pages: Marks::new(checksums.len()),
            checksums,
            terms: Marks::new(terms),
        }
    }

    /// Checks the bytes of a place in the file.
    pub(super) fn bytes(&self, range: Range<usize>) -> Result<()> {
        let (body, end) = (self.sections[0].start, self.sections[SECTIONS - 1].end);
        if range.is_empty() {
            return Ok(());
        }
        for page in (range.start - body) / PAGE..=(range.end - 1 - body) / PAGE {
            if !self.pages.has(page) {
                let start = body + page * PAGE;
                let hash = blake3::hash(&self.map[start..end.min(start + PAGE)]);
                if *hash.as_bytes() != self.checksums[page] {
                    return Err(changed());
                }
                self.pages.set(page);
            }
        }
        Ok(())
    }

    /// Checks the postings of a term.
    pub(in crate::bm25) fn term(&self, postings: &Postings, term: TermId) -> Result<()> {
        if self.terms.has(term.index()) {
            return Ok(());
        }
        let place = |error: mrmr_core::Error| error.at(Place::whole(self.source.clone()));
        let range = postings.range(term);
        for section in &self.sections[LAZY..] {
            let start = section.start;
            let bytes = start + range.start * 4..start + range.end * 4;
            self.bytes(bytes).map_err(place)?;
        }
        let (rows, frequencies) = postings.of(term);
        let rows = rows.iter().map(|row| u32::from_le_bytes(*row));
        let there = rows
            .clone()
            .next_back()
            .is_none_or(|row| (row as usize) < postings.lengths().len());
        let in_order = rows
            .clone()
            .zip(rows.skip(1))
            .all(|(left, right)| left < right);
        if !there || !in_order || frequencies.contains(&[0; 4]) {
            return Err(place(contradiction()));
        }
        self.terms.set(term.index());
        Ok(())
    }

    /// Checks everything.
    pub(in crate::bm25) fn all(&self, postings: &Postings) -> Result<()> {
        let terms = postings.terms.names.len();
        (0..terms).try_for_each(|term| self.term(postings, TermId::from_index(term)))
    }
}

/// Which numbers are marked; threads may mark the same one.
struct Marks(Vec<AtomicU64>);

impl Marks {
    fn new(count: usize) -> Self {
        Marks((0..count.div_ceil(64)).map(|_| AtomicU64::new(0)).collect())
    }

    fn has(&self, number: usize) -> bool {
        self.0[number / 64].load(Ordering::Relaxed) >> (number % 64) & 1 == 1
    }

    fn set(&self, number: usize) {
        self.0[number / 64].fetch_or(1 << (number % 64), Ordering::Relaxed);
    }
}
