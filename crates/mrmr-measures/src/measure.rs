//! The loop of a measure, and what it reads.

use std::fmt;

use mrmr_core::QueryId;

use crate::ties::{self, TieSpread};

/// A judged document that was retrieved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Its rank, from 1.
    pub rank: usize,
    /// Its grade.
    pub grade: f64,
    /// Which judgement of the query it has, by document key: see `Qrels::judgements`.
    pub judgement: usize,
}

/// Documents with one score, at least one of them judged; often that one alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// How many documents have a higher score.
    pub before: usize,
    /// How many have this one.
    pub size: usize,
    /// How many of these are judged: as many of the next [`JudgedRanking::hits`].
    pub judged: usize,
}

/// One query's ranking seen through its judgements: all that a measure reads.
///
/// Only judged documents are listed. The others are known by number: they have no grade, and stand
/// at the ranks that are left.
#[derive(Clone, Copy, Debug)]
pub struct JudgedRanking<'a> {
    /// The query, in the qrels.
    pub query: QueryId,
    /// How many documents were retrieved.
    pub retrieved: usize,
    /// The judged ones among them, by rank.
    pub hits: &'a [Hit],
    /// The same in groups of equal scores, in order.
    pub groups: &'a [Group],
    /// The grades of all judged documents of the query, highest first.
    pub judged: &'a [f64],
}

impl<'a> JudgedRanking<'a> {
    /// How many judged documents have at least this grade.
    pub fn relevant(&self, rel: f64) -> usize {
        self.judged.partition_point(|grade| *grade >= rel)
    }

    /// Whether a judged document shares its score with another document.
    pub fn has_ties(&self) -> bool {
        self.groups.iter().any(|group| group.size > 1)
    }

    /// The groups with their hits, in order.
    pub fn groups(&self) -> impl Iterator<Item = (Group, &'a [Hit])> + use<'a> {
        let (hits, mut start) = (self.hits, 0);
        self.groups.iter().map(move |group| {
            let own = &hits[start..start + group.judged];
            start += group.judged;
            (*group, own)
        })
    }

    /// The hits in the top k, by rank.
    pub(crate) fn top(&self, depth: usize) -> &'a [Hit] {
        &self.hits[..self.hits.partition_point(|hit| hit.rank <= depth)]
    }

    /// The rank of the first relevant document.
    pub(crate) fn first_relevant(&self, rel: f64) -> Option<usize> {
        self.hits
            .iter()
            .find(|hit| hit.grade >= rel)
            .map(|hit| hit.rank)
    }

    /// How many documents of at least this grade are in the top k: in this order, or on average over
    /// the orders of ties.
    pub(crate) fn relevant_in_top(&self, depth: usize, rel: f64, ties: Ties) -> f64 {
        match ties {
            Ties::AsRanked => self
                .top(depth)
                .iter()
                .filter(|hit| hit.grade >= rel)
                .count() as f64,
            Ties::Averaged => {
                let groups = self.counts(rel).take_while(|group| group.before < depth);
                groups
                    .map(|group| {
                        let places = group.places(depth);
                        group.relevant as f64 * places as f64 / group.size as f64
                    })
                    .sum()
            }
        }
    }

    /// How many documents of at least this grade were retrieved.
    pub(crate) fn retrieved_relevant(&self, rel: f64) -> f64 {
        self.relevant_in_top(usize::MAX, rel, Ties::AsRanked)
    }

    /// The groups with the number of their relevant documents, in order.
    pub(crate) fn counts(&self, rel: f64) -> impl Iterator<Item = Counts> + use<'a> {
        self.groups().map(move |(group, hits)| Counts {
            before: group.before,
            size: group.size,
            relevant: hits.iter().filter(|hit| hit.grade >= rel).count(),
        })
    }
}

/// A group of tied documents with how many of them are relevant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts {
    pub(crate) before: usize,
    pub(crate) size: usize,
    pub(crate) relevant: usize,
}

impl Counts {
    /// How many of the group's places lie in the top k.
    pub(crate) fn places(&self, depth: usize) -> usize {
        depth.saturating_sub(self.before).min(self.size)
    }
}

/// Whether a ranking is read in its order or averaged over all orders of its ties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// As the ranking has it.
    AsRanked,
    /// The mean over all orders of each group of tied documents.
    Averaged,
}

/// 1 for a relevant document, else 0.
pub(crate) fn binary(rel: f64) -> impl Fn(Option<f64>) -> f64 {
    move |grade| f64::from(u8::from(grade.is_some_and(|grade| grade >= rel)))
}

/// A share, 0 where there is nothing to share.
pub(crate) fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// A measure bound to its parameters.
///
/// [`Measure::as_ranked`] is all that one needs. Where its mean over the orders of ties has no closed form, the
/// orders that it can tell apart are gone through, or a sample of them: see [`TieSpread`].
pub trait Measure: fmt::Debug + Send + Sync {
    /// Its value for one query, documents in the order that the ranking has them in.
    fn as_ranked(&self, query: &JudgedRanking<'_>) -> f64;

    /// Its mean over all orders of each group of tied documents, in closed form where there is one
    /// (McSherry & Najork 2008).
    fn averaged(&self, _query: &JudgedRanking<'_>) -> Option<f64> {
        None
    }

    /// What a document of this grade is worth to the measure.
    fn worth(&self, grade: Option<f64>) -> f64 {
        grade.filter(|grade| *grade > 0.0).unwrap_or(0.0)
    }

    /// Whether moving a document that is worth more forward never lowers the value. Then tied documents
    /// ordered by [`Measure::worth`] give the lowest and the highest value, and those of one worth are alike.
    fn is_ordered(&self) -> bool {
        false
    }

    /// A number that is the same for two documents of a query that the measure cannot tell apart; of a
    /// document without a judgement, where `hit` is none.
    fn kind(&self, _query: &JudgedRanking<'_>, hit: Option<&Hit>) -> u64 {
        let grade = hit.map(|hit| hit.grade);
        if self.is_ordered() {
            (self.worth(grade) + 0.0).to_bits()
        } else {
            grade.map_or(u64::MAX, |grade| (grade + 0.0).to_bits())
        }
    }

    /// How many ranks count.
    fn depth(&self) -> usize {
        usize::MAX
    }

    /// How much higher the value could be if the documents without a judgement, those behind the end of
    /// the ranking among them, were of the highest grade; none for a measure that does not report it.
    fn residual(&self, _query: &JudgedRanking<'_>, _ties: Ties) -> Option<f64> {
        None
    }

    /// Its value for one query.
    fn value(&self, query: &JudgedRanking<'_>, ties: Ties) -> f64 {
        match ties {
            Ties::AsRanked => self.as_ranked(query),
            Ties::Averaged => match self.averaged(query) {
                Some(averaged) => averaged,
                None => self.spread(query).averaged,
            },
        }
    }

    /// Its mean, lowest and highest value over all orders of the tied documents.
    fn spread(&self, query: &JudgedRanking<'_>) -> TieSpread {
        ties::spread(self, query)
    }

    /// The lowest and the highest value over all orders of the tied documents.
    fn extremes(&self, query: &JudgedRanking<'_>) -> (f64, f64) {
        let spread = self.spread(query);
        (spread.lowest, spread.highest)
    }
}
