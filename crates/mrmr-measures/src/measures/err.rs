//! Expected reciprocal rank.

use mrmr_core::{Error, Result};

use crate::context::Context;
use crate::definition::{Aggregate, Cutoff, Definition, Example, Range, bound};
use crate::measure::{Group, Hit, JudgedRanking, Measure};
use crate::parameter::MAX_REL;
use crate::spec::MeasureSpec;

pub(super) static DEFINITION: Definition = Definition {
    name: "ERR",
    aliases: &[],
    summary: "the sum over the top k of 1 / rank times the chance that the user stops there: a grade g > 0 stops with chance (2^g - 1) / 2^max_rel",
    parameters: &[MAX_REL],
    cutoff: Cutoff::Optional,
    range: Range::Unit,
    aggregate: Aggregate::Mean,
    source: "Chapelle, Metzler, Zhang & Grinspan 2009, Expected Reciprocal Rank for Graded Relevance",
    example: Example {
        measure: "ERR(max_rel=4)@5",
        ranking: "1 3",
        missed: "",
        working: "1/16 + (15/16) (7/16) / 2",
        value: 0.2676,
    },
    bind: |spec, context| bound(ExpectedReciprocalRank::new(spec, context)?),
};

/// Up to here 1 / 2^grade is a normal number with room to spare.
const LARGEST_GRADE: f64 = 1000.0;

#[derive(Debug)]
pub(super) struct ExpectedReciprocalRank {
    scale: f64,
    depth: usize,
}

impl ExpectedReciprocalRank {
    pub(super) fn new(spec: &MeasureSpec, context: &Context<'_>) -> Result<Self> {
        let max_rel = context.max_rel(spec)?;
        if max_rel > LARGEST_GRADE {
            return Err(Error::data(format!(
                "{} of grades up to {max_rel}: a grade of 1 would stop with a chance too small for a number",
                spec.definition().name
            ))
            .hint(format!("the highest grade may be {LARGEST_GRADE}; are the grades on another scale?")));
        }
        Ok(ExpectedReciprocalRank {
            scale: max_rel.exp2(),
            depth: spec.depth(),
        })
    }

    /// The value of documents of these worths from this rank on.
    fn sum(&self, worths: impl Iterator<Item = (usize, f64)>) -> f64 {
        let (mut sum, mut going_on) = (0.0, 1.0);
        for (rank, stops) in worths.take_while(|(rank, _)| *rank <= self.depth) {
            sum += going_on * stops / rank as f64;
            going_on *= 1.0 - stops;
        }
        sum
    }

    /// The value of the best order of all judged documents.
    pub(super) fn ideal(&self, query: &JudgedRanking<'_>) -> f64 {
        let positive = query.judged.iter().take_while(|grade| **grade > 0.0);
        let ranks = positive.enumerate();
        self.sum(ranks.map(|(at, grade)| (at + 1, self.worth(Some(*grade)))))
    }

    /// For each number of places of a group that counts, from 0 up: the mean chance that the user goes on past
    /// documents drawn for them.
    fn goes_on(&self, group: Group, hits: &[Hit], chances: &mut Vec<f64>) {
        let places = self.depth.saturating_sub(group.before).min(group.size);
        chances.clear();
        chances.resize(places + 1, 1.0);
        for (others, hit) in (group.size - group.judged..).zip(hits) {
            // Of one document more, j of them hold it with chance j / all.
            let (all, passes) = ((others + 1) as f64, 1.0 - self.worth(Some(hit.grade)));
            for drawn in (1..=places.min(others + 1)).rev() {
                let holds = drawn as f64 / all;
                let without = if drawn > others { 0.0 } else { chances[drawn] };
                chances[drawn] = (1.0 - holds) * without + holds * passes * chances[drawn - 1];
            }
        }
    }
}

impl Measure for ExpectedReciprocalRank {
    fn as_ranked(&self, query: &JudgedRanking<'_>) -> f64 {
        let hits = query.hits.iter();
        self.sum(hits.map(|hit| (hit.rank, self.worth(Some(hit.grade)))))
    }

    /// The user stops at place j of a group who goes on past j - 1 documents drawn from it and not past j.
    fn averaged(&self, query: &JudgedRanking<'_>) -> Option<f64> {
        let (mut sum, mut going_on, mut chances) = (0.0, 1.0, Vec::new());
        for (group, hits) in query.groups() {
            if group.before >= self.depth {
                break;
            }
            self.goes_on(group, hits, &mut chances);
            for (at, pair) in chances.windows(2).enumerate() {
                sum += going_on * (pair[0] - pair[1]) / (group.before + at + 1) as f64;
            }
            going_on *= chances.last().copied().unwrap_or(1.0);
        }
        Some(sum)
    }

    fn worth(&self, grade: Option<f64>) -> f64 {
        match grade {
            Some(grade) if grade > 0.0 => (grade.exp2() - 1.0) / self.scale,
            _ => 0.0,
        }
    }

    fn is_ordered(&self) -> bool {
        true
    }
}
