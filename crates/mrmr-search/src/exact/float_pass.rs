//! The first pass in 32 bits.

use std::ops::Range;

use super::index::ExactIndex;
use super::search::Query;
use super::survivors::Survivors;
use crate::index::Index;
use crate::kernels::{FloatReach, ROWS};

impl ExactIndex {
    /// The rows of a range of groups that may be among the best `k`, for each query.
    pub(super) fn float_pass(
        &self,
        queries: &[&Query<'_>],
        k: usize,
        groups: Range<usize>,
    ) -> Vec<Survivors> {
        let threshold = |query: &Query<'_>| self.bound.threshold(query.norm, query.floor);
        let none = |query: &&Query<'_>| Survivors::new(k, usize::MAX, threshold(query));
        let mut survivors: Vec<Survivors> = queries.iter().map(none).collect();
        let reach = |query: &&Query<'_>| self.bound.reach(query.norm, threshold(query));
        let mut reaches: Vec<FloatReach> = queries.iter().map(reach).collect();
        let units: Vec<&[f32]> = queries.iter().map(|query| query.unit.as_slice()).collect();
        let mut dots = vec![[0.0; ROWS]; queries.len()];
        let mut masks = vec![0u16; queries.len()];
        for group in groups {
            let first = group * ROWS;
            let rows = first..self.len().min(first + ROWS);
            (self.kernels.float_dots)(&units, self.numbers(&rows), &mut dots);
            let norms = self.bound.group(group);
            (self.kernels.float_reaching)(norms, &reaches, &dots, &mut masks);
            for (number, mask) in masks.iter().enumerate().filter(|(_, mask)| **mask != 0) {
                let (query, survivors) = (queries[number], &mut survivors[number]);
                let before = survivors.threshold();
                let mut mask = *mask;
                while mask != 0 {
                    let lane = mask.trailing_zeros() as usize;
                    mask &= mask - 1;
                    let row = first + lane;
                    if row >= rows.end || query.filter.excludes(row as u32) {
                        continue;
                    }
                    let bounds = self.bound.around(query.norm, row, dots[number][lane]);
                    if survivors.may_hold(bounds.1) {
                        survivors.add(row as u32, bounds);
                    }
                }
                if survivors.threshold() > before {
                    reaches[number] = self.bound.reach(query.norm, survivors.threshold());
                }
            }
        }
        survivors
    }

    fn numbers(&self, rows: &Range<usize>) -> &[f32] {
        let dimension = self.dimension();
        &self.rows.vectors.as_slice()[rows.start * dimension..rows.end * dimension]
    }
}
