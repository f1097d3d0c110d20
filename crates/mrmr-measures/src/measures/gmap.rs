//! Geometric mean average precision.

use super::ap::AveragePrecision;
use crate::definition::{Aggregate, Cutoff, Definition, Example, Range, alias, bound};
use crate::measure::{JudgedRanking, Measure};
use crate::parameter::REL;

pub(super) static DEFINITION: Definition = Definition {
    name: "GMAP",
    aliases: &[alias("gm_map")],
    summary: "AP by query, and over queries the geometric mean of AP, at least 0.00001 each",
    parameters: &[REL],
    cutoff: Cutoff::None,
    range: Range::Unit,
    aggregate: Aggregate::GeometricMean,
    source: "Robertson 2006, On GMAP: and Other Transformations; trec_eval gm_map",
    example: Example {
        measure: "GMAP",
        ranking: "1 0 1",
        missed: "1",
        working: "one query: its AP, (1/1 + 2/3) / 3; with a second of AP 0.01, sqrt(0.5556 * 0.01)",
        value: 0.5556,
    },
    bind: |spec, _| bound(Gmap(AveragePrecision::new(spec))),
};

#[derive(Debug)]
struct Gmap(AveragePrecision);

impl Measure for Gmap {
    fn as_ranked(&self, query: &JudgedRanking<'_>) -> f64 {
        self.0.as_ranked(query)
    }

    fn averaged(&self, query: &JudgedRanking<'_>) -> Option<f64> {
        self.0.averaged(query)
    }

    fn worth(&self, grade: Option<f64>) -> f64 {
        self.0.worth(grade)
    }

    fn is_ordered(&self) -> bool {
        true
    }
}
