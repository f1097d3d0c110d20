//! How much of an exact search another search found.

use std::collections::HashSet;

use mrmr_core::{Entry, QueryId, RankingPolicy, Run};

use crate::mean::mean;

/// For each query the share of its true `k` nearest documents that were found.
///
/// A found document counts if it is among the first `k` of the exact run, or if its score is that of the last of
/// these: where documents are tied across that place, one is as good as the other. A query with fewer than
/// `k` exact documents is measured by those; one without any is left out.
///
/// ```
/// use mrmr_core::{Origin, Run};
/// use mrmr_measures::NeighbourRecall;
/// let run = |name: &str, rows: &[(&str, f64)]| -> mrmr_core::Result<Run> {
///     let mut answers = Run::builder(name, Origin::memory(name));
///     for (at, (document, score)) in rows.iter().enumerate() {
///         answers.add("q1", document, *score, at as u64)?;
///     }
///     Ok(answers.finish(Default::default())?.0)
/// };
/// let exact = run("exact", &[("d1", 0.9), ("d2", 0.5), ("d3", 0.5)])?;
/// let found = run("hnsw", &[("d4", 0.5), ("d5", 0.1)])?;
/// // d1 was missed; d4 is as near as d2.
/// assert_eq!(NeighbourRecall::new(&exact, &found, 2).mean, 0.5);
/// # Ok::<(), mrmr_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct NeighbourRecall {
    /// How many documents of a query count.
    pub k: usize,
    /// The queries, in the order of the exact run.
    pub queries: Vec<String>,
    /// The share of each.
    pub values: Vec<f64>,
    /// Queries without any exact document.
    pub without_documents: usize,
    /// The mean over the queries; 1 if there are none.
    pub mean: f64,
}

impl NeighbourRecall {
    /// The share that `found` has of `exact`; ties are found where both are scored by the same rule.
    pub fn new(exact: &Run, found: &Run, k: usize) -> Self {
        let mut recall = NeighbourRecall {
            k,
            queries: Vec::new(),
            values: Vec::new(),
            without_documents: 0,
            mean: 1.0,
        };
        for query in exact.queries().keys() {
            let name = exact.queries().name(query);
            match share(exact, query, found, k) {
                Some(share) => {
                    recall.queries.push(name.to_owned());
                    recall.values.push(share);
                }
                None => recall.without_documents += 1,
            }
        }
        if !recall.values.is_empty() {
            recall.mean = mean(recall.values.iter().copied());
        }
        recall
    }

    /// The lowest share; 1 if there are no queries.
    pub fn lowest(&self) -> f64 {
        self.values.iter().copied().fold(1.0, f64::min)
    }

    /// In how many queries something is missing.
    pub fn incomplete(&self) -> usize {
        self.values.iter().filter(|value| **value < 1.0).count()
    }

    /// The queries in which something is missing, the lowest share first, then by the bytes of their ids.
    pub fn worst(&self) -> Vec<(&str, f64)> {
        let queries = self.queries.iter().map(String::as_str);
        let pairs = queries.zip(self.values.iter().copied());
        let mut worst: Vec<(&str, f64)> = pairs.filter(|(_, value)| *value < 1.0).collect();
        worst.sort_by(|a, b| a.1.total_cmp(&b.1).then_with(|| a.0.cmp(b.0)));
        worst
    }
}

fn share(exact: &Run, query: QueryId, found: &Run, k: usize) -> Option<f64> {
    let first = |run: &Run, query| -> Vec<Entry> {
        let ranking = run.ranking(query, RankingPolicy::default());
        ranking.entries().iter().copied().take(k).collect()
    };
    let nearest = first(exact, query);
    let bound = nearest.last()?.score;
    let documents: HashSet<&str> = nearest
        .iter()
        .map(|entry| exact.documents().name(entry.document))
        .collect();
    let answered = found.queries().get(exact.queries().name(query));
    let answers = answered.map_or_else(Vec::new, |query| first(found, query));
    let counts = answers.iter().filter(|entry| {
        entry.score == bound || documents.contains(found.documents().name(entry.document))
    });
    Some(counts.count().min(nearest.len()) as f64 / nearest.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mrmr_core::Origin;

    fn run(rows: &[(&str, &str, f64)]) -> Run {
        let mut answers = Run::builder("run", Origin::memory("run"));
        for (at, (query, document, score)) in rows.iter().enumerate() {
            match document.is_empty() {
                true => answers.add_empty(query),
                false => answers.add(query, document, *score, at as u64).unwrap(),
            }
        }
        answers.finish(Default::default()).unwrap().0
    }

    #[test]
    fn what_is_missing_is_counted_by_query() {
        let exact = run(&[
            ("q1", "a", 3.0),
            ("q1", "b", 2.0),
            ("q2", "a", 1.0),
            ("q2", "c", 0.5),
            ("q3", "", 0.0),
            ("q4", "b", 1.0),
        ]);
        let found = run(&[("q1", "a", 3.0), ("q1", "b", 2.0), ("q2", "c", 0.5)]);
        let recall = NeighbourRecall::new(&exact, &found, 2);
        assert_eq!(recall.queries, ["q1", "q2", "q4"]);
        assert_eq!(recall.values, [1.0, 0.5, 0.0]);
        assert_eq!((recall.mean, recall.lowest()), (0.5, 0.0));
        assert_eq!((recall.incomplete(), recall.without_documents), (2, 1));
        assert_eq!(recall.worst(), [("q4", 0.0), ("q2", 0.5)]);
    }

    #[test]
    fn a_document_as_near_as_the_last_counts_and_no_query_has_more_than_all() {
        let exact = run(&[("q", "a", 1.0), ("q", "b", 1.0), ("q", "c", 1.0)]);
        let others = run(&[("q", "x", 1.0), ("q", "y", 1.0), ("q", "z", 1.0)]);
        assert_eq!(NeighbourRecall::new(&exact, &others, 2).mean, 1.0);
        let farther = run(&[("q", "x", 0.9), ("q", "b", 1.0)]);
        assert_eq!(NeighbourRecall::new(&exact, &farther, 2).mean, 0.5);
    }

    #[test]
    fn nothing_to_find_is_found() {
        let none = run(&[("q", "", 0.0)]);
        let recall = NeighbourRecall::new(&none, &none, 10);
        assert_eq!((recall.mean, recall.lowest()), (1.0, 1.0));
    }
}
