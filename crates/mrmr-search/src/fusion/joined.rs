//! Runs under one table of queries and one of documents, ready to be fused in many ways.

use mrmr_core::{DocId, Entry, Error, Ids, Interned, QueryId, RankingPolicy, Result, Run};
use rayon::prelude::*;

use super::candidates::{Answers, Scored, Slots};
use super::definition::Combine;
use super::normalization::Normalization;
use super::notes::{Fused, FusionNotes};

/// Several runs under one table of ids: what fusing them again and again shares.
#[derive(Debug)]
pub struct JoinedRuns<'a> {
    runs: Vec<&'a Run>,
    queries: Ids<QueryId>,
    documents: Ids<DocId>,
    /// For each run, the joint keys of its documents; none for the first, whose keys they are.
    translations: Vec<Option<Vec<DocId>>>,
    /// For each run, its own keys of the queries, where it has them.
    own: Vec<Vec<Option<QueryId>>>,
}

/// How a query's lists are read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    pub(super) normalization: Normalization,
    /// How many documents of each list count.
    pub(super) depth: usize,
    /// How many documents of each query are kept.
    pub(super) keep: usize,
    /// Whether lists must be in order.
    pub(super) ranked: bool,
}

#[derive(Default)]
struct Scratch {
    slots: Slots,
    lists: Vec<Vec<Scored>>,
    scores: Vec<f64>,
}

impl<'a> JoinedRuns<'a> {
    /// Joins runs; queries and documents are numbered as they come, run by run.
    ///
    /// # Errors
    /// If there are fewer than two.
    pub fn new(runs: &[&'a Run]) -> Result<Self> {
        let [first, others @ ..] = runs else {
            return Err(Error::usage("there is no run to fuse"));
        };
        if others.is_empty() {
            return Err(Error::usage("fusion needs two runs, found one"));
        }
        let mut queries = first.queries().clone();
        let mut documents = first.documents().clone();
        let mut translations = vec![None];
        for run in others {
            for query in run.queries().names() {
                queries.intern(query);
            }
            let names = run.documents().names();
            translations.push(Some(names.map(|name| documents.intern(name)).collect()));
        }
        let own = |run: &&Run| {
            queries
                .names()
                .map(|name| run.queries().get(name))
                .collect()
        };
        Ok(JoinedRuns {
            own: runs.iter().map(own).collect(),
            runs: runs.to_vec(),
            queries,
            documents,
            translations,
        })
    }

    /// The runs, in the order in which they were given.
    pub fn runs(&self) -> &[&'a Run] {
        &self.runs
    }

    pub(super) fn fuse(
        &self,
        combine: &dyn Combine,
        reading: Reading,
        name: &str,
    ) -> Result<Fused> {
        let fused: Vec<(Vec<Entry>, usize)> = (0..self.queries.len())
            .into_par_iter()
            .map_init(Scratch::default, |scratch, query| {
                self.fuse_query(query, combine, reading, scratch)
            })
            .collect::<Result<_>>()?;
        let infinite = fused.iter().map(|(_, infinite)| infinite).sum();
        let lists = fused.into_iter().map(|(list, _)| list);
        let (queries, documents) = (self.queries.clone(), self.documents.clone());
        let lacking = |own: &Vec<Option<QueryId>>| own.iter().filter(|key| key.is_none()).count();
        Ok(Fused {
            run: Run::from_lists(name, queries, documents, lists)?,
            notes: FusionNotes {
                lacking: self.own.iter().map(lacking).collect(),
                infinite,
            },
        })
    }

    /// The documents of a query with their scores, and how many scores were infinite.
    fn fuse_query(
        &self,
        query: usize,
        combine: &dyn Combine,
        reading: Reading,
        scratch: &mut Scratch,
    ) -> Result<(Vec<Entry>, usize)> {
        let Scratch {
            slots,
            lists,
            scores,
        } = scratch;
        self.read(query, reading, slots, lists);
        let documents = slots.documents();
        let id = |slot: u32| self.documents.name(documents[slot as usize]).as_bytes();
        let mut infinite = 0;
        for list in lists.iter_mut() {
            infinite += reading.normalization.apply(list, documents.len(), &id);
        }
        scores.clear();
        scores.resize(documents.len(), 0.0);
        let answers = Answers {
            documents: documents.len(),
            lists: lists.as_slice(),
            id: &id,
        };
        combine.combine(&answers, scores);
        let entries = documents.iter().zip(scores.iter());
        let entries = entries.map(|(&document, &score)| Entry { document, score });
        let mut entries: Vec<Entry> = entries.collect();
        if let Some(entry) = entries.iter().find(|entry| entry.score.is_nan()) {
            return Err(self.no_sum(query, entry.document));
        }
        if entries.len() > reading.keep {
            let order = |a: &Entry, b: &Entry| {
                let by_score = b.score.partial_cmp(&a.score);
                let name = |entry: &Entry| self.documents.name(entry.document).as_bytes();
                let by_score = by_score.unwrap_or(std::cmp::Ordering::Equal);
                by_score.then_with(|| name(b).cmp(name(a)))
            };
            if reading.keep > 0 {
                entries.select_nth_unstable_by(reading.keep - 1, order);
            }
            entries.truncate(reading.keep);
            entries.sort_unstable_by(order);
        }
        Ok((entries, infinite))
    }

    /// Fills the lists of a query and numbers its documents.
    fn read(
        &self,
        query: usize,
        reading: Reading,
        slots: &mut Slots,
        lists: &mut Vec<Vec<Scored>>,
    ) {
        lists.resize_with(self.runs.len(), Vec::new);
        let own = || self.runs.iter().zip(self.own.iter().map(|own| own[query]));
        let lengths = own().map(|(run, key)| key.map_or(0, |key| run.entries(key).len()));
        slots.reset(lengths.map(|length| length.min(reading.depth)).sum());
        let sides = own().zip(&self.translations).zip(lists);
        for (((run, key), translation), list) in sides {
            list.clear();
            let Some(key) = key else { continue };
            let mut add = |entry: &Entry| {
                let document = match translation {
                    Some(joint) => joint[entry.document.index()],
                    None => entry.document,
                };
                list.push(Scored {
                    slot: slots.slot(document),
                    score: entry.score,
                });
            };
            let entries = run.entries(key);
            if reading.ranked || entries.len() > reading.depth {
                let ranking = run.ranking(key, RankingPolicy::default());
                ranking.entries().iter().take(reading.depth).for_each(add);
            } else {
                entries.iter().for_each(&mut add);
            }
        }
    }

    fn no_sum(&self, query: usize, document: DocId) -> Error {
        Error::data(format!(
            "query '{}', document '{}': the scores of the runs are infinite with both signs, and have no sum",
            self.queries.name(QueryId::from_index(query)),
            self.documents.name(document)
        ))
        .hint("a normalization other than none makes infinite scores finite")
    }
}
