//! Queries through the documents: blocks of queries, shards of documents, then the survivors in 64 bits.

use std::ops::Range;

use rayon::prelude::*;

use super::first_pass::Block;
use super::max_sim::MaxSimIndex;
use super::multi_vectors::MultiVectors;
use super::query::Query;
use crate::exact::survivors::Survivors;
use crate::filter::Filter;
use crate::top_k::Neighbour;

/// Vectors of queries that go through the documents together: their codes stay in the cache.
const BLOCK: usize = 128;
/// Shards a thread, so that long documents do not leave one alone at the end.
const SHARDS: usize = 4;

impl MaxSimIndex {
    /// The search itself; its arguments are checked.
    pub(super) fn search_blocks(
        &self,
        queries: &MultiVectors,
        k: usize,
        filters: &[Filter],
    ) -> Vec<Vec<Neighbour>> {
        let all = Filter::default();
        let ready = (0..queries.len()).into_par_iter().map(|number| {
            let filter = filters.get(number).unwrap_or(&all);
            let (metric, coded) = (self.rows.metric, self.coded.as_ref());
            Query::new(
                metric,
                coded,
                queries.item(number),
                queries.dimension(),
                filter,
            )
        });
        let ready: Vec<Query<'_>> = ready.collect();
        let blocks = blocks(queries.offsets());
        let shards = (SHARDS * rayon::current_num_threads()).div_ceil(blocks.len().max(1));
        let found = blocks.into_par_iter();
        found
            .flat_map(|block| self.search_block(&ready[block], k, shards))
            .collect()
    }

    fn search_block(&self, queries: &[Query<'_>], k: usize, shards: usize) -> Vec<Vec<Neighbour>> {
        let mut survivors: Vec<Option<Survivors>> = queries.iter().map(|_| None).collect();
        if let Some(coded) = &self.coded {
            let block = Block::new(coded, queries);
            if !block.queries.is_empty() {
                let documents = self.offsets.len() - 1;
                let size = documents.div_ceil(shards).max(1);
                let mut found = in_shards(documents, size, |documents| {
                    self.first_pass(coded, &block, k, documents)
                })
                .into_iter();
                for (query, survivors) in queries.iter().zip(&mut survivors) {
                    if query.coded.is_some() && query.filter.candidates().is_none() {
                        *survivors = found.next();
                    }
                }
            }
        }
        let pairs = queries.par_iter().zip(survivors);
        pairs
            .map(|(query, survivors)| self.rescore(query, survivors, k))
            .collect()
    }
}

/// Ranges of queries with about [`BLOCK`] vectors each.
fn blocks(offsets: &[usize]) -> Vec<Range<usize>> {
    let (mut blocks, mut start) = (Vec::new(), 0);
    for end in 1..offsets.len() {
        let is_last = end + 1 == offsets.len();
        if is_last || offsets[end + 1] - offsets[start] > BLOCK {
            blocks.push(start..end);
            start = end;
        }
    }
    blocks
}

/// The survivors of all shards of so many documents, for each query.
fn in_shards(
    documents: usize,
    size: usize,
    pass: impl Fn(Range<usize>) -> Vec<Survivors> + Sync,
) -> Vec<Survivors> {
    let parts: Vec<Vec<Survivors>> = (0..documents.div_ceil(size).max(1))
        .into_par_iter()
        .map(|shard| pass(shard * size..documents.min((shard + 1) * size)))
        .collect();
    let joined = parts.into_iter().reduce(|left, right| {
        let pairs = left.into_iter().zip(right);
        pairs.map(|(left, right)| left.join(right)).collect()
    });
    joined.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_query_is_in_one_block_however_long_it_is() {
        assert_eq!(blocks(&[0]), []);
        assert_eq!(blocks(&[0, 100, 128, 129, 129]), [0..2, 2..4]);
        assert_eq!(blocks(&[0, 0, 900, 901, 902]), [0..1, 1..2, 2..4]);
    }
}
