//! The inverted index: for each term the documents that hold it, and how often.

use std::ops::Range;

use mrmr_core::{Ids, Interned};

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
    pub(super) terms: Ids<TermId>,
    /// For each term where its postings start, and at the end their number.
    starts: Vec<usize>,
    /// Rows, ascending within a term.
    rows: Vec<u32>,
    frequencies: Vec<u32>,
    /// For each row how many terms it has, repetitions included.
    pub(super) lengths: Vec<u32>,
}

impl Postings {
    /// Joins parts in their order.
    pub(super) fn new(parts: &[Part]) -> Self {
        let mut terms = Ids::new();
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
        let mut postings = Postings {
            terms,
            rows: vec![0; total],
            frequencies: vec![0; total],
            lengths: Vec::new(),
            starts,
        };
        let mut next = postings.starts.clone();
        for (part, number) in parts.iter().zip(&numbers) {
            postings.append(part, number, &mut next);
        }
        postings
    }

    fn append(&mut self, part: &Part, number: &[TermId], next: &mut [usize]) {
        let mut start = 0;
        for (&end, &length) in part.ends.iter().zip(&part.lengths) {
            let row = self.lengths.len() as u32;
            for (term, frequency) in &part.postings[start..end] {
                let place = &mut next[number[term.index()].index()];
                self.rows[*place] = row;
                self.frequencies[*place] = *frequency;
                *place += 1;
            }
            self.lengths.push(length);
            start = end;
        }
    }

    /// No postings yet of terms that are known.
    pub(super) fn of_terms(terms: Ids<TermId>, lengths: Vec<u32>) -> Self {
        Postings {
            terms,
            starts: vec![0],
            rows: Vec::new(),
            frequencies: Vec::new(),
            lengths,
        }
    }

    /// Adds the postings of the next term.
    pub(super) fn push(&mut self, rows: &[u32], frequencies: &[u32]) {
        self.rows.extend_from_slice(rows);
        self.frequencies.extend_from_slice(frequencies);
        self.starts.push(self.rows.len());
    }

    fn range(&self, term: TermId) -> Range<usize> {
        self.starts[term.index()]..self.starts[term.index() + 1]
    }

    /// In how many documents a term is.
    pub(super) fn document_frequency(&self, term: TermId) -> usize {
        self.range(term).len()
    }

    /// The rows that hold a term, ascending, and how often each does.
    pub(super) fn of(&self, term: TermId) -> (&[u32], &[u32]) {
        let range = self.range(term);
        (&self.rows[range.clone()], &self.frequencies[range])
    }
}
