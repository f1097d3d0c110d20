//! Queries through the codes, then the best rows by their scores.

use rayon::prelude::*;

use super::index::PqIndex;
use super::scan::{Scanned, Shortlist};
use super::table::costs;
use crate::filter::Filter;
use crate::kernels::segments::BLOCK;
use crate::metric::{Metric, square};
use crate::top_k::{Neighbour, TopK};
use crate::vectors::Vectors;

/// Queries that go through the codes together.
const QUERIES: usize = 8;

impl PqIndex {
    /// The search itself; its arguments are checked.
    pub(super) fn search_blocks(
        &self,
        queries: &Vectors,
        k: usize,
        filters: &[Filter],
    ) -> Vec<Vec<Neighbour>> {
        let all = Filter::default();
        let numbers: Vec<usize> = (0..queries.len()).collect();
        let groups = numbers.len().div_ceil(QUERIES).max(1);
        let shards = rayon::current_num_threads().div_ceil(groups);
        let found = numbers.par_chunks(QUERIES).flat_map_iter(|numbers| {
            let queries: Vec<(&[f32], &Filter)> = numbers
                .iter()
                .map(|number| (queries.row(*number), filters.get(*number).unwrap_or(&all)))
                .collect();
            self.search_group(&queries, k, shards)
        });
        found.collect()
    }

    fn search_group(
        &self,
        queries: &[(&[f32], &Filter)],
        k: usize,
        shards: usize,
    ) -> Vec<Vec<Neighbour>> {
        // Costs are rounded, so without scores a few more than k are ranked by what the codes stand for.
        let size = match self.params.rescored {
            0 => k.saturating_mul(2).max(64),
            rescored => rescored.max(k),
        };
        let size = size.min(self.rows.len());
        let open = queries
            .iter()
            .filter(|(_, filter)| filter.candidates().is_none());
        let scanned: Vec<Scanned<'_>> = open
            .map(|(query, filter)| Scanned {
                costs: costs(self.rows.metric, &self.codebooks, query, self.kernels),
                filter,
            })
            .collect();
        let blocks = self.rows.len().div_ceil(BLOCK);
        let part = blocks.div_ceil(shards).max(1);
        let parts: Vec<Vec<Shortlist>> = (0..blocks.div_ceil(part))
            .into_par_iter()
            .map(|shard| {
                let range = shard * part..blocks.min((shard + 1) * part);
                self.scan(&scanned, size, range)
            })
            .collect();
        let joined = parts.into_iter().reduce(|left, right| {
            let both = left.into_iter().zip(right);
            both.map(|(left, right)| left.join(right)).collect()
        });
        let mut shortlists = joined.unwrap_or_default().into_iter();
        let scored = queries
            .iter()
            .map(|(query, filter)| match filter.candidates() {
                Some(candidates) => self.rows.rescore(query, k, candidates.iter().copied()),
                None => match shortlists.next() {
                    Some(list) => self.score(query, filter, k, list),
                    None => Vec::new(),
                },
            });
        scored.collect()
    }

    fn score(&self, query: &[f32], filter: &Filter, k: usize, list: Shortlist) -> Vec<Neighbour> {
        if self.params.rescored == 0 {
            let mut top = TopK::new(k, &self.rows.precedence);
            let mut vector = vec![0.0; query.len()];
            let query_square = square(query);
            for row in list.into_rows() {
                self.decode(row, &mut vector);
                let score = match self.rows.metric {
                    // Of the angle to a row of norm 1: the codes are of such.
                    Metric::Cosine if query_square == 0.0 => 0.0,
                    Metric::Cosine => Metric::Dot.score(query, &vector) / query_square.sqrt(),
                    metric => metric.score(query, &vector),
                };
                top.offer(row, score);
            }
            return top.into_sorted();
        }
        let mut rows: Vec<u32> = list.into_rows().collect();
        rows.extend(&self.extreme);
        rows.sort_unstable();
        rows.dedup();
        let allowed = rows.into_iter().filter(|row| !filter.excludes(*row));
        self.rows.rescore(query, k, allowed)
    }

    /// What the code of a row stands for.
    fn decode(&self, row: u32, vector: &mut [f32]) {
        let (block, place) = (row as usize / BLOCK, row as usize % BLOCK);
        let segments = self.codebooks.segments.len();
        for (segment, fine) in self.codebooks.segments.iter().enumerate() {
            let code = usize::from(self.codes[block * segments + segment][place]);
            for (column, numbers) in self.codebooks.columns(segment).zip(&fine.columns) {
                vector[column] = self.codebooks.mean[column] + numbers[code];
            }
        }
    }
}
