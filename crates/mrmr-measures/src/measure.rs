//! The loop of a measure, and what it reads.

use std::fmt;
use std::ops::Range;

/// One query's ranking seen through its judgements: all that a measure reads.
///
/// Grades stand by rank (best first); a document without a judgement has none.
#[derive(Clone, Copy, Debug)]
pub struct JudgedRanking<'a> {
    /// The grade of the document at each rank.
    pub grades: &'a [Option<f64>],
    /// The ends of the groups of equal scores, rising, the last one the number of documents.
    pub group_ends: &'a [usize],
    /// The grades of all judged documents of the query, highest first.
    pub judged: &'a [f64],
}

impl<'a> JudgedRanking<'a> {
    /// How many judged documents have at least this grade.
    pub fn relevant(&self, rel: f64) -> usize {
        self.judged.partition_point(|grade| *grade >= rel)
    }

    /// The ranges of positions (from 0) with equal scores.
    pub fn groups(&self) -> impl Iterator<Item = Range<usize>> + use<'a> {
        let ends = self.group_ends;
        (0..ends.len()).map(move |i| if i == 0 { 0 } else { ends[i - 1] }..ends[i])
    }

    /// What the document at each rank is worth: in this order, or as the mean over each group of ties.
    pub(crate) fn gains(&self, ties: Ties, worth: impl Fn(Option<f64>) -> f64) -> Vec<f64> {
        let mut gains: Vec<f64> = self.grades.iter().map(|grade| worth(*grade)).collect();
        if ties == Ties::Averaged {
            for group in self.groups().filter(|group| group.len() > 1) {
                let mean = gains[group.clone()].iter().sum::<f64>() / group.len() as f64;
                gains[group].fill(mean);
            }
        }
        gains
    }

    /// How many relevant documents are in the top k: in this order, or on average over the ties.
    pub(crate) fn relevant_in_top(&self, depth: usize, rel: f64, ties: Ties) -> f64 {
        match ties {
            Ties::AsRanked => {
                let top = self.grades.iter().take(depth);
                top.filter(|grade| is_relevant(**grade, rel)).count() as f64
            }
            Ties::Averaged => {
                let groups = self.counts(rel).take_while(|group| group.before < depth);
                groups
                    .map(|group| {
                        let places = (depth - group.before).min(group.size);
                        group.relevant as f64 * places as f64 / group.size as f64
                    })
                    .sum()
            }
        }
    }

    /// For each group of ties: how many documents stand before it, how many it holds, how many of
    /// them count (have at least this worth).
    pub(crate) fn counts(&self, rel: f64) -> impl Iterator<Item = Group> + use<'a> {
        let grades = self.grades;
        self.groups().map(move |range| Group {
            before: range.start,
            size: range.len(),
            relevant: grades[range]
                .iter()
                .filter(|g| is_relevant(**g, rel))
                .count(),
        })
    }
}

/// A group of tied documents.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    pub(crate) before: usize,
    pub(crate) size: usize,
    pub(crate) relevant: usize,
}

/// Whether a ranking is read in its order or averaged over all orders of its ties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// As the ranking has it.
    AsRanked,
    /// The mean over all orders of each group of tied documents, in closed form
    /// (McSherry & Najork 2008).
    Averaged,
}

/// Whether a grade counts as relevant; an unjudged document does not.
pub(crate) fn is_relevant(grade: Option<f64>, rel: f64) -> bool {
    grade.is_some_and(|grade| grade >= rel)
}

/// 1 for a relevant document, else 0.
pub(crate) fn binary(rel: f64) -> impl Fn(Option<f64>) -> f64 {
    move |grade| f64::from(u8::from(is_relevant(grade, rel)))
}

/// A share, 0 where there is nothing to share.
pub(crate) fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// A measure bound to its parameters.
pub trait Measure: fmt::Debug + Send + Sync {
    /// Its value for one query.
    fn value(&self, query: &JudgedRanking<'_>, ties: Ties) -> f64;

    /// What a document of this grade is worth to the measure: moving a document that is worth more
    /// forward never lowers the value. It orders tied documents for [`Measure::extremes`].
    fn worth(&self, grade: Option<f64>) -> f64;

    /// The lowest and the highest value over all orders of the tied documents.
    fn extremes(&self, query: &JudgedRanking<'_>) -> (f64, f64) {
        let mut grades = query.grades.to_vec();
        let by_worth = |a: &Option<f64>, b: &Option<f64>| self.worth(*a).total_cmp(&self.worth(*b));
        for group in query.groups().filter(|group| group.len() > 1) {
            grades[group].sort_unstable_by(by_worth);
        }
        let ordered = |grades: &[Option<f64>]| {
            let view = JudgedRanking { grades, ..*query };
            self.value(&view, Ties::AsRanked)
        };
        let lowest = ordered(&grades);
        for group in query.groups().filter(|group| group.len() > 1) {
            grades[group].reverse();
        }
        (lowest, ordered(&grades))
    }
}
