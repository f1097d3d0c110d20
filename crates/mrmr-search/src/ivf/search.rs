//! Queries through their lists: list after list, so that queries share the loading of its rows.

use std::ops::Range;

use rayon::prelude::*;

use super::index::IvfIndex;
use super::lists::Coded;
use crate::exact::coded_query::{CodedQuery, no_codes, no_dots};
use crate::exact::codes::NO_ROW;
use crate::exact::survivors::Survivors;
use crate::filter::Filter;
use crate::kernels::{Apart, QueryCodes, ROWS, Reach};
use crate::top_k::Neighbour;
use crate::vectors::Vectors;

/// Queries that go through the lists together.
const BLOCK: usize = 1024;
/// The fewest pairs of a list and a query that are worth a thread.
const PAIRS: usize = 64;

/// A query on its way through its lists.
struct Query<'a> {
    vector: &'a [f32],
    filter: &'a Filter,
    /// None where the filter names its candidates.
    lists: Vec<u32>,
    /// The query in 8 bits; where it has none, every row of its lists is scored.
    code: Option<(CodedQuery, QueryCodes)>,
}

impl IvfIndex {
    /// The search itself; its arguments are checked.
    pub(super) fn search_blocks(
        &self,
        queries: &Vectors,
        k: usize,
        filters: &[Filter],
    ) -> Vec<Vec<Neighbour>> {
        let all = Filter::default();
        let mut found = Vec::with_capacity(queries.len());
        for first in (0..queries.len()).step_by(BLOCK) {
            let block = (first..queries.len().min(first + BLOCK)).into_par_iter();
            let ready = block.map(|number| {
                let filter = filters.get(number).unwrap_or(&all);
                self.ready(queries.row(number), filter, k)
            });
            let ready: Vec<Query<'_>> = ready.collect();
            let survivors = match &self.lists.coded {
                Some(coded) => self.survivors(coded, &ready, k),
                None => none(&ready, k),
            };
            let pairs = ready.par_iter().zip(survivors);
            found.par_extend(pairs.map(|(query, survivors)| self.score(query, survivors, k)));
        }
        found
    }

    fn ready<'a>(&self, vector: &'a [f32], filter: &'a Filter, k: usize) -> Query<'a> {
        let mut query = Query {
            vector,
            filter,
            lists: Vec::new(),
            code: None,
        };
        if filter.candidates().is_some() {
            return query;
        }
        match &self.lists.coded {
            Some(coded) => {
                let mut codes = no_codes(&coded.codes, 1);
                let code = CodedQuery::new(self.rows.metric, vector, &coded.codes, &mut codes);
                query.code = code.map(|code| (code, codes));
                query.lists = self.probes(coded, vector, query.code.as_ref(), k, filter);
            }
            None => query.lists = vec![0],
        }
        query
    }

    /// For each query the rows of its lists that may be among the best `k`.
    fn survivors(&self, coded: &Coded, queries: &[Query<'_>], k: usize) -> Vec<Survivors> {
        let numbered = (0u32..).zip(queries);
        let coded_queries = numbered.filter(|(_, query)| query.code.is_some());
        let mut pairs: Vec<(u32, u32)> = coded_queries
            .flat_map(|(number, query)| query.lists.iter().map(move |list| (*list, number)))
            .collect();
        pairs.sort_unstable();
        let threads = rayon::current_num_threads();
        let shards = threads.min(pairs.len().div_ceil(PAIRS)).max(1);
        let parts: Vec<Vec<Survivors>> = in_shards(&pairs, shards)
            .into_par_iter()
            .map(|range| self.pass(coded, queries, &pairs[range], k))
            .collect();
        let joined = parts.into_iter().reduce(|left, right| {
            let both = left.into_iter().zip(right);
            both.map(|(left, right)| left.join(right)).collect()
        });
        joined.unwrap_or_default()
    }

    /// Some lists, with the queries that look through each.
    fn pass(
        &self,
        coded: &Coded,
        queries: &[Query<'_>],
        pairs: &[(u32, u32)],
        k: usize,
    ) -> Vec<Survivors> {
        let apart = Apart {
            rows: &[],
            queries: &[],
        };
        let mut survivors = none(queries, k);
        let mut together = no_codes(&coded.codes, 1);
        for pairs in pairs.chunk_by(|left, right| left.0 == right.0) {
            together.codes.clear();
            together.sums.clear();
            let mut reaches: Vec<Reach> = Vec::with_capacity(pairs.len());
            let mut numbers = Vec::with_capacity(pairs.len());
            for (_, number) in pairs {
                let number = *number as usize;
                if let Some((code, codes)) = &queries[number].code {
                    together.codes.extend(&codes.codes);
                    together.sums.extend(&codes.sums);
                    reaches.push(code.reach(survivors[number].threshold()));
                    numbers.push((number, code));
                }
            }
            let mut dots = no_dots(numbers.len());
            let mut masks = vec![0u16; numbers.len()];
            let list = pairs[0].0 as usize;
            for group in coded.groups[list]..coded.groups[list + 1] {
                let rows = &coded.codes.bounds[group];
                let places = &coded.places[group * ROWS..(group + 1) * ROWS];
                (self.kernels.code_dots)(coded.codes.lines(group), &together, &mut dots);
                (self.kernels.reaching)(rows, apart, &reaches, &dots, &mut masks);
                for (place, mask) in masks.iter().enumerate().filter(|(_, mask)| **mask != 0) {
                    let (number, code) = numbers[place];
                    let kept = &mut survivors[number];
                    let mut mask = *mask;
                    while mask != 0 {
                        let lane = mask.trailing_zeros() as usize;
                        mask &= mask - 1;
                        let row = places[lane];
                        if row == NO_ROW || queries[number].filter.excludes(row) {
                            continue;
                        }
                        let bounds = code.around(rows, &[], lane, dots[place][lane]);
                        if kept.may_hold(bounds.1) {
                            kept.add(row, bounds);
                        }
                    }
                    reaches[place] = code.reach(kept.threshold());
                }
            }
        }
        survivors
    }

    /// What is left, in 64 bits.
    fn score(&self, query: &Query<'_>, survivors: Survivors, k: usize) -> Vec<Neighbour> {
        let vector = query.vector;
        match (query.filter.candidates(), &query.code) {
            (Some(candidates), _) => self.rows.rescore(vector, k, candidates.iter().copied()),
            (None, Some(_)) => self.rows.rescore(vector, k, survivors.into_rows()),
            (None, None) => {
                let lists = query.lists.iter();
                let rows = lists.flat_map(|list| self.lists.rows.of(*list as usize));
                let allowed = rows.copied().filter(|row| !query.filter.excludes(*row));
                self.rows.rescore(vector, k, allowed)
            }
        }
    }
}

/// No survivors yet; all that come are scored, however many.
fn none(queries: &[Query<'_>], k: usize) -> Vec<Survivors> {
    let none = |_| Survivors::new(k, usize::MAX, f64::NEG_INFINITY);
    queries.iter().map(none).collect()
}

/// Ranges of about one size that end where a list ends.
fn in_shards(pairs: &[(u32, u32)], shards: usize) -> Vec<Range<usize>> {
    let mut start = 0;
    let ends = (1..=shards).map(|shard| {
        let mut end = (pairs.len() * shard / shards).max(start);
        while end > 0 && end < pairs.len() && pairs[end].0 == pairs[end - 1].0 {
            end += 1;
        }
        std::mem::replace(&mut start, end)..end
    });
    ends.collect()
}
