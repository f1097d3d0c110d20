//! The best k without a look at most postings: MaxScore over windows of rows.
//!
//! A lower bound of the k-th score is known from the start (some term alone gives it to k rows), and grows.
//! The terms of the least bounds, as long as all of them together stay below it, cannot bring a row in:
//! only the postings of the others are read, into sums of codes that are never too low. Rows whose sum
//! could reach the bound are looked up in the rest and scored exactly. The answer is that of scoring
//! every row, ties included.

use super::impacts::{BLOCK, FULL, RANKS};
use super::index::Bm25Index;
use super::postings::TermId;
use super::query::QueryTerm;
use crate::filter::Filter;
use crate::top_k::{Neighbour, TopK};

/// Rows summed at a time: their sums stay in the first cache.
const WINDOW: usize = 4096;

/// A term of the query on its way through the rows.
struct Cursor<'a> {
    rows: &'a [[u8; 4]],
    frequencies: &'a [[u8; 4]],
    codes: &'a [[u8; 2]],
    /// Where the postings start among all.
    start: usize,
    /// The inverse document frequency, as often as the term counts.
    weight: f32,
    /// What one step of a code stands for.
    step: f32,
    /// The most that the term adds.
    bound: f64,
    /// Up to here postings were added to sums.
    read: usize,
    /// No row before this posting will be asked for.
    sought: usize,
    /// Which term of the query this is.
    place: usize,
}

impl Cursor<'_> {
    fn row(&self, posting: usize) -> usize {
        u32::from_le_bytes(self.rows[posting]) as usize
    }

    /// The posting of a row; rows must be asked for in ascending order.
    fn seek(&mut self, row: usize) -> Option<usize> {
        let (mut low, mut step) = (self.sought, 1);
        while low + step < self.rows.len() && self.row(low + step) <= row {
            low += step;
            step *= 2;
        }
        let high = self.rows.len().min(low + step);
        let within = &self.rows[low..high];
        self.sought = low + within.partition_point(|r| (u32::from_le_bytes(*r) as usize) < row);
        (self.sought < self.rows.len() && self.row(self.sought) == row).then_some(self.sought)
    }
}

impl Bm25Index {
    /// A score that at least k rows have that are not excluded, where one is known.
    pub(super) fn known_threshold(
        &self,
        terms: &[QueryTerm],
        k: usize,
        filter: &Filter,
    ) -> Option<f32> {
        let wanted = k.checked_add(filter.excluded().len())?;
        let rank = RANKS.iter().position(|rank| *rank >= wanted)?;
        let known = terms.iter().filter_map(|term| {
            let x = self.impacts.top(term.term, rank);
            let weight = term.weight * self.idf(term.term);
            (x >= 0.0).then(|| saturated(weight, x))
        });
        // A far smaller one would drown in the roundings of the sums.
        known
            .reduce(f32::max)
            .filter(|threshold| *threshold > 1e-20)
    }

    fn cursor(&self, place: usize, term: &QueryTerm) -> Cursor<'_> {
        let range = self.corpus.postings.range(term.term);
        let (rows, frequencies) = self.corpus.postings.of(term.term);
        let weight = term.weight * self.idf(term.term);
        Cursor {
            rows,
            frequencies,
            codes: &self.impacts.codes.numbers()[range.clone()],
            start: range.start,
            weight,
            step: weight / FULL,
            bound: f64::from(self.most(weight, term.term)),
            read: 0,
            sought: 0,
            place,
        }
    }

    fn most(&self, weight: f32, term: TermId) -> f32 {
        saturated(weight, self.impacts.top(term, 0))
    }

    /// The best `k` rows, where `threshold` is a score that k of them reach.
    pub(super) fn rank_pruned(
        &self,
        terms: &[QueryTerm],
        k: usize,
        filter: &Filter,
        threshold: f32,
    ) -> Vec<Neighbour> {
        let cursors = terms.iter().enumerate();
        let mut cursors: Vec<Cursor> = cursors.map(|(place, t)| self.cursor(place, t)).collect();
        cursors.sort_by(|left, right| left.bound.total_cmp(&right.bound));
        let mut top = TopK::new(k, &self.corpus.precedence);
        top.raise(f64::from(threshold));
        let mut search = Search::new(self, cursors, filter, top);
        search.run();
        search.top.into_sorted()
    }
}

