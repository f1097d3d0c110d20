//! From scores to the ranks of the judged documents.
//!
//! Measures read nothing but judged documents, and those are few. So a ranking is never sorted by id:
//! the ranks of the judged documents are counted.

use std::cmp::Ordering;

use mrmr_core::{QueryId, RankingPolicy, ScorePrecision, TiePolicy};

use crate::measure::{Group, Hit, JudgedRanking};

/// With more judged documents in a group of ties than this, the group is sorted by id once.
const COUNTED: usize = 16;

/// A retrieved document that is judged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Found {
    /// Its place in the input, from 0.
    pub(crate) place: usize,
    /// Its grade.
    pub(crate) grade: f64,
    /// Which judgement of the query it has.
    pub(crate) judgement: usize,
}

/// Works out one query's ranking after another, without new memory for each.
#[derive(Debug, Default)]
pub(crate) struct Ranker {
    keys: Vec<f64>,
    sorted: Vec<f64>,
    is_sorted: bool,
    found: Vec<(f64, Found)>,
    members: Vec<u32>,
    hits: Vec<Hit>,
    groups: Vec<Group>,
    retrieved: usize,
}

/// What the scores of a ranking have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct TieFacts {
    /// Two documents have one score.
    pub(crate) any: bool,
    /// There are two or more documents, all with one score.
    pub(crate) all: bool,
    /// Scores differ as 64-bit numbers and not as 32-bit ones.
    pub(crate) precision: bool,
}

impl Ranker {
    /// Takes in the scores of a query, to be compared in this precision.
    pub(crate) fn load(&mut self, scores: &[f64], precision: ScorePrecision) -> TieFacts {
        self.keys.clear();
        match precision {
            ScorePrecision::F64 => self.keys.extend_from_slice(scores),
            ScorePrecision::F32 => self
                .keys
                .extend(scores.iter().map(|s| f64::from(*s as f32))),
        }
        self.is_sorted = self.keys.windows(2).all(|pair| pair[0] >= pair[1]);
        if !self.is_sorted {
            self.sorted.clear();
            self.sorted.extend_from_slice(&self.keys);
            self.sorted
                .sort_unstable_by(|a, b| b.partial_cmp(a).unwrap_or(Ordering::Equal));
        }
        let sorted = self.sorted();
        let mut facts = TieFacts::default();
        for pair in sorted.windows(2) {
            facts.any |= pair[0] == pair[1];
            facts.precision |= pair[0] != pair[1] && pair[0] as f32 == pair[1] as f32;
        }
        facts.all = sorted.len() > 1 && sorted.first() == sorted.last();
        if precision == ScorePrecision::F32 {
            // Rounded already; what differs beyond it can only be seen in the scores.
            facts.precision = self.hides_differences(scores);
        }
        facts
    }

    /// Whether scores that differ have become equal keys.
    fn hides_differences(&self, scores: &[f64]) -> bool {
        let differ = |a: (f64, f64), b: (f64, f64)| a.0 == b.0 && a.1 != b.1;
        if self.is_sorted && scores.windows(2).all(|pair| pair[0] >= pair[1]) {
            let mut pairs = self.keys.windows(2).zip(scores.windows(2));
            return pairs.any(|(keys, scores)| differ((keys[0], scores[0]), (keys[1], scores[1])));
        }
        let mut pairs: Vec<(f64, f64)> = self
            .keys
            .iter()
            .copied()
            .zip(scores.iter().copied())
            .collect();
        pairs.sort_unstable_by(|a, b| a.partial_cmp(b).unwrap_or(Ordering::Equal));
        pairs.windows(2).any(|pair| differ(pair[0], pair[1]))
    }

    fn sorted(&self) -> &[f64] {
        if self.is_sorted {
            &self.keys
        } else {
            &self.sorted
        }
    }

    /// Whether documents with one score stand on both sides of a cutoff.
    pub(crate) fn ties_across(&self, cutoff: usize) -> bool {
        let sorted = self.sorted();
        cutoff > 0 && cutoff < sorted.len() && sorted[cutoff - 1] == sorted[cutoff]
    }

