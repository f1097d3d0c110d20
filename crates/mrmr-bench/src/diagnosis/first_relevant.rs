//! At which rank the first relevant document stands.

use std::collections::BTreeMap;

use mrmr_core::{Qrels, RankingPolicy, Run};

/// The ranks of a histogram: the first and the last of each bar; behind them those without any.
pub const BINS: [(&str, usize, usize); 6] = [
    ("1", 1, 1),
    ("2", 2, 2),
    ("3", 3, 3),
    ("4-10", 4, 10),
    ("11-100", 11, 100),
    ("> 100", 101, usize::MAX),
];

/// The rank of the first relevant document of each judged query that has one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FirstRelevant {
    /// By query, from 1; none where the run has none of them.
    ranks: BTreeMap<String, Option<usize>>,
}

impl FirstRelevant {
    /// The ranks in a run. A document is relevant whose grade is above 0; a query without any does not count.
    pub fn of(run: &Run, qrels: &Qrels, policy: RankingPolicy) -> Self {
        let mut ranks = BTreeMap::new();
        for judged in qrels.queries().keys() {
            let name = qrels.queries().name(judged);
            let is_relevant = |document: &str| {
                let key = qrels.documents().get(document);
                let grade = key.and_then(|key| qrels.grade(judged, key));
                grade.is_some_and(|grade| grade > 0.0)
            };
            let judgements = qrels.judgements(judged);
            if !judgements.iter().any(|judgement| judgement.grade > 0.0) {
                continue;
            }
            let rank = run.queries().get(name).and_then(|query| {
                let ranking = run.ranking(query, policy);
                let entries = ranking.entries();
                let first = entries
                    .iter()
                    .position(|entry| is_relevant(run.documents().name(entry.document)));
                first.map(|place| place + 1)
            });
            ranks.insert(name.to_owned(), rank);
        }
        FirstRelevant { ranks }
    }

    /// The rank for a query, from 1.
    pub fn rank(&self, query: &str) -> Option<usize> {
        self.ranks.get(query).copied().flatten()
    }

    /// How many queries have it in each of [`BINS`], and last, how many nowhere.
    pub fn histogram(&self) -> [usize; BINS.len() + 1] {
        let mut bars = [0; BINS.len() + 1];
        for rank in self.ranks.values() {
            let bin = rank.and_then(|rank| {
                let within =
                    |(_, first, last): &(&str, usize, usize)| (*first..=*last).contains(&rank);
                BINS.iter().position(within)
            });
            bars[bin.unwrap_or(BINS.len())] += 1;
        }
        bars
    }
}