/// What a posting adds.
#[inline]
fn saturated(weight: f32, x: f32) -> f32 {
    weight - weight / (1.0 + x)
}

struct Search<'a> {
    index: &'a Bm25Index,
    /// By their bounds, ascending.
    cursors: Vec<Cursor<'a>>,
    /// For each cursor the sum of the bounds before it.
    before: Vec<f64>,
    filter: &'a Filter,
    top: TopK<'a>,
    /// How far sums of codes and bounds may be off.
    allowance: f64,
    /// The least sum with which a row may be among the best.
    needed: f64,
    /// The first cursor whose postings must be read.
    first: usize,
    /// What each term of the query adds to a row.
    parts: Vec<f32>,
}

impl<'a> Search<'a> {
    fn new(
        index: &'a Bm25Index,
        cursors: Vec<Cursor<'a>>,
        filter: &'a Filter,
        top: TopK<'a>,
    ) -> Self {
        let sums = cursors.iter().scan(0.0, |sum, cursor| {
            let before = *sum;
            *sum += cursor.bound;
            Some(before)
        });
        let weights: f64 = cursors.iter().map(|c| f64::from(c.weight)).sum();
        let mut search = Search {
            before: sums.collect(),
            index,
            // Two roundings of 2^-24 a term in a sum of 32 bits, and four for the terms themselves.
            allowance: weights * (1e-6 + 1.3e-7 * cursors.len() as f64),
            parts: vec![0.0; cursors.len()],
            cursors,
            filter,
            top,
            needed: 0.0,
            first: 0,
        };
        search.bind();
        search
    }

    /// Takes over the threshold.
    fn bind(&mut self) {
        let threshold = self.top.threshold() as f32;
        // Sums below the middle between the threshold and the number before it round below it.
        let middle = (f64::from(threshold) + f64::from(threshold.next_down())) / 2.0;
        self.needed = middle - self.allowance;
        let needed = self.needed;
        let last = self.cursors.len() - 1;
        while self.first < last && self.before[self.first + 1] < needed {
            self.first += 1;
        }
    }

    fn run(&mut self) {
        let mut sums = [0f32; WINDOW];
        let mut candidates: Vec<(usize, f32)> = Vec::new();
        while self.first + 1 < self.cursors.len() {
            let next = |cursor: &Cursor| {
                (cursor.read < cursor.rows.len()).then(|| cursor.row(cursor.read))
            };
            let Some(row) = self.cursors[self.first..].iter().filter_map(next).min() else {
                return;
            };
            let base = row & !(WINDOW - 1);
            let starts: Vec<usize> = self.cursors[self.first..].iter().map(|c| c.read).collect();
            for cursor in &mut self.cursors[self.first..] {
                add(cursor, base, &mut sums);
            }
            self.collect(base, &starts, &mut sums, &mut candidates);
            for (row, sum) in candidates.drain(..) {
                self.consider(row, sum);
            }
            self.top.tighten();
            self.bind();
        }
        self.run_last();
    }

