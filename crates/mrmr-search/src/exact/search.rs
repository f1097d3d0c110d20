//! Queries through the rows: blocks of queries, tiles of rows, then the survivors in 64 bits.

use std::ops::Range;

use rayon::prelude::*;

use super::bound::unit;
use super::index::ExactIndex;
use super::kernel::{GROUP, dots};
use super::survivors::Survivors;
use crate::filter::Filter;
use crate::index::Index;
use crate::top_k::{Neighbour, TopK};
use crate::vectors::Vectors;

/// Queries that go through the rows together.
const BLOCK: usize = 32;
/// Rows that stay in the cache while a block of queries goes over them, in numbers.
const TILE: usize = 1 << 15;

struct Query<'a> {
    vector: &'a [f32],
    unit: Vec<f32>,
    norm: f64,
    square: f64,
    filter: &'a Filter,
}

impl<'a> Query<'a> {
    fn new(vector: &'a [f32], filter: &'a Filter) -> Self {
        let (unit, norm, square) = unit(vector);
        Query {
            vector,
            unit,
            norm,
            square,
            filter,
        }
    }
}

impl ExactIndex {
    /// The search itself; its arguments are checked.
    pub(super) fn search_blocks(
        &self,
        queries: &Vectors,
        k: usize,
        filters: &[Filter],
    ) -> Vec<Vec<Neighbour>> {
        let all = Filter::default();
        let ready = queries
            .rows()
            .enumerate()
            .map(|(number, vector)| Query::new(vector, filters.get(number).unwrap_or(&all)));
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
        let size = self.len().div_ceil(shards).max(1);
        let parts: Vec<Vec<Survivors>> = (0..shards)
            .into_par_iter()
            .map(|shard| {
                let end = self.len().min((shard + 1) * size);
                self.first_pass(queries, k, end.min(shard * size)..end)
            })
            .collect();
        let joined = parts.into_iter().reduce(|left, right| {
            let pairs = left.into_iter().zip(right);
            pairs.map(|(left, right)| left.join(right)).collect()
        });
        let pairs = queries.par_iter().zip(joined.unwrap_or_default());
        pairs
            .map(|(query, survivors)| match query.filter.candidates() {
                Some(candidates) => self.rescore(query, k, candidates.iter().copied()),
                None => self.rescore(query, k, survivors.into_rows()),
            })
            .collect()
    }

    /// The rows of a range that may be among the best `k`, for each query of a block.
    fn first_pass(&self, queries: &[Query<'_>], k: usize, rows: Range<usize>) -> Vec<Survivors> {
        let mut survivors: Vec<Survivors> = queries.iter().map(|_| Survivors::new(k)).collect();
        let tile = (TILE / self.dimension()).max(1);
        for start in rows.clone().step_by(tile) {
            let rows = start..rows.end.min(start + tile);
            let groups = queries.chunks(GROUP).zip(survivors.chunks_mut(GROUP));
            for (queries, survivors) in groups {
                if let Ok(group) = <&[Query<'_>; GROUP]>::try_from(queries) {
                    let units = group.each_ref().map(|query| query.unit.as_slice());
                    self.scan(queries, units, survivors, rows.clone());
                } else {
                    for (query, survivors) in queries.chunks(1).zip(survivors.chunks_mut(1)) {
                        self.scan(query, [query[0].unit.as_slice()], survivors, rows.clone());
                    }
                }
            }
        }
        survivors
    }

    fn scan<const N: usize>(
        &self,
        queries: &[Query<'_>],
        units: [&[f32]; N],
        survivors: &mut [Survivors],
        rows: Range<usize>,
    ) {
        for row in rows {
            let found = dots(units, self.vectors.row(row));
            for ((query, survivors), p) in queries.iter().zip(&mut *survivors).zip(found) {
                let bounds = self.bound.around(query.norm, row, p);
                let row = row as u32;
                if survivors.may_hold(bounds.1) && !query.filter.excludes(row) {
                    survivors.add(row, bounds);
                }
            }
        }
    }

    fn rescore(
        &self,
        query: &Query<'_>,
        k: usize,
        rows: impl Iterator<Item = u32>,
    ) -> Vec<Neighbour> {
        let mut top = TopK::new(k, &self.precedence);
        for row in rows {
            let vector = self.vectors.row(row as usize);
            let square = self.squares[row as usize];
            let score = self
                .metric
                .score_with_squares(query.vector, vector, query.square, square);
            top.offer(row, score);
        }
        top.into_sorted()
    }
}
