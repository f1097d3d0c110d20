//! Which lists a query looks through.

use super::index::IvfIndex;
use super::lists::Coded;
use super::search::Query;
use crate::exact::coded_query::{no_codes, no_dots};
use crate::filter::Filter;
use crate::kernels::ROWS;

/// How far a list is from a query, and the list: the nearest is the least, of equal ones the first.
type Near = u128;

impl IvfIndex {
    /// For each of some queries the nearest lists with rows, as many as are set, and further ones until they
    /// hold `k` rows that the filter lets through; all where those are not enough.
    pub(super) fn choose_lists(&self, coded: &Coded, queries: &mut [Query<'_>], k: usize) {
        let near = self.by_codes(coded, queries);
        let open = queries
            .iter_mut()
            .filter(|query| query.filter.candidates().is_none());
        for (query, near) in open.zip(near) {
            let near = match &query.code {
                Some(_) => near,
                None => self.by_scores(coded, query.vector),
            };
            query.lists = self.probes(near, k, query.filter);
        }
    }

    fn probes(&self, mut near: Vec<Near>, k: usize, filter: &Filter) -> Vec<u32> {
        near.retain(|near| self.lists.size(list_of(*near)) > 0);
        let probes = self.params.probes.min(near.len());
        if probes < near.len() {
            near.select_nth_unstable(probes);
        }
        near[..probes].sort_unstable();
        let excluded = self.excluded_lists(filter);
        let allowed = |near: &Near| {
            let list = list_of(*near);
            self.lists.size(list) - count(&excluded, list)
        };
        let mut found: usize = near[..probes].iter().map(allowed).sum();
        let mut enough = probes;
        if found < k {
            near[probes..].sort_unstable();
            while enough < near.len() && found < k {
                found += allowed(&near[enough]);
                enough += 1;
            }
        }
        near[..enough].iter().map(|near| list_of(*near)).collect()
    }

    /// For each query that looks for lists all of them; none where it has no codes.
    fn by_codes(&self, coded: &Coded, queries: &[Query<'_>]) -> Vec<Vec<Near>> {
        let centroids = &coded.centroids;
        let open = queries
            .iter()
            .filter(|query| query.filter.candidates().is_none());
        let mut near: Vec<Vec<Near>> = Vec::new();
        let (mut ready, mut together) = (Vec::new(), no_codes(&centroids.codes, queries.len()));
        for (number, query) in open.enumerate() {
            let mut lists = Vec::new();
            if let Some((code, codes)) = &query.code {
                together.codes.extend(&codes.codes);
                together.sums.extend(&codes.sums);
                ready.push((number, code));
                lists.reserve(centroids.len());
            }
            near.push(lists);
        }
        let mut dots = no_dots(ready.len());
        for (group, bounds) in centroids.codes.bounds.iter().enumerate() {
            (self.kernels.code_dots)(centroids.codes.lines(group), &together, &mut dots);
            let lists = group * ROWS..centroids.len().min((group + 1) * ROWS);
            for ((number, code), dots) in ready.iter().zip(&dots) {
                let lanes = lists.clone().enumerate();
                near[*number].extend(
                    lanes.map(|(lane, list)| key(code.middle(bounds, lane, dots[lane]), list)),
                );
            }
        }
        near
    }

    /// Where a query has no codes.
    fn by_scores(&self, coded: &Coded, query: &[f32]) -> Vec<Near> {
        let centroids = coded.centroids.vectors.rows();
        let score = |centroid| self.rows.metric.score(query, centroid);
        let scores = centroids.map(score).enumerate();
        scores.map(|(list, score)| key(score, list)).collect()
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

/// Ascends as scores descend, and among equal ones as lists ascend.
#[inline]
fn key(score: f64, list: usize) -> Near {
    let bits = score.to_bits();
    // Scores descend as these ascend: the order of `f64::total_cmp`, turned round.
    let far = match bits >> 63 {
        0 => !bits & !(1 << 63),
        _ => bits,
    };
    u128::from(far) << 32 | list as u128
}

fn list_of(near: Near) -> u32 {
    near as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_higher_score_is_nearer_and_of_equal_ones_the_first_list() {
        let descending = [
            f64::INFINITY,
            3.0,
            1e-300,
            0.0,
            -0.0,
            -1e-300,
            -3.0,
            f64::NEG_INFINITY,
        ];
        let keys = descending.map(|score| key(score, 7));
        assert!(keys.is_sorted_by(|left, right| left < right));
        assert!(key(3.0, 1) < key(3.0, 2) && key(3.0, 2) < key(1.0, 0));
        assert_eq!(keys.map(list_of), [7; 8]);
    }
}
