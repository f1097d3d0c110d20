//! Average precision.

use crate::definition::{Aggregate, Cutoff, Definition, Example, Range, alias, bound};
use crate::measure::{JudgedRanking, Measure, binary, ratio};
use crate::parameter::{Parameter, ParameterKind, REL};
use crate::spec::MeasureSpec;

const NORM: Parameter = Parameter {
    name: "norm",
    kind: ParameterKind::Choice {
        names: &["all", "min"],
    },
    summary: "divide by all relevant documents R, or by min(R, k)",
};

pub(super) static DEFINITION: Definition = Definition {
    name: "AP",
    aliases: &[alias("map"), alias("map_cut"), alias("average_precision")],
    summary: "the sum of the precision at the rank of each relevant document in the top k / R",
    parameters: &[REL, NORM],
    cutoff: Cutoff::Optional,
    range: Range::Unit,
    aggregate: Aggregate::Mean,
    source: "trec_eval map; its mean over tied orders: McSherry & Najork 2008",
    example: Example {
        measure: "AP",
        ranking: "1 0 1",
        missed: "1",
        working: "(1/1 + 2/3) / 3",
        value: 0.5556,
    },
    bind: |spec, _| bound(AveragePrecision::new(spec)),
};

#[derive(Debug)]
pub(super) struct AveragePrecision {
    rel: f64,
    depth: usize,
    capped: bool,
}

impl AveragePrecision {
    pub(super) fn new(spec: &MeasureSpec) -> Self {
        AveragePrecision {
            rel: spec.number("rel"),
            depth: spec.depth(),
            capped: spec.is("norm", "min"),
        }
    }

    /// A sum of precisions over the relevant documents, those that count at most.
    fn normalised(&self, query: &JudgedRanking<'_>, sum: f64) -> f64 {
        let relevant = query.relevant(self.rel);
        let norm = if self.capped {
            relevant.min(self.depth)
        } else {
            relevant
        };
        ratio(sum, norm as f64)
    }

    fn sum_as_ranked(&self, query: &JudgedRanking<'_>) -> f64 {
        let (mut sum, mut found) = (0.0, 0usize);
        for hit in query
            .top(self.depth)
            .iter()
            .filter(|hit| hit.grade >= self.rel)
        {
            found += 1;
            sum += found as f64 / hit.rank as f64;
        }
        sum
    }

    /// At place j of a group of n documents, r of them relevant, one is relevant with probability
    /// r / n, and then (j - 1)(r - 1) / (n - 1) of those before it in the group are, on average.
    fn sum_averaged(&self, query: &JudgedRanking<'_>) -> f64 {
        let (mut sum, mut found) = (0.0, 0usize);
        for group in query.counts(self.rel) {
            if group.relevant > 0 {
                let chance = group.relevant as f64 / group.size as f64;
                let more = if group.size > 1 {
                    (group.relevant - 1) as f64 / (group.size - 1) as f64
                } else {
                    0.0
                };
                let places = group.places(self.depth);
                for at in 0..places {
                    let before = found as f64 + 1.0 + at as f64 * more;
                    sum += chance * before / (group.before + at + 1) as f64;
                }
            }
            found += group.relevant;
        }
        sum
    }
}

impl Measure for AveragePrecision {
    fn as_ranked(&self, query: &JudgedRanking<'_>) -> f64 {
        self.normalised(query, self.sum_as_ranked(query))
    }

    fn averaged(&self, query: &JudgedRanking<'_>) -> Option<f64> {
        Some(self.normalised(query, self.sum_averaged(query)))
    }

    fn worth(&self, grade: Option<f64>) -> f64 {
        binary(self.rel)(grade)
    }

    fn is_ordered(&self) -> bool {
        true
    }
}
