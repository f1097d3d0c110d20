//! The best k without a look at most postings: MaxScore over windows of rows.
//!
//! A lower bound of the k-th score is known from the start (some term alone gives it to k rows), and grows.
//! The terms of the least bounds, as long as all of them together stay below it, cannot bring a row in:
//! only the postings of the others are read, and rows whose sum could reach the bound are looked up in the
//! rest. The answer is that of scoring every row, ties included.

use super::impacts::{BLOCK, RANKS};
use super::index::Bm25Index;
use super::query::QueryTerm;
use crate::filter::Filter;
use crate::top_k::{Neighbour, TopK};

/// Rows summed at a time: their sums stay in the first cache.
const WINDOW: usize = 4096;

/// A term of the query on its way through the rows.
struct Cursor<'a> {
    rows: &'a [[u8; 4]],
    x: &'a [[u8; 4]],
    /// Where the postings start among all.
    start: usize,
    /// The inverse document frequency, as often as the term counts.
    weight: f32,
    /// The most that the term adds.
    bound: f64,
    /// Up to here postings were added to sums.
    read: usize,
    /// No row before this posting will be asked for.
    sought: usize,
}

impl Cursor<'_> {
    fn row(&self, posting: usize) -> u32 {
        u32::from_le_bytes(self.rows[posting])
    }

    /// What a posting adds.
    fn part(&self, posting: usize) -> f32 {
        saturated(self.weight, f32::from_le_bytes(self.x[posting]))
    }

    /// The first posting from `from` on of a row that is not below `row`.
    fn reach(&self, from: usize, row: u32) -> usize {
        let (mut low, mut step) = (from, 4);
        while low + step < self.rows.len() && self.row(low + step) < row {
            low += step;
            step *= 2;
        }
        let within = &self.rows[low..self.rows.len().min(low + step)];
        low + within.partition_point(|there| u32::from_le_bytes(*there) < row)
    }

    /// What the term adds to a row; rows must be asked for in ascending order.
    fn seek(&mut self, row: u32) -> f32 {
        self.sought = self.reach(self.sought, row);
        if self.sought < self.rows.len() && self.row(self.sought) == row {
            self.part(self.sought)
        } else {
            0.0
        }
    }
}

/// What a posting adds.
#[inline]
fn saturated(weight: f32, x: f32) -> f32 {
    weight - weight / (1.0 + x)
}

impl Bm25Index {
    /// A score that at least k rows have that are not excluded, where one is known and sums are exact.
    pub(super) fn known_threshold(
        &self,
        terms: &[QueryTerm],
        k: usize,
        filter: &Filter,
    ) -> Option<f32> {
        let wanted = k.checked_add(filter.excluded().len())?;
        let rank = RANKS.iter().position(|rank| *rank >= wanted)?;
        let (mut known, mut total, mut least) = (0f32, 0f64, f64::INFINITY);
        for term in terms {
            let weight = term.weight * self.idf(term.term);
            let x = self.impacts.top(term.term, rank);
            if x >= 0.0 {
                known = known.max(saturated(weight, x));
            }
            total += f64::from(weight);
            least =
                least.min(f64::from(weight) / (1.0 + f64::from(self.impacts.top(term.term, 0))));
        }
        // What a term adds is a multiple of the last place of `weight / (1 + x)`, of 2^-24 of it at least.
        // Sums of 53 bits are then exact in any order, unless the terms are of very different weights.
        let exact = total < least * f64::from(1 << 28);
        (exact && known > 0.0).then_some(known)
    }

    /// The best `k` rows, where `threshold` comes from [`Bm25Index::known_threshold`].
    pub(super) fn rank_pruned(
        &self,
        terms: &[QueryTerm],
        k: usize,
        filter: &Filter,
        threshold: f32,
    ) -> Vec<Neighbour> {
        let mut cursors: Vec<Cursor> = terms.iter().map(|term| self.cursor(term)).collect();
        cursors.sort_by(|left, right| left.bound.total_cmp(&right.bound));
        let sums = cursors.iter().scan(0.0, |sum, cursor| {
            let before = *sum;
            *sum += cursor.bound;
            Some(before)
        });
        let mut top = TopK::new(k, &self.corpus.precedence);
        top.raise(f64::from(threshold));
        let mut search = Search {
            before: sums.collect(),
            maxima: self.impacts.maxima.numbers(),
            cursors,
            filter,
            top,
            needed: 0.0,
            first: 0,
        };
        search.bind();
        search.run();
        search.top.into_sorted()
    }

    fn cursor(&self, term: &QueryTerm) -> Cursor<'_> {
        let range = self.corpus.postings.range(term.term);
        let weight = term.weight * self.idf(term.term);
        Cursor {
            rows: self.corpus.postings.of(term.term).0,
            x: &self.impacts.x.numbers()[range.clone()],
            start: range.start,
            weight,
            bound: f64::from(saturated(weight, self.impacts.top(term.term, 0))),
            read: 0,
            sought: 0,
        }
    }
}

struct Search<'a> {
    /// By their bounds, ascending.
    cursors: Vec<Cursor<'a>>,
    /// For each cursor the sum of the bounds before it.
    before: Vec<f64>,
    /// The largest `x` of each block of all postings.
    maxima: &'a [[u8; 4]],
    filter: &'a Filter,
    top: TopK<'a>,
    /// The least sum with which a row may be among the best.
    needed: f64,
    /// The first cursor whose postings must be read.
    first: usize,
}

