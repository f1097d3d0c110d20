//! R-precision.

use crate::definition::{
    Aggregate, Cutoff, Definition, Example, Range, Suffix, alias, bound, suffixed,
};
use crate::measure::{JudgedRanking, Measure, Ties, binary, ratio};
use crate::parameter::{Parameter, ParameterKind, REL};

const MULTIPLE: Parameter = Parameter {
    name: "multiple",
    kind: ParameterKind::Number {
        default: 1.0,
        min: 0.0,
        open: true,
    },
    summary: "at how many times R ranks precision is taken",
};

pub(super) static DEFINITION: Definition = Definition {
    name: "Rprec",
    aliases: &[
        alias("r_precision"),
        alias("r-precision"),
        suffixed("rprec_mult", Suffix::RequiredValue("multiple")),
    ],
    summary: "precision at R, the number of relevant documents, or at a multiple of it; 0 where there are none",
    parameters: &[MULTIPLE, REL],
    cutoff: Cutoff::None,
    range: Range::Unit,
    aggregate: Aggregate::Mean,
    source: "trec_eval Rprec, Rprec_mult (ranks are multiple * R + 0.9, rounded down)",
    example: Example {
        measure: "Rprec",
        ranking: "1 0 1",
        missed: "",
        working: "R = 2, and 1 of the first 2 is relevant: 1 / 2",
        value: 0.5,
    },
    bind: |spec, _| {
        bound(RPrecision {
            multiple: spec.number("multiple"),
            rel: spec.number("rel"),
        })
    },
};

#[derive(Debug)]
struct RPrecision {
    multiple: f64,
    rel: f64,
}

impl RPrecision {
    fn at(&self, query: &JudgedRanking<'_>, ties: Ties) -> f64 {
        let relevant = query.relevant(self.rel) as f64;
        let ranks = (self.multiple * relevant + 0.9) as usize;
        ratio(query.relevant_in_top(ranks, self.rel, ties), ranks as f64)
    }
}

impl Measure for RPrecision {
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
