//! The survivors in 64 bits: of each document only the vectors that may be the nearest.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use super::first_pass::{groups, scales};
use super::max_sim::{Coded, MaxSimIndex};
use super::query::{CodedVectors, Query};
use crate::exact::survivors::Survivors;
use crate::kernels::greatest::Greatest;
use crate::kernels::{Apart, ROWS};
use crate::top_k::{Neighbour, TopK};

impl MaxSimIndex {
    /// The best `k` of a query's survivors, best first.
    pub(super) fn rescore(
        &self,
        query: &Query<'_>,
        survivors: Option<Survivors>,
        k: usize,
    ) -> Vec<Neighbour> {
        let mut top = TopK::new(k, &self.precedence);
        let candidates = query.filter.candidates();
        match (&self.coded, &query.coded, survivors) {
            (Some(coded), Some(vectors), Some(survivors)) => {
                let mut scorer = Scorer::new(self, coded, vectors);
                self.rescore_survivors(&mut scorer, survivors, k, &mut top);
            }
            (Some(coded), Some(vectors), None) => {
                let mut scorer = Scorer::new(self, coded, vectors);
                for document in candidates.unwrap_or_default() {
                    if let Some(score) = scorer.score(*document as usize) {
                        top.offer(*document, score);
                    }
                }
            }
            _ => {
                let all = 0..self.offsets.len() as u32 - 1;
                let named = candidates.unwrap_or_default().iter().copied();
                let all = all
                    .filter(|document| candidates.is_none() && !query.filter.excludes(*document));
                for document in named.chain(all) {
                    if let Some(score) = self.score(query.numbers, document as usize) {
                        top.offer(document, score);
                    }
                }
            }
        }
        top.into_sorted()
    }

    /// Scores the documents by their upper bounds, until none that is left can be among the best.
    fn rescore_survivors(
        &self,
        scorer: &mut Scorer<'_>,
        survivors: Survivors,
        k: usize,
        top: &mut TopK<'_>,
    ) {
        let mut documents = survivors.into_bounded_rows();
        documents.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let mut best: BinaryHeap<Reverse<Total>> = BinaryHeap::new();
        for (document, upper) in documents {
            let is_full = best.len() == k;
            if is_full && best.peek().is_some_and(|Reverse(last)| upper < last.0) {
                break;
            }
            if let Some(score) = scorer.score(document as usize) {
                top.offer(document, score);
                best.push(Reverse(Total(score)));
                if is_full {
                    best.pop();
                }
            }
        }
    }
}

/// A score in the order of numbers; none is NaN.
#[derive(Clone, Copy)]
struct Total(f64);

impl Ord for Total {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Total {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Total {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Total {}

/// Scores documents for a query as [`MaxSimIndex::score`] does, to the last bit, but computes in 64 bits only the
/// pairs of vectors that may be the best by their codes.
struct Scorer<'a> {
    index: &'a MaxSimIndex,
    coded: &'a Coded,
    query: &'a CodedVectors<'a>,
    /// For each group of the document the dot products with the query's vectors.
    dots: Vec<[i32; ROWS]>,
    greatest: Vec<Greatest>,
}

impl<'a> Scorer<'a> {
    fn new(index: &'a MaxSimIndex, coded: &'a Coded, query: &'a CodedVectors<'a>) -> Self {
        Scorer {
            index,
            coded,
            query,
            dots: Vec::new(),
            greatest: Vec::new(),
        }
    }

    fn score(&mut self, document: usize) -> Option<f64> {
        let rows = self.index.offsets[document]..self.index.offsets[document + 1];
        if rows.is_empty() {
            return None;
        }
        let count = self.query.vectors.len();
        let groups = groups(&rows);
        self.dots.resize(groups.len() * count, [0; ROWS]);
        self.greatest.clear();
        self.greatest.resize(count, [f32::NEG_INFINITY; ROWS]);
        for (group, dots) in groups.clone().zip(self.dots.chunks_exact_mut(count.max(1))) {
            (self.index.kernels.code_dots)(self.coded.codes.lines(group), &self.query.codes, dots);
            (self.index.raise)(&scales(self.coded, group, &rows), dots, &mut self.greatest);
        }
        let mut best = vec![f64::NEG_INFINITY; count];
        let pairs = self.query.vectors.iter().zip(&self.greatest);
        let reaches = pairs.map(|(vector, greatest)| vector.reach(self.coded, document, greatest));
        let reaches: Vec<_> = reaches.collect();
        let mut masks = vec![0u16; count];
        for (group, dots) in groups.zip(self.dots.chunks_exact(count.max(1))) {
            let bounds = &self.coded.codes.bounds[group];
            let apart = Apart {
                rows: &[],
                queries: &[],
            };
            (self.index.kernels.reaching)(bounds, apart, &reaches, dots, &mut masks);
            for ((vector, best), mask) in self.query.vectors.iter().zip(&mut best).zip(&masks) {
                let mut mask = *mask;
                while mask != 0 {
                    let row = group * ROWS + mask.trailing_zeros() as usize;
                    mask &= mask - 1;
                    if rows.contains(&row) {
                        *best = best.max(self.index.pair(vector.vector, vector.square, row));
                    }
                }
            }
        }
        Some(best.into_iter().fold(0.0, |sum, score| sum + score))
    }
}
