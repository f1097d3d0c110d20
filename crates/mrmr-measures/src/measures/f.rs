//! The F measure.

use crate::definition::{Aggregate, Cutoff, Definition, Example, Range, bound, implying};
use crate::measure::{JudgedRanking, Measure, Ties, binary, ratio};
use crate::parameter::{Parameter, ParameterKind, REL};

const BETA: Parameter = Parameter {
    name: "beta",
    kind: ParameterKind::Number {
        default: 1.0,
        min: 0.0,
        open: true,
    },
    summary: "how much more recall weighs than precision",
};

pub(super) static DEFINITION: Definition = Definition {
    name: "F",
    aliases: &[implying("f1", &[("beta", "1")])],
    summary: "(1 + beta^2) P R / (beta^2 P + R) of precision and recall in the top k",
    parameters: &[BETA, REL],
    cutoff: Cutoff::Required,
    range: Range::Unit,
    aggregate: Aggregate::Mean,
    source: "van Rijsbergen 1979, Information Retrieval, chapter 7",
    example: Example {
        measure: "F@4",
        ranking: "1 - 1 0",
        missed: "1",
        working: "P = 2/4 and R = 2/3: 2 (1/2) (2/3) / (1/2 + 2/3)",
        value: 0.5714,
    },
    bind: |spec, _| {
        bound(FMeasure {
            beta: spec.number("beta"),
            rel: spec.number("rel"),
            depth: spec.depth(),
        })
    },
};

#[derive(Debug)]
struct FMeasure {
    beta: f64,
    rel: f64,
    depth: usize,
}

impl FMeasure {
    fn at(&self, query: &JudgedRanking<'_>, ties: Ties) -> f64 {
        // With P = x / k and R = x / n the definition is linear in x, the relevant documents in the
        // top k: (1 + beta^2) x / (beta^2 n + k). So the mean over ties is the value of the mean.
        let square = self.beta * self.beta;
        let found = query.relevant_in_top(self.depth, self.rel, ties);
        let relevant = query.relevant(self.rel) as f64;
        if relevant == 0.0 {
            return 0.0;
        }
        ratio(
            (1.0 + square) * found,
            square * relevant + self.depth as f64,
        )
    }
}

impl Measure for FMeasure {
    fn as_ranked(&self, query: &JudgedRanking<'_>) -> f64 {
        self.at(query, Ties::AsRanked)
    }

    fn averaged(&self, query: &JudgedRanking<'_>) -> Option<f64> {
        Some(self.at(query, Ties::Averaged))
    }

    fn worth(&self, grade: Option<f64>) -> f64 {
        binary(self.rel)(grade)
    }

    fn is_ordered(&self) -> bool {
        true
    }
}
