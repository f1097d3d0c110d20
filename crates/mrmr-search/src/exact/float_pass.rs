//! The first pass in 32 bits.

use std::ops::Range;

use super::index::ExactIndex;
use super::search::Query;
use super::survivors::Survivors;
use crate::index::Index;
use crate::kernels::GROUP;

/// Rows that stay in the cache while some queries go over them, in numbers.
const TILE: usize = 1 << 15;

impl ExactIndex {
    /// The rows of a range that may be among the best `k`, for each query.
    pub(super) fn float_pass(
        &self,
        queries: &[&Query<'_>],
        k: usize,
        rows: Range<usize>,
    ) -> Vec<Survivors> {
        let none = |query: &&Query<'_>| {
            Survivors::new(k, usize::MAX, self.bound.threshold(query.norm, query.floor))
        };
        let mut survivors: Vec<Survivors> = queries.iter().map(none).collect();
        let tile = (TILE / self.dimension()).max(1);
        let mut of_group = vec![[0.0; GROUP]; tile];
        let mut of_one = vec![[0.0; 1]; tile];
        for start in rows.clone().step_by(tile) {
            let rows = start..rows.end.min(start + tile);
            let groups = queries.chunks(GROUP).zip(survivors.chunks_mut(GROUP));
            for (queries, survivors) in groups {
                if let Ok(group) = <&[&Query<'_>; GROUP]>::try_from(queries) {
                    let units = group.each_ref().map(|query| query.unit.as_slice());
                    (self.kernels.dots_of_group)(units, self.numbers(&rows), &mut of_group);
                    self.keep(group, survivors, &rows, &of_group);
                } else {
                    for (query, survivors) in queries.chunks(1).zip(survivors.chunks_mut(1)) {
                        let unit = [query[0].unit.as_slice()];
                        (self.kernels.dots_of_one)(unit, self.numbers(&rows), &mut of_one);
                        self.keep(&[query[0]], survivors, &rows, &of_one);
                    }
                }
            }
        }
        survivors
    }

    fn numbers(&self, rows: &Range<usize>) -> &[f32] {
        let dimension = self.dimension();
        &self.rows.vectors.as_slice()[rows.start * dimension..rows.end * dimension]
    }

    fn keep<const N: usize>(
        &self,
        queries: &[&Query<'_>; N],
        survivors: &mut [Survivors],
        rows: &Range<usize>,
        dots: &[[f32; N]],
    ) {
        for (row, dots) in rows.clone().zip(dots) {
            for ((query, survivors), p) in queries.iter().zip(&mut *survivors).zip(dots) {
                let bounds = self.bound.around(query.norm, row, *p);
                let row = row as u32;
                if survivors.may_hold(bounds.1) && !query.filter.excludes(row) {
                    survivors.add(row, bounds);
                }
            }
        }
    }
}
