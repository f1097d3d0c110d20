//! Queries through the rows: blocks of queries, shards of rows, then the survivors in 64 bits.

use std::ops::Range;

use rayon::prelude::*;

use super::bound::unit;
use super::coded_query::{CodedQuery, no_codes};
use super::index::ExactIndex;
use super::survivors::Survivors;
use crate::filter::Filter;
use crate::index::Index;
use crate::kernels::ROWS;
use crate::top_k::Neighbour;
use crate::vectors::Vectors;

/// Queries that go through the rows together.
const BLOCK: usize = 64;

pub(super) struct Query<'a> {
    pub(super) vector: &'a [f32],
    pub(super) unit: Vec<f32>,
    pub(super) norm: f64,
    pub(super) filter: &'a Filter,
    /// Rows that score less are not wanted.
    pub(super) floor: f64,
}

impl<'a> Query<'a> {
    fn new(vector: &'a [f32], filter: &'a Filter, floor: f64) -> Self {
        let (unit, norm) = unit(vector);
        Query {
            vector,
            unit,
            norm,
            filter,
            floor,
        }
    }
}

impl ExactIndex {
    /// The search itself; its arguments are checked. Of rows that score less than a query's floor, where there
    /// are floors, any may be missing.
    pub(super) fn search_above(
        &self,
        queries: &Vectors,
        k: usize,
        filters: &[Filter],
        floors: &[f64],
    ) -> Vec<Vec<Neighbour>> {
        let all = Filter::default();
        let ready = queries.rows().enumerate().map(|(number, vector)| {
            let floor = floors.get(number).copied().unwrap_or(f64::NEG_INFINITY);
            Query::new(vector, filters.get(number).unwrap_or(&all), floor)
        });
        let ready: Vec<Query<'_>> = ready.collect();
        let blocks = ready.len().div_ceil(BLOCK).max(1);
        let shards = rayon::current_num_threads().div_ceil(blocks);
        let found = ready.par_chunks(BLOCK);
        found
            .flat_map(|block| self.search_block(block, k, shards))
            .collect()
    }

    /// Searches a block of queries, splitting the rows into so many shards.
    fn search_block(&self, queries: &[Query<'_>], k: usize, shards: usize) -> Vec<Vec<Neighbour>> {
        let mut survivors = self.survivors_by_codes(queries, k, shards);
        let left: Vec<usize> = (0..queries.len())
            .filter(|number| survivors[*number].is_none())
            .filter(|number| queries[*number].filter.candidates().is_none())
            .collect();
        if !left.is_empty() {
            let queries: Vec<&Query<'_>> = left.iter().map(|number| &queries[*number]).collect();
            let groups = self.len().div_ceil(ROWS);
            let size = groups.div_ceil(shards).max(1);
            let found = in_shards(groups, size, |groups| self.float_pass(&queries, k, groups));
            for (number, found) in left.iter().zip(found) {
                survivors[*number] = Some(found);
            }
        }
        let pairs = queries.par_iter().zip(survivors);
        pairs
            .map(
                |(query, survivors)| match (query.filter.candidates(), survivors) {
                    (Some(candidates), _) => {
                        self.rows
                            .rescore(query.vector, k, candidates.iter().copied())
                    }
                    (None, Some(survivors)) => {
                        self.rows.rescore(query.vector, k, survivors.into_rows())
                    }
                    (None, None) => Vec::new(),
                },
            )
            .collect()
    }

    /// For each query the survivors of the pass in 8 bits; none where there are too many, or the query has
    /// no codes or names its candidates.
    fn survivors_by_codes(
        &self,
        queries: &[Query<'_>],
        k: usize,
        shards: usize,
    ) -> Vec<Option<Survivors>> {
        let mut survivors: Vec<Option<Survivors>> = queries.iter().map(|_| None).collect();
        let Some(codes) = &self.codes else {
            return survivors;
        };
        let mut coded = no_codes(codes, queries.len());
        let (mut numbers, mut ready) = (Vec::new(), Vec::new());
        for (number, query) in queries.iter().enumerate() {
            if query.filter.candidates().is_none()
                && let Some(code) =
                    CodedQuery::new(self.rows.metric, query.vector, codes, &mut coded)
            {
                numbers.push(number);
                ready.push((query, code));
            }
        }
        if ready.is_empty() {
            return survivors;
        }
        let groups = self.len().div_ceil(ROWS);
        let found = in_shards(groups, groups.div_ceil(shards).max(1), |groups| {
            self.coded_pass(codes, &ready, &coded, k, groups)
        });
        for (number, found) in numbers.into_iter().zip(found) {
            survivors[number] = found.within_limit();
        }
        survivors
    }
}

/// The survivors of all shards of so many groups, for each query.
fn in_shards(
    all: usize,
    size: usize,
    pass: impl Fn(Range<usize>) -> Vec<Survivors> + Sync,
) -> Vec<Survivors> {
    let parts: Vec<Vec<Survivors>> = (0..all.div_ceil(size).max(1))
        .into_par_iter()
        .map(|shard| pass(shard * size..all.min((shard + 1) * size)))
        .collect();
    let joined = parts.into_iter().reduce(|left, right| {
        let pairs = left.into_iter().zip(right);
        pairs.map(|(left, right)| left.join(right)).collect()
    });
    joined.unwrap_or_default()
}
