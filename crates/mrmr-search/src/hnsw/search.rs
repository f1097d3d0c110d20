//! Queries to answers: a walk, then the rows it found in 64 bits.

use rayon::prelude::*;

use super::index::HnswIndex;
use super::points::Origin;
use super::scratch::Scratch;
use super::walk::Map;
use crate::filter::Filter;
use crate::kernels::{STRIP, Strip, prefetch};
use crate::top_k::Neighbour;
use crate::vectors::Vectors;

/// Queries that one thread takes at a time.
const SHARE: usize = 8;
/// Rows whose numbers are asked for before their turn.
const AHEAD: usize = 2;
/// A walk is given up for the scores of all rows where those are at most so many for each it would keep.
const FEW: usize = 2;

impl HnswIndex {
    /// The search itself; its arguments are checked.
    pub(super) fn search_all(
        &self,
        queries: &Vectors,
        k: usize,
        filters: &[Filter],
    ) -> Vec<Vec<Neighbour>> {
        let all = Filter::default();
        let numbers = (0..queries.len()).into_par_iter().with_min_len(SHARE);
        numbers
            .map_init(
                || self.scratches.lend(),
                |lent, number| {
                    let filter = filters.get(number).unwrap_or(&all);
                    self.answer(queries.row(number), k, filter, &mut lent.scratch)
                },
            )
            .collect()
    }

    fn answer(
        &self,
        query: &[f32],
        k: usize,
        filter: &Filter,
        scratch: &mut Scratch,
    ) -> Vec<Neighbour> {
        if let Some(candidates) = filter.candidates() {
            return self.rows.rescore(query, k, candidates.iter().copied());
        }
        let excluded = filter.excluded();
        let excluded = excluded.partition_point(|row| (*row as usize) < self.rows.len());
        let allowed = self.rows.len() - excluded;
        let effort = k.max(self.params.ef);
        if !self.worth_walking(effort, allowed) || !self.find(query, effort, filter, scratch) {
            return self.exact(query, k, filter);
        }
        if scratch.rows.len() < k.min(allowed) {
            return self.exact(query, k, filter);
        }
        let rows = &scratch.rows;
        let ahead = |number: usize| {
            if let Some(row) = rows.get(number + AHEAD) {
                prefetch(self.rows.vectors.row(*row as usize));
            }
        };
        let rows = rows.iter().enumerate();
        self.rows.rescore(
            query,
            k,
            rows.inspect(|(i, _)| ahead(*i)).map(|(_, row)| *row),
        )
    }

    /// Whether a walk is less work than the scores of all rows that are allowed: the more are excluded, the
    /// more of them it passes.
    fn worth_walking(&self, effort: usize, allowed: usize) -> bool {
        let scored = (allowed as u128) * (allowed as u128);
        scored > (FEW as u128) * (effort as u128) * (self.rows.len() as u128)
    }

    fn exact(&self, query: &[f32], k: usize, filter: &Filter) -> Vec<Neighbour> {
        let rows = 0..self.rows.len() as u32;
        self.rows
            .rescore(query, k, rows.filter(|row| !filter.excludes(*row)))
    }

    /// Collects the rows that a walk with some effort finds; says whether the query leads anywhere.
    pub(super) fn find(
        &self,
        query: &[f32],
        effort: usize,
        filter: &Filter,
        scratch: &mut Scratch,
    ) -> bool {
        let mut strips = std::mem::take(&mut scratch.strips);
        strips.resize(self.points.width, Strip([0; STRIP]));
        let position = self.space.query(query, &mut scratch.numbers, &mut strips);
        if let Some(position) = position {
            let origin = Origin::query(&strips, position);
            let map = Map {
                points: &self.points,
                graph: &self.graph,
                known: self.points.len(),
            };
            map.enter(origin, scratch);
            map.descend(origin, 0, scratch);
            scratch.rows.clear();
            if filter.excluded().is_empty() {
                map.walk(origin, 0, effort, &super::walk::everyone, scratch);
                let rows = scratch.pool.points().flat_map(|at| self.points.rows(at));
                scratch.rows.extend(rows);
            } else {
                let allowed = |row: &&u32| !filter.excludes(**row);
                let counts = |at: u32| self.points.rows(at).iter().any(|row| allowed(&row));
                map.walk(origin, 0, effort, &counts, scratch);
                let rows = scratch.pool.points().flat_map(|at| self.points.rows(at));
                scratch.rows.extend(rows.filter(allowed));
            }
        }
        scratch.strips = strips;
        position.is_some()
    }
}
