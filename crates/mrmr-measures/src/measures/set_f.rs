//! The F measure of all that was retrieved.

use crate::definition::{Aggregate, Cutoff, Definition, Example, Range, Suffix, bound, suffixed};
use crate::measure::{JudgedRanking, Measure, binary, ratio};
use crate::parameter::{Parameter, ParameterKind, REL};

const BETA: Parameter = Parameter {
    name: "beta",
    kind: ParameterKind::Number {
        default: 1.0,
        min: 0.0,
        open: false,
    },
    summary: "how much more recall weighs than precision, the square of what F calls beta",
};

pub(super) static DEFINITION: Definition = Definition {
    name: "SetF",
    aliases: &[suffixed("set_f", Suffix::Value("beta"))],
    summary: "(1 + beta) P R / (R + beta P) of SetP and SetR; beta is not squared, as in trec_eval and ir_measures: that of F is",
    parameters: &[BETA, REL],
    cutoff: Cutoff::None,
    range: Range::Unit,
    aggregate: Aggregate::Mean,
    source: "trec_eval set_F",
    example: Example {
        measure: "SetF",
        ranking: "1 0 1 -",
        missed: "1",
        working: "P = 2/4 and R = 2/3: 2 (1/2) (2/3) / (2/3 + 1/2)",
        value: 0.5714,
    },
    bind: |spec, _| {
        bound(SetF {
            rel: spec.number("rel"),
            beta: spec.number("beta"),
        })
    },
};

#[derive(Debug)]
struct SetF {
    rel: f64,
    beta: f64,
}

impl Measure for SetF {
    fn as_ranked(&self, query: &JudgedRanking<'_>) -> f64 {
        // With P = x / n and R = x / m the definition is (1 + beta) x / (n + beta m).
        let found = query.retrieved_relevant(self.rel);
        let relevant = query.relevant(self.rel) as f64;
        let whole = query.retrieved as f64 + self.beta * relevant;
        ratio((1.0 + self.beta) * found, whole)
    }

    fn averaged(&self, query: &JudgedRanking<'_>) -> Option<f64> {
        Some(self.as_ranked(query))
    }

    fn worth(&self, grade: Option<f64>) -> f64 {
        binary(self.rel)(grade)
    }

    fn is_ordered(&self) -> bool {
        true
    }
}
