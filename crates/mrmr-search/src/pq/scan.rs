//! The best rows by their codes.

use std::ops::Range;

use super::index::PqIndex;
use crate::filter::Filter;
use crate::kernels::segments::{BLOCK, Bytes};

/// Blocks that some queries go through before the next blocks: their codes stay in the cache.
const TOGETHER: usize = 8;

/// The rows of least cost, equal costs by the smaller row.
pub(super) struct Shortlist {
    size: usize,
    /// Cost and row in one number, for their order.
    kept: Vec<u64>,
    /// Rows that cost as much or more need not be kept, if they come later.
    limit: u32,
}

impl Shortlist {
    pub(super) fn new(size: usize) -> Self {
        Shortlist {
            size,
            kept: Vec::new(),
            limit: u32::MAX,
        }
    }

    fn offer(&mut self, row: u32, cost: u32) {
        self.kept.push(u64::from(cost) << 32 | u64::from(row));
        if self.kept.len() >= self.size.saturating_mul(2).max(64) {
            self.prune();
        }
    }

    fn prune(&mut self) {
        if self.kept.len() > self.size {
            let (_, last, _) = self.kept.select_nth_unstable(self.size - 1);
            self.limit = (*last >> 32) as u32;
            self.kept.truncate(self.size);
        }
    }

    /// The best of both.
    pub(super) fn join(mut self, other: Shortlist) -> Shortlist {
        self.kept.extend(other.kept);
        self.prune();
        self
    }

    /// The rows, in no order.
    pub(super) fn into_rows(mut self) -> impl Iterator<Item = u32> {
        self.prune();
        self.kept.into_iter().map(|kept| kept as u32)
    }
}

/// What a query is looked up in.
pub(super) struct Scanned<'a> {
    pub(super) costs: Vec<Bytes>,
    pub(super) filter: &'a Filter,
}

impl PqIndex {
    /// For each query the best `size` rows of some blocks.
    pub(super) fn scan(
        &self,
        queries: &[Scanned<'_>],
        size: usize,
        blocks: Range<usize>,
    ) -> Vec<Shortlist> {
        let mut lists: Vec<Shortlist> = queries.iter().map(|_| Shortlist::new(size)).collect();
        let segments = self.codebooks.segments.len();
        let mut sums = [0; BLOCK];
        for first in blocks.clone().step_by(TOGETHER) {
            for (query, list) in queries.iter().zip(&mut lists) {
                for block in first..blocks.end.min(first + TOGETHER) {
                    let codes = &self.codes[block * segments..(block + 1) * segments];
                    (self.kernels.costs)(codes, &query.costs, &mut sums);
                    let start = block * BLOCK;
                    let rows = BLOCK.min(self.rows.len() - start);
                    for (part, sums) in sums[..rows].chunks(32).enumerate() {
                        let least = sums.iter().copied().fold(u16::MAX, u16::min);
                        if u32::from(least) >= list.limit {
                            continue;
                        }
                        for (place, sum) in sums.iter().enumerate() {
                            let row = (start + part * 32 + place) as u32;
                            if u32::from(*sum) < list.limit && !query.filter.excludes(row) {
                                list.offer(row, u32::from(*sum));
                            }
                        }
                    }
                }
            }
        }
        lists
    }
}
