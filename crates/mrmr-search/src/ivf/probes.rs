//! Which lists a query looks through.

use std::cmp::Ordering;

use super::index::IvfIndex;
use super::lists::Coded;
use crate::exact::coded_query::{CodedQuery, no_dots};
use crate::filter::Filter;
use crate::kernels::{QueryCodes, ROWS};

/// How near a query a list is, higher being nearer, and the list.
type Near = (f64, u32);

impl IvfIndex {
    /// The nearest lists with rows, as many as are set, and further ones until they hold `k` rows that the
    /// filter lets through; all where those are not enough.
    pub(super) fn probes(
        &self,
        coded: &Coded,
        query: &[f32],
        code: Option<&(CodedQuery, QueryCodes)>,
        k: usize,
        filter: &Filter,
    ) -> Vec<u32> {
        let mut near = match code {
            Some((query, codes)) => self.by_codes(coded, query, codes),
            None => self.by_scores(coded, query),
        };
        near.retain(|(_, list)| self.lists.size(*list) > 0);
        let probes = self.params.probes.min(near.len());
        if probes < near.len() {
            near.select_nth_unstable_by(probes, order);
        }
        near[..probes].sort_unstable_by(order);
        let excluded = self.excluded_lists(filter);
        let allowed = |near: &Near| self.lists.size(near.1) - count(&excluded, near.1);
        let mut found: usize = near[..probes].iter().map(allowed).sum();
        let mut enough = probes;
        if found < k {
            near[probes..].sort_unstable_by(order);
            while enough < near.len() && found < k {
                found += allowed(&near[enough]);
                enough += 1;
            }
        }
        near[..enough].iter().map(|near| near.1).collect()
    }

    fn by_codes(&self, coded: &Coded, query: &CodedQuery, codes: &QueryCodes) -> Vec<Near> {
        let centroids = &coded.centroids;
        let mut near = Vec::with_capacity(centroids.len());
        let mut dots = no_dots(1);
        for (group, bounds) in centroids.codes.bounds.iter().enumerate() {
            (self.kernels.code_dots)(centroids.codes.lines(group), codes, &mut dots);
            let lists = group * ROWS..centroids.len().min((group + 1) * ROWS);
            for (lane, list) in lists.enumerate() {
                near.push((query.middle(bounds, lane, dots[0][lane]), list as u32));
            }
        }
        near
    }

    /// Where a query has no codes.
    fn by_scores(&self, coded: &Coded, query: &[f32]) -> Vec<Near> {
        let centroids = coded.centroids.vectors.rows();
        let score = |centroid| self.rows.metric.score(query, centroid);
        centroids.map(score).zip(0..).collect()
    }

    /// For each row that is excluded its list, ascending.
    fn excluded_lists(&self, filter: &Filter) -> Vec<u32> {
        let rows = filter.excluded().iter();
        let lists = rows.filter_map(|row| self.lists.list_of.get(*row as usize).copied());
        let mut lists: Vec<u32> = lists.collect();
        lists.sort_unstable();
        lists
    }
}

/// How often a list occurs.
fn count(lists: &[u32], list: u32) -> usize {
    let end = lists.partition_point(|other| *other <= list);
    end - lists.partition_point(|other| *other < list)
}

/// The nearest first, then by number.
fn order(left: &Near, right: &Near) -> Ordering {
    right.0.total_cmp(&left.0).then(left.1.cmp(&right.1))
}
