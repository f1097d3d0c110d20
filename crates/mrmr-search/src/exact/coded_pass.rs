//! The first pass in 8 bits.

use std::ops::Range;

use super::coded_query::{CodedQuery, no_dots};
use super::codes::Codes;
use super::index::ExactIndex;
use super::search::Query;
use super::survivors::Survivors;
use crate::index::Index;
use crate::kernels::{Apart, QueryCodes, ROWS, Reach};

impl ExactIndex {
    /// How many rows may survive this pass; past that the one in 32 bits takes over.
    pub(super) fn limit(&self, k: usize) -> usize {
        (self.len() / 20).max(k.saturating_mul(2)).max(256)
    }

    /// The rows of a range of groups that may be among the best `k`, for each query, or given up
    /// where there are more than the limit.
    pub(super) fn coded_pass(
        &self,
        codes: &Codes,
        queries: &[(&Query<'_>, CodedQuery)],
        coded: &QueryCodes,
        k: usize,
        groups: Range<usize>,
    ) -> Vec<Survivors> {
        let none = |query: &(&Query<'_>, CodedQuery)| {
            Survivors::new(k, self.limit(k), query.1.threshold(query.0.floor))
        };
        let mut survivors: Vec<Survivors> = queries.iter().map(none).collect();
        let reach =
            |query: &(&Query<'_>, CodedQuery)| query.1.reach(query.1.threshold(query.0.floor));
        let mut reaches: Vec<Reach> = queries.iter().map(reach).collect();
        let weights: Vec<f32> = queries
            .iter()
            .flat_map(|query| query.1.weights().iter().copied())
            .collect();
        let mut dots = no_dots(queries.len());
        let mut masks = vec![0u16; queries.len()];
        for group in groups {
            let rows = &codes.bounds[group];
            (self.kernels.code_dots)(codes.lines(group), coded, &mut dots);
            let apart = Apart {
                rows: codes.apart_rows(group),
                queries: &weights,
            };
            (self.kernels.reaching)(rows, apart, &reaches, &dots, &mut masks);
            for (number, mask) in masks.iter().enumerate().filter(|(_, mask)| **mask != 0) {
                let (query, coded) = &queries[number];
                let survivors = &mut survivors[number];
                if survivors.are_given_up() {
                    continue;
                }
                let mut mask = *mask;
                while mask != 0 {
                    let lane = mask.trailing_zeros() as usize;
                    mask &= mask - 1;
                    let row = group * ROWS + lane;
                    if row >= self.len() || query.filter.excludes(row as u32) {
                        continue;
                    }
                    let bounds = coded.around(rows, apart.rows, lane, dots[number][lane]);
                    if survivors.may_hold(bounds.1) {
                        survivors.add(row as u32, bounds);
                    }
                }
                let threshold = match survivors.are_given_up() {
                    true => f64::INFINITY,
                    false => survivors.threshold(),
                };
                reaches[number] = coded.reach(threshold);
            }
        }
        survivors
    }
}
