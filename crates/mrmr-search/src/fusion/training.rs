//! What judgements say of a run: at which ranks the relevant documents stand.

use mrmr_core::{Error, Interned, Qrels, RankingPolicy, Result, Run};

/// The lowest grade that counts as relevant.
const RELEVANT: f64 = 1.0;

/// One run on the queries of the judgements.
#[derive(Debug)]
pub(super) struct Training {
    pub(super) queries: Vec<JudgedList>,
}

/// One query's list.
#[derive(Debug)]
pub(super) struct JudgedList {
    /// For each rank, whether the document is relevant; empty where the run lacks the query.
    pub(super) hits: Vec<bool>,
    /// How many relevant documents there are in all.
    pub(super) relevant: usize,
}

impl Training {
    /// Looks at the first `depth` documents of every judged query, by the bytes of the queries' ids.
    pub(super) fn new(qrels: &Qrels, run: &Run, depth: usize) -> Self {
        let mut queries = Vec::with_capacity(qrels.queries().len());
        for query in qrels.queries().sorted_keys() {
            let mut hits = Vec::new();
            if let Some(own) = run.queries().get(qrels.queries().name(query)) {
                let ranking = run.ranking(own, RankingPolicy::default());
                let documents = ranking.entries().iter().take(depth);
                hits.extend(documents.map(|entry| {
                    let name = run.documents().name(entry.document);
                    let document = qrels.documents().get(name);
                    let grade = document.and_then(|document| qrels.grade(query, document));
                    grade.is_some_and(|grade| grade >= RELEVANT)
                }));
            }
            let judged = qrels.judgements(query).iter();
            let relevant = judged.filter(|judgement| judgement.grade >= RELEVANT);
            queries.push(JudgedList {
                hits,
                relevant: relevant.count(),
            });
        }
        Training { queries }
    }

    /// All runs on the same judgements.
    pub(super) fn all(qrels: &Qrels, runs: &[&Run], depth: usize) -> Result<Vec<Self>> {
        if qrels.is_empty() {
            return Err(Error::data("the qrels hold no judgement to learn from"));
        }
        let all: Vec<Self> = runs
            .iter()
            .map(|run| Training::new(qrels, run, depth))
            .collect();
        let known = |list: &JudgedList| !list.hits.is_empty();
        if !all.iter().any(|run| run.queries.iter().any(known)) {
            let name = |index| qrels.queries().name(mrmr_core::QueryId::from_index(index));
            return Err(Error::data(format!(
                "no run answers a judged query ('{}' for one): there is nothing to learn from",
                name(0)
            ))
            .hint("are the judgements and the runs of the same queries?"));
        }
        Ok(all)
    }

    /// For each rank, the share of the lists that reach it whose document there is relevant.
    pub(super) fn shares_by_rank(&self) -> Vec<f64> {
        let longest = self.queries.iter().map(|list| list.hits.len()).max();
        let mut counts = vec![(0u32, 0u32); longest.unwrap_or(0)];
        for list in &self.queries {
            for (count, hit) in counts.iter_mut().zip(&list.hits) {
                count.0 += u32::from(*hit);
                count.1 += 1;
            }
        }
        let shares = counts.into_iter();
        shares
            .map(|(hits, lists)| f64::from(hits) / f64::from(lists))
            .collect()
    }

    /// The mean over queries of what `value` gives.
    pub(super) fn mean(&self, value: impl Fn(&JudgedList) -> f64) -> f64 {
        self.queries.iter().map(value).sum::<f64>() / self.queries.len() as f64
    }
}

impl JudgedList {
    /// How many of these ranks, from 0, hold a relevant document; the list may end before.
    pub(super) fn hits_within(&self, ranks: std::ops::Range<usize>) -> usize {
        let end = ranks.end.min(self.hits.len());
        let start = ranks.start.min(end);
        self.hits[start..end].iter().filter(|hit| **hit).count()
    }
}
