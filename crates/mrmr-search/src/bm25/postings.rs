//! The inverted index: for each term the documents that hold it, and how often.

use std::ops::Range;

use mrmr_core::{Ids, Interned};

use super::names::{Dictionary, Names};
use super::section::Section;

/// A term's number in an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TermId(u32);

impl Interned for TermId {
    fn from_index(index: usize) -> Self {
        TermId(u32::try_from(index).expect("more than 2^32 distinct terms in one index"))
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// Part of a corpus, analysed: consecutive documents with a table of terms of their own.
#[derive(Default)]
pub(super) struct Part {
    pub(super) terms: Ids<TermId>,
    /// For each document where its postings end.
    pub(super) ends: Vec<usize>,
    /// Term and frequency, document after document, terms in the order of their numbers.
    pub(super) postings: Vec<(TermId, u32)>,
    /// For each document how many terms it has, repetitions included.
    pub(super) lengths: Vec<u32>,
}

impl Part {
    /// Analyses documents one after another.
    pub(super) fn new(texts: &[String], analysis: &crate::Analysis) -> Self {
        let mut part = Part::default();
        let mut found: Vec<TermId> = Vec::new();
        for text in texts {
            found.clear();
            analysis.for_each_term(text, |term| found.push(part.terms.intern(term)));
            found.sort_unstable();
            for same in found.chunk_by(|left, right| left == right) {
                part.postings.push((same[0], same.len() as u32));
            }
            part.ends.push(part.postings.len());
            part.lengths.push(found.len() as u32);
        }
        part
    }
}

/// The inverted index of a whole corpus, in flat arrays.
pub(super) struct Postings {
    pub(super) terms: Dictionary,
    /// For each term where its postings start, and at the end their number; of 64 bits.
    pub(super) starts: Section,
    /// Rows, ascending within a term.
    pub(super) rows: Section,
    pub(super) frequencies: Section,
    /// For each row how many terms it has, repetitions included.
    pub(super) lengths: Section,
}

impl Postings {
    /// Joins parts in their order.
    pub(super) fn new(parts: &[Part]) -> Self {
        let mut terms: Ids<TermId> = Ids::new();
        let mut counts: Vec<usize> = Vec::new();
        let mut numbers: Vec<Vec<TermId>> = Vec::new();
        for part in parts {
            let number: Vec<TermId> = part.terms.names().map(|t| terms.intern(t)).collect();
            counts.resize(terms.len(), 0);
            for (term, _) in &part.postings {
                counts[number[term.index()].index()] += 1;
            }
            numbers.push(number);
        }
        let mut starts = vec![0];
        starts.extend(counts.iter().scan(0, |sum, count| {
            *sum += count;
            Some(*sum)
        }));
        let total = starts[terms.len()];
        let mut joined = Joined {
            next: starts.clone(),
            rows: vec![[0; 4]; total],
            frequencies: vec![[0; 4]; total],
            lengths: Vec::new(),
        };
        for (part, number) in parts.iter().zip(&numbers) {
            joined.append(part, number);
        }
        Postings {
            terms: Dictionary::new(Names::new(terms.names())),
            starts: Section::of_u64(starts.into_iter().map(|start| start as u64)),
            rows: Section::Owned(joined.rows.into_flattened()),
            frequencies: Section::Owned(joined.frequencies.into_flattened()),
            lengths: Section::Owned(joined.lengths.into_flattened()),
        }
    }

    /// How many pairs of a term and a row there are.
    pub(super) fn len(&self) -> usize {
        self.rows.numbers::<4>().len()
    }

    /// How long each row is.
    pub(super) fn lengths(&self) -> impl ExactSizeIterator<Item = u32> {
        self.lengths
            .numbers()
            .iter()
            .map(|length| u32::from_le_bytes(*length))
    }

    /// The number of a term.
    pub(super) fn term(&self, name: &str) -> Option<TermId> {
        self.terms.get(name).map(TermId::from_index)
    }

    /// Where the postings of a term are.
    pub(super) fn range(&self, term: TermId) -> Range<usize> {
        self.starts.place(term.index())..self.starts.place(term.index() + 1)
    }

    /// In how many documents a term is.
    pub(super) fn document_frequency(&self, term: TermId) -> usize {
        self.range(term).len()
    }

    /// The rows that hold a term, ascending, and how often each does; numbers are little-endian.
    pub(super) fn of(&self, term: TermId) -> (&[[u8; 4]], &[[u8; 4]]) {
        let range = self.range(term);
        (
            &self.rows.numbers()[range.clone()],
            &self.frequencies.numbers()[range],
        )
    }
}

/// Postings in the making.
struct Joined {
    /// For each term where its next posting goes.
    next: Vec<usize>,
    rows: Vec<[u8; 4]>,
    frequencies: Vec<[u8; 4]>,
    lengths: Vec<[u8; 4]>,
}

impl Joined {
    fn append(&mut self, part: &Part, number: &[TermId]) {
        let mut start = 0;
        for (&end, &length) in part.ends.iter().zip(&part.lengths) {
            let row = self.lengths.len() as u32;
            for (term, frequency) in &part.postings[start..end] {
                let place = &mut self.next[number[term.index()].index()];
                self.rows[*place] = row.to_le_bytes();
                self.frequencies[*place] = frequency.to_le_bytes();
                *place += 1;
            }
            self.lengths.push(length.to_le_bytes());
            start = end;
        }
    }
}
