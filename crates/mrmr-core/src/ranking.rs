//! An order of documents, built only through a policy for ties.

use std::cmp::Ordering;
use std::ops::Range;

use crate::id::{DocId, Ids};
use crate::policy::{RankingPolicy, ScorePrecision, TiePolicy};

/// A document that a system returned, with its score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// The document.
    pub document: DocId,
    /// Not NaN; infinite is allowed. Higher is better.
    pub score: f64,
}

/// The documents of one query in order, best first, with the groups of equal scores.
///
/// There is no way to a ranking but through a [`RankingPolicy`]: an order never rests on an unstated
/// assumption about ties. Under [`TiePolicy::Expected`] the order within a group is that of
/// [`TiePolicy::Trec`]; measures then average over all orders of each group.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranking {
    entries: Vec<Entry>,
    group_ends: Vec<usize>,
    policy: RankingPolicy,
}

impl Ranking {
    /// Orders entries by descending score, equal scores by the policy.
    ///
    /// `entries` are in input order, `documents` gives their ids.
    pub fn new(entries: &[Entry], documents: &Ids<DocId>, policy: RankingPolicy) -> Self {
        let name = |entry: &Entry| documents.name(entry.document).as_bytes();
        let mut entries = entries.to_vec();
        match policy.ties {
            TiePolicy::Input => entries.sort_by(|a, b| by_score(a, b, policy.precision)),
            TiePolicy::Ascending => entries.sort_unstable_by(|a, b| {
                by_score(a, b, policy.precision).then_with(|| name(a).cmp(name(b)))
            }),
            TiePolicy::Trec | TiePolicy::Expected => entries.sort_unstable_by(|a, b| {
                by_score(a, b, policy.precision).then_with(|| name(b).cmp(name(a)))
            }),
        }
        let mut group_ends: Vec<usize> = (1..entries.len())
            .filter(|&i| {
                by_score(&entries[i - 1], &entries[i], policy.precision) != Ordering::Equal
            })
            .collect();
        if !entries.is_empty() {
            group_ends.push(entries.len());
        }
        Ranking {
            entries,
            group_ends,
            policy,
        }
    }

    /// The documents, best first.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// How many documents there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The policy that made this order.
    pub fn policy(&self) -> RankingPolicy {
        self.policy
    }

    /// The ranges of positions (from 0) with equal scores, in order; a group may hold one document.
    pub fn tie_groups(&self) -> impl ExactSizeIterator<Item = Range<usize>> {
        (0..self.group_ends.len()).map(|i| {
            let start = if i == 0 { 0 } else { self.group_ends[i - 1] };
            start..self.group_ends[i]
        })
    }
}

fn by_score(a: &Entry, b: &Entry, precision: ScorePrecision) -> Ordering {
    let order = match precision {
        ScorePrecision::F64 => b.score.partial_cmp(&a.score),
        ScorePrecision::F32 => (b.score as f32).partial_cmp(&(a.score as f32)),
    };
    // Scores are never NaN: `RunBuilder::add` refuses it.
    order.unwrap_or(Ordering::Equal)
}
