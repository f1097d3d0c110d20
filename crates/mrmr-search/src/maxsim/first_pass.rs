//! The first pass in 8 bits: which documents may be among the best.

use std::ops::Range;

use super::max_sim::{Coded, MaxSimIndex};
use super::query::{CodedVectors, Query};
use crate::exact::coded_query::no_dots;
use crate::exact::survivors::Survivors;
use crate::kernels::greatest::Greatest;
use crate::kernels::{QueryCodes, ROWS};

/// Queries that go through the documents together, with the codes of all their vectors.
pub(super) struct Block<'q, 'a> {
    pub(super) queries: Vec<(&'q Query<'a>, &'q CodedVectors<'a>)>,
    codes: QueryCodes,
}

impl<'q, 'a> Block<'q, 'a> {
    /// Those of the queries that have codes and do not name their candidates.
    pub(super) fn new(coded: &Coded, queries: &'q [Query<'a>]) -> Self {
        let mut codes = QueryCodes {
            words: coded.codes.words,
            codes: Vec::new(),
            sums: Vec::new(),
        };
        let mut ready = Vec::new();
        for query in queries {
            if query.filter.candidates().is_none()
                && let Some(vectors) = &query.coded
            {
                codes.codes.extend_from_slice(&vectors.codes.codes);
                codes.sums.extend_from_slice(&vectors.codes.sums);
                ready.push((query, vectors));
            }
        }
        Block {
            queries: ready,
            codes,
        }
    }
}

impl MaxSimIndex {
    /// The documents of a range that may be among the best `k`, for each query of a block.
    pub(super) fn first_pass(
        &self,
        coded: &Coded,
        block: &Block<'_, '_>,
        k: usize,
        documents: Range<usize>,
    ) -> Vec<Survivors> {
        let none = |_: &_| Survivors::new(k, usize::MAX, f64::NEG_INFINITY);
        let mut survivors: Vec<Survivors> = block.queries.iter().map(none).collect();
        let mut dots = no_dots(block.codes.sums.len());
        let mut greatest: Vec<Greatest> = vec![[0.0; ROWS]; dots.len()];
        // Documents that follow one another may share a group.
        let mut at_hand = None;
        for document in documents {
            let rows = self.offsets[document]..self.offsets[document + 1];
            if rows.is_empty() {
                continue;
            }
            greatest.fill([f32::NEG_INFINITY; ROWS]);
            for group in groups(&rows) {
                if at_hand != Some(group) {
                    (self.kernels.code_dots)(coded.codes.lines(group), &block.codes, &mut dots);
                    at_hand = Some(group);
                }
                (self.raise)(&scales(coded, group, &rows), &dots, &mut greatest);
            }
            let mut rest = greatest.as_slice();
            for ((query, vectors), survivors) in block.queries.iter().zip(&mut survivors) {
                let (own, others) = rest.split_at(vectors.vectors.len());
                rest = others;
                let bounds = vectors.around(coded, document, own);
                if survivors.may_hold(bounds.1) && !query.filter.excludes(document as u32) {
                    survivors.add(document as u32, bounds);
                }
            }
        }
        survivors
    }
}

/// The groups of codes that hold some rows; there is at least one row.
pub(super) fn groups(rows: &Range<usize>) -> Range<usize> {
    rows.start / ROWS..rows.end.div_ceil(ROWS)
}

/// The scales of a group's rows; those of another document are NaN, which is never the greatest.
pub(super) fn scales(coded: &Coded, group: usize, rows: &Range<usize>) -> [f32; ROWS] {
    let mut scales = coded.codes.bounds[group].scale;
    let first = group * ROWS;
    if first < rows.start || first + ROWS > rows.end {
        for (lane, scale) in scales.iter_mut().enumerate() {
            if !rows.contains(&(first + lane)) {
                *scale = f32::NAN;
            }
        }
    }
    scales
}