    /// The rows of a window whose sums reach what is needed, ascending; clears the sums.
    fn collect(
        &self,
        base: usize,
        starts: &[usize],
        sums: &mut [f32; WINDOW],
        candidates: &mut Vec<(usize, f32)>,
    ) {
        let needed = (self.needed - self.before[self.first]) as f32;
        let read = &self.cursors[self.first..];
        let touched: usize = read
            .iter()
            .zip(starts)
            .map(|(c, start)| c.read - start)
            .sum();
        if touched * 8 < WINDOW && needed > 0.0 {
            for (cursor, &start) in read.iter().zip(starts) {
                for row in &cursor.rows[start..cursor.read] {
                    let row = u32::from_le_bytes(*row) as usize;
                    let sum = &mut sums[row & (WINDOW - 1)];
                    if *sum >= needed {
                        candidates.push((row, *sum));
                    }
                    *sum = 0.0;
                }
            }
            candidates.sort_unstable_by_key(|(row, _)| *row);
            return;
        }
        let (chunks, _) = sums.as_chunks_mut::<32>();
        for (chunk, some) in chunks.iter_mut().enumerate() {
            if some.iter().fold(false, |any, sum| any | (*sum >= needed)) {
                let rows = some.iter().enumerate().filter(|(_, sum)| **sum >= needed);
                candidates.extend(rows.map(|(at, sum)| (base + chunk * 32 + at, *sum)));
            }
        }
        sums.fill(0.0);
    }

    /// One term is left to read: only blocks with a code that is high enough.
    fn run_last(&mut self) {
        let last = self.cursors.len() - 1;
        let maxima = self.index.impacts.maxima.numbers::<2>();
        let (codes, start, step) = {
            let cursor = &self.cursors[last];
            (cursor.codes, cursor.start, cursor.step)
        };
        let mut read = self.cursors[last].read;
        while read < codes.len() {
            let block = (start + read) / BLOCK;
            let end = codes.len().min((block + 1) * BLOCK - start);
            let needed = ((self.needed - self.before[last]) as f32 / step).floor() as u16;
            if u16::from_le_bytes(maxima[block]) >= needed {
                let mut some = false;
                for posting in read..end {
                    let code = u16::from_le_bytes(codes[posting]);
                    if code >= needed {
                        some = true;
                        let row = self.cursors[last].row(posting);
                        self.consider(row, f32::from(code) * step);
                    }
                }
                if some {
                    self.top.tighten();
                    self.bind();
                }
            }
            read = end;
        }
    }

    /// Scores a row exactly, unless the terms that were not read cannot lift it far enough.
    fn consider(&mut self, row: usize, sum: f32) {
        if self.filter.excludes(row as u32) {
            return;
        }
        let mut sum = f64::from(sum);
        self.parts.fill(0.0);
        for number in (0..self.first).rev() {
            if sum + self.before[number + 1] < self.needed {
                return;
            }
            sum += f64::from(self.part(number, row));
        }
        if sum < self.needed {
            return;
        }
        for number in self.first..self.cursors.len() {
            self.part(number, row);
        }
        // In the order of the query, as Lucene has it; what is not there adds 0.
        let score: f64 = self.parts.iter().map(|part| f64::from(*part)).sum();
        self.top.offer(row as u32, f64::from(score as f32));
    }

    /// What a term adds to a row.
    fn part(&mut self, number: usize, row: usize) -> f32 {
        let cursor = &mut self.cursors[number];
        let Some(posting) = cursor.seek(row) else {
            return 0.0;
        };
        let frequency = u32::from_le_bytes(cursor.frequencies[posting]);
        let part = self
            .index
            .contribution(cursor.weight, frequency, row as u32);
        self.parts[cursor.place] = part;
        part
    }
}

/// Adds the postings of a window to its sums.
fn add(cursor: &mut Cursor, base: usize, sums: &mut [f32; WINDOW]) {
    let end = base + WINDOW;
    let postings = cursor.rows[cursor.read..]
        .iter()
        .zip(&cursor.codes[cursor.read..]);
    let mut count = 0;
    for (row, code) in postings {
        let row = u32::from_le_bytes(*row) as usize;
        if row >= end {
            break;
        }
        sums[row & (WINDOW - 1)] += f32::from(u16::from_le_bytes(*code)) * cursor.step;
        count += 1;
    }
    cursor.read += count;
}
