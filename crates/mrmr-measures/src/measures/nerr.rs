//! Normalised expected reciprocal rank.

use super::err::ExpectedReciprocalRank;
use crate::definition::{Aggregate, Cutoff, Definition, Example, Range, bound};
use crate::measure::{JudgedRanking, Measure, ratio};
use crate::parameter::MAX_REL;

pub(super) static DEFINITION: Definition = Definition {
    name: "nERR",
    aliases: &[],
    summary: "ERR / the ERR of the ideal order of all judged documents, both cut at k",
    parameters: &[MAX_REL],
    cutoff: Cutoff::Optional,
    range: Range::Unit,
    aggregate: Aggregate::Mean,
    source: "ERR: Chapelle et al. 2009, normalised as nDCG is",
    example: Example {
        measure: "nERR(max_rel=4)@5",
        ranking: "1 3",
        missed: "",
        working: "(1/16 + (15/16) (7/16) / 2) / (7/16 + (9/16) (1/16) / 2)",
        value: 0.588,
    },
    bind: |spec, context| bound(NormalisedErr(ExpectedReciprocalRank::new(spec, context)?)),
};

#[derive(Debug)]
struct NormalisedErr(ExpectedReciprocalRank);

impl Measure for NormalisedErr {
    fn as_ranked(&self, query: &JudgedRanking<'_>) -> f64 {
        ratio(self.0.as_ranked(query), self.0.ideal(query))
    }

    fn averaged(&self, query: &JudgedRanking<'_>) -> Option<f64> {
        Some(ratio(self.0.averaged(query)?, self.0.ideal(query)))
    }

    fn worth(&self, grade: Option<f64>) -> f64 {
        self.0.worth(grade)
    }

    fn is_ordered(&self) -> bool {
        true
    }
}