impl Search<'_> {
    /// Takes over the threshold.
    fn bind(&mut self) {
        self.top.tighten();
        let threshold = self.top.threshold() as f32;
        // Sums below the middle between the threshold and the number before it round below it.
        self.needed = (f64::from(threshold) + f64::from(threshold.next_down())) / 2.0;
        let last = self.cursors.len() - 1;
        while self.first < last && self.before[self.first + 1] < self.needed {
            self.first += 1;
        }
    }

    fn run(&mut self) {
        let mut sums = [0f64; WINDOW];
        let mut starts = Vec::new();
        let mut candidates = Vec::new();
        while self.first + 1 < self.cursors.len() {
            let read = &mut self.cursors[self.first..];
            let next = |cursor: &Cursor| {
                (cursor.read < cursor.rows.len()).then(|| cursor.row(cursor.read))
            };
            let Some(row) = read.iter().filter_map(next).min() else {
                return;
            };
            let base = row & !(WINDOW as u32 - 1);
            starts.clear();
            for cursor in read {
                starts.push(cursor.read);
                add(cursor, base, &mut sums);
            }
            self.collect(base, &starts, &mut sums, &mut candidates);
            for (row, sum) in candidates.drain(..) {
                self.consider(row, sum);
            }
            self.bind();
        }
        self.run_last();
    }

    /// The rows of a window whose sums reach what is needed, ascending; clears the sums.
    fn collect(
        &self,
        base: u32,
        starts: &[usize],
        sums: &mut [f64; WINDOW],
        candidates: &mut Vec<(u32, f64)>,
    ) {
        let needed = self.needed - self.before[self.first];
        let read = &self.cursors[self.first..];
        let touched: usize = read
            .iter()
            .zip(starts)
            .map(|(c, start)| c.read - start)
            .sum();
        if touched * 6 < WINDOW {
            for (cursor, &start) in read.iter().zip(starts) {
                for row in &cursor.rows[start..cursor.read] {
                    let row = u32::from_le_bytes(*row);
                    let sum = &mut sums[row as usize & (WINDOW - 1)];
                    if *sum >= needed && *sum > 0.0 {
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
            // Whether any reaches it, in a form that is done many at a time.
            let reach = some
                .iter()
                .fold(0, |any, sum| any | u64::from(*sum >= needed));
            if reach != 0 {
                let rows = some.iter().zip(base + chunk as u32 * 32..);
                let rows = rows.filter(|(sum, _)| **sum >= needed && **sum > 0.0);
                candidates.extend(rows.map(|(sum, row)| (row, *sum)));
            }
            some.fill(0.0);
        }
    }

    /// One term is left to read: only blocks with an `x` that is large enough.
    fn run_last(&mut self) {
        let last = self.cursors.len() - 1;
        let mut read = self.cursors[last].read;
        while read < self.cursors[last].rows.len() {
            let cursor = &self.cursors[last];
            let block = (cursor.start + read) / BLOCK;
            let end = cursor.rows.len().min((block + 1) * BLOCK - cursor.start);
            let least = least_x((self.needed - self.before[last]) / f64::from(cursor.weight));
            if f32::from_le_bytes(self.maxima[block]) >= least {
                for posting in read..end {
                    let cursor = &self.cursors[last];
                    if f32::from_le_bytes(cursor.x[posting]) >= least {
                        let (row, sum) = (cursor.row(posting), f64::from(cursor.part(posting)));
                        self.consider(row, sum);
                    }
                }
                self.bind();
            }
            read = end;
        }
    }

    /// Scores a row, unless the terms that were not read cannot lift it far enough.
    fn consider(&mut self, row: u32, mut sum: f64) {
        if self.filter.excludes(row) {
            return;
        }
        for number in (0..self.first).rev() {
            if sum + self.before[number + 1] < self.needed {
                return;
            }
            sum += f64::from(self.cursors[number].seek(row));
        }
        // Lucene rounds the sum before it compares: sums that round alike are ties.
        self.top.offer(row, f64::from(sum as f32));
    }
}

/// No smaller `x` gives this share of a weight; roundings are allowed for.
fn least_x(share: f64) -> f32 {
    let share = (share - 1e-6).clamp(0.0, 1.0 - 1e-6);
    (share / (1.0 - share) * (1.0 - 1e-6)) as f32
}

/// Adds the postings of a window to its sums.
fn add(cursor: &mut Cursor, base: u32, sums: &mut [f64; WINDOW]) {
    let start = cursor.read;
    let end = match base.checked_add(WINDOW as u32) {
        Some(end) => cursor.reach(start, end),
        None => cursor.rows.len(),
    };
    let weight = cursor.weight;
    // Divided many at a time, then added one by one.
    let mut parts = [0f32; 64];
    let pieces = cursor.x[start..end].chunks(parts.len());
    for (x, rows) in pieces.zip(cursor.rows[start..end].chunks(parts.len())) {
        for (part, x) in parts.iter_mut().zip(x) {
            *part = saturated(weight, f32::from_le_bytes(*x));
        }
        for (part, row) in parts.iter().zip(rows) {
            sums[u32::from_le_bytes(*row) as usize & (WINDOW - 1)] += f64::from(*part);
        }
    }
    cursor.read = end;
}
