//! Going through the orders of tied documents: each one, or a sample.
//!
//! Documents that a measure cannot tell apart are interchanged without a new order: a group of ten with one
//! relevant document has ten orders for a measure of binary relevance, not 10! of them. All are equally likely.

use std::ops::Range;

use super::TieMethod;
use crate::measure::{Hit, JudgedRanking, Measure};

/// With more orders than this, a sample is drawn.
const ENUMERATED: u64 = 5_040;

/// How many orders a sample has.
const SAMPLED: usize = 1_000;

/// What the orders gave.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) mean: f64,
    pub(super) lowest: f64,
    pub(super) highest: f64,
    pub(super) method: TieMethod,
}

/// Tied documents whose order matters.
struct Group {
    /// Its hits.
    hits: Range<usize>,
    before: usize,
    size: usize,
    /// The kind of the document at each place, as a number below that of kinds.
    places: Vec<u32>,
    /// Where the hits of each kind start, and one behind the last; those of documents without a judgement are the others.
    kinds: Vec<usize>,
}

/// Goes through the orders of a query's ties.
pub(super) fn visit<M: Measure + ?Sized>(measure: &M, query: &JudgedRanking<'_>) -> Found {
    let as_ranked = measure.as_ranked(query);
    let mut found = Found {
        mean: 0.0,
        lowest: as_ranked,
        highest: as_ranked,
        method: TieMethod::Closed,
    };
    let mut hits = query.hits.to_vec();
    let mut seed = Seed::new();
    let mut groups = groups(measure, query, &mut hits, &mut seed);
    let orders = groups.iter().fold(1, |orders: u64, group| {
        orders.saturating_mul(group.orders())
    });
    let mut count = 0usize;
    let mut take = |hits: &[Hit]| {
        let value = measure.as_ranked(&JudgedRanking { hits, ..*query });
        count += 1;
        found.mean += value;
        found.lowest = found.lowest.min(value);
        found.highest = found.highest.max(value);
    };
    let source = hits.clone();
    if orders <= ENUMERATED {
        for group in &groups {
            group.write(&source, &mut hits);
        }
        take(&hits);
        while let Some(changed) = groups.iter_mut().position(Group::advance) {
            for group in &groups[..=changed] {
                group.write(&source, &mut hits);
            }
            take(&hits);
        }
    } else {
        let mut random = Random(seed.0);
        for _ in 0..SAMPLED {
            for group in &mut groups {
                group.shuffle(&source, &mut hits, &mut random);
            }
            take(&hits);
        }
    }
    found.mean /= count as f64;
    found.method = match orders {
        1 => TieMethod::Closed,
        orders if orders <= ENUMERATED => TieMethod::Enumerated,
        _ => TieMethod::Sampled,
    };
    found
}

/// The groups whose order matters; their hits are sorted by kind, so that nothing depends on the order of the ranking.
fn groups<M: Measure + ?Sized>(
    measure: &M,
    query: &JudgedRanking<'_>,
    hits: &mut [Hit],
    seed: &mut Seed,
) -> Vec<Group> {
    let unjudged = measure.kind(query, None);
    let (mut groups, mut end) = (Vec::new(), 0);
    for group in query.groups {
        let range = end..end + group.judged;
        end = range.end;
        if group.size == 1 || group.before >= measure.depth() {
            continue;
        }
        let mut kinds: Vec<(u64, Hit)> = hits[range.clone()]
            .iter()
            .map(|hit| (measure.kind(query, Some(hit)), *hit))
            .collect();
        kinds.sort_by_key(|(kind, _)| *kind);
        seed.add(group.before as u64);
        seed.add(group.size as u64);
        let mut own = Group {
            hits: range.clone(),
            before: group.before,
            size: group.size,
            places: Vec::with_capacity(group.size),
            kinds: vec![0],
        };
        let mut free = group.size - group.judged;
        for (at, (kind, hit)) in kinds.iter().enumerate() {
            seed.add(*kind);
            hits[range.start + at] = *hit;
            if at > 0 && kinds[at - 1].0 != *kind {
                own.kinds.push(at);
            }
            let number = own.kinds.len() as u32 - 1;
            own.places.push(number);
            if *kind == unjudged {
                own.places
                    .extend(std::iter::repeat_n(number, std::mem::take(&mut free)));
            }
        }
        let others = own.kinds.len() as u32;
        own.kinds.push(kinds.len());
        own.places.extend(std::iter::repeat_n(others, free));
        if own.places.first() != own.places.last() {
            groups.push(own);
        }
    }
    groups
}

impl Group {
    /// How many orders there are; [`u64::MAX`] where there are more than are gone through.
    fn orders(&self) -> u64 {
        let (mut orders, mut left) = (1u64, 0u64);
        for same in self.places.chunk_by(|a, b| a == b) {
            for n in 1..=same.len() as u64 {
                left += 1;
                // A binomial coefficient so far, times the orders of the kinds before: no remainder.
                orders = match orders.checked_mul(left) {
                    Some(product) if product / n <= ENUMERATED => product / n,
                    _ => return u64::MAX,
                };
            }
        }
        orders
    }

    /// Goes to the next order; false where it starts again with the first.
    fn advance(&mut self) -> bool {
        let places = &mut self.places;
        let Some(at) = places.windows(2).rposition(|pair| pair[0] < pair[1]) else {
            places.reverse();
            return false;
        };
        let with = places.iter().rposition(|kind| *kind > places[at]);
        places.swap(at, with.unwrap_or(at));
        places[at + 1..].reverse();
        true
    }

    /// Writes the hits of this order.
    fn write(&self, source: &[Hit], hits: &mut [Hit]) {
        let own = &source[self.hits.clone()];
        let mut next = self.kinds.clone();
        let mut to = self.hits.start;
        for (place, kind) in self.places.iter().enumerate() {
            let kind = *kind as usize;
            if kind + 1 < self.kinds.len() && next[kind] < self.kinds[kind + 1] {
                hits[to] = Hit {
                    rank: self.before + place + 1,
                    ..own[next[kind]]
                };
                next[kind] += 1;
                to += 1;
            }
        }
    }

    /// Writes the hits of a random order.
    fn shuffle(&mut self, source: &[Hit], hits: &mut [Hit], random: &mut Random) {
        let to = &mut hits[self.hits.clone()];
        // The places are a scratch here: only how many there are matters.
        if self.places.windows(2).any(|pair| pair[0] >= pair[1]) {
            self.places.clear();
            self.places.extend(0..self.size as u32);
        }
        let mut swaps = Vec::with_capacity(to.len());
        for (at, (hit, own)) in to.iter_mut().zip(&source[self.hits.clone()]).enumerate() {
            let with = at + random.below(self.size - at);
            self.places.swap(at, with);
            swaps.push(with);
            *hit = Hit {
                rank: self.before + self.places[at] as usize + 1,
                ..*own
            };
        }
        for (at, with) in swaps.into_iter().enumerate().rev() {
            self.places.swap(at, with);
        }
        to.sort_unstable_by_key(|hit| hit.rank);
    }
}

/// A hash of what the groups hold (FNV-1a), from which random orders are drawn.
struct Seed(u64);

impl Seed {
    fn new() -> Self {
        Seed(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, value: u64) {
        for byte in value.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

/// SplitMix64 (Steele, Lea & Flood 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `n`.
    fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }
}