    /// Ranks the judged documents; `found` in any order.
    pub(crate) fn rank<'n>(
        &mut self,
        found: &[Found],
        name: impl Fn(usize) -> &'n [u8] + Copy,
        ties: TiePolicy,
    ) {
        self.retrieved = self.keys.len();
        self.hits.clear();
        self.groups.clear();
        let mut by_score = std::mem::take(&mut self.found);
        by_score.clear();
        by_score.extend(found.iter().map(|found| (self.keys[found.place], *found)));
        by_score.sort_unstable_by(|a, b| {
            b.0.partial_cmp(&a.0)
                .unwrap_or(Ordering::Equal)
                .then(a.1.place.cmp(&b.1.place))
        });
        for group in by_score.chunk_by(|a, b| a.0 == b.0) {
            let sorted = self.sorted();
            let score = group[0].0;
            let before = sorted.partition_point(|s| *s > score);
            let size = sorted[before..].partition_point(|s| *s == score);
            self.groups.push(Group {
                before,
                size,
                judged: group.len(),
            });
            let start = self.hits.len();
            if size == 1 {
                self.hits.push(hit(before + 1, group[0].1));
            } else {
                self.rank_group(before, size, group, name, ties);
            }
            self.hits[start..].sort_unstable_by_key(|hit| hit.rank);
        }
        self.found = by_score;
    }

    fn rank_group<'n>(
        &mut self,
        before: usize,
        size: usize,
        group: &[(f64, Found)],
        name: impl Fn(usize) -> &'n [u8] + Copy,
        ties: TiePolicy,
    ) {
        let score = group[0].0;
        let ahead = |a: usize, b: usize| match ties {
            TiePolicy::Trec | TiePolicy::Expected => name(a) > name(b),
            TiePolicy::Ascending => name(a) < name(b),
            TiePolicy::Input => a < b,
        };
        self.members.clear();
        if self.is_sorted {
            self.members.extend(before as u32..(before + size) as u32);
        } else {
            let places = self
                .keys
                .iter()
                .enumerate()
                .filter(|(_, key)| **key == score);
            self.members.extend(places.map(|(place, _)| place as u32));
        }
        if group.len() <= COUNTED {
            for (_, found) in group {
                let members = self.members.iter();
                let ahead = members
                    .filter(|member| ahead(**member as usize, found.place))
                    .count();
                self.hits.push(hit(before + ahead + 1, *found));
            }
        } else {
            self.members.sort_unstable_by(|a, b| match ties {
                TiePolicy::Trec | TiePolicy::Expected => name(*b as usize).cmp(name(*a as usize)),
                TiePolicy::Ascending => name(*a as usize).cmp(name(*b as usize)),
                TiePolicy::Input => a.cmp(b),
            });
            let mut ranks: Vec<(u32, usize)> = self
                .members
                .iter()
                .enumerate()
                .map(|(at, member)| (*member, at))
                .collect();
            ranks.sort_unstable();
            for (_, found) in group {
                if let Ok(at) = ranks.binary_search_by_key(&(found.place as u32), |rank| rank.0) {
                    self.hits.push(hit(before + ranks[at].1 + 1, *found));
                }
            }
        }
    }

    /// Takes the unjudged documents out of the ranking.
    pub(crate) fn drop_unjudged(&mut self) {
        self.retrieved = self.hits.len();
        for (at, hit) in self.hits.iter_mut().enumerate() {
            hit.rank = at + 1;
        }
        let mut before = 0;
        for group in &mut self.groups {
            group.before = before;
            group.size = group.judged;
            before += group.judged;
        }
    }

    /// The ranking, as measures read it.
    pub(crate) fn ranking<'a>(&'a self, query: QueryId, judged: &'a [f64]) -> JudgedRanking<'a> {
        JudgedRanking {
            query,
            retrieved: self.retrieved,
            hits: &self.hits,
            groups: &self.groups,
            judged,
        }
    }
}

fn hit(rank: usize, found: Found) -> Hit {
    Hit {
        rank,
        grade: found.grade,
        judgement: found.judgement,
    }
}

/// The policy with the other precision of scores.
pub(crate) fn other(policy: RankingPolicy) -> RankingPolicy {
    RankingPolicy {
        precision: match policy.precision {
            ScorePrecision::F64 => ScorePrecision::F32,
            ScorePrecision::F32 => ScorePrecision::F64,
        },
        ..policy
    }
}
