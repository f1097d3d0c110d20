//! Rank-biased precision.

use mrmr_core::{Error, Result};

use crate::context::Context;
use crate::definition::{Aggregate, Cutoff, Definition, Example, Range, Suffix, bound, suffixed};
use crate::measure::{JudgedRanking, Measure, Ties, binary};
use crate::parameter::{MAX_REL, Otherwise, Parameter, ParameterKind};
use crate::spec::MeasureSpec;

const P: Parameter = Parameter {
    name: "p",
    kind: ParameterKind::Share {
        default: 0.8,
        open: true,
    },
    summary: "the chance that the user goes on to the next rank",
};

const REL: Parameter = Parameter {
    name: "rel",
    kind: ParameterKind::Optional {
        min: f64::MIN,
        open: false,
        otherwise: Otherwise::Unused,
    },
    summary: "grades from this on gain 1, others 0",
};

pub(super) static DEFINITION: Definition = Definition {
    name: "RBP",
    aliases: &[suffixed("rbp", Suffix::Decimals("p"))],
    summary: "the sum over the top k of gain (1 - p) p^(rank - 1), where a grade above 0 gains grade / max_rel",
    parameters: &[P, REL, MAX_REL],
    cutoff: Cutoff::Optional,
    range: Range::Unit,
    aggregate: Aggregate::Mean,
    source: "Moffat & Zobel 2008, Rank-Biased Precision for Measurement of Retrieval Effectiveness",
    example: Example {
        measure: "RBP(p=0.5)",
        ranking: "2 - 1",
        missed: "",
        working: "0.5 (1 + 0.25 / 2)",
        value: 0.5625,
    },
    bind: |spec, context| bound(Rbp::new(spec, context)?),
};

#[derive(Debug)]
struct Rbp {
    persistence: f64,
    rel: Option<f64>,
    max_rel: f64,
    depth: usize,
}

impl Rbp {
    fn new(spec: &MeasureSpec, context: &Context<'_>) -> Result<Self> {
        let rel = spec.optional("rel");
        if rel.is_some() && spec.optional("max_rel").is_some() {
            return Err(Error::usage(format!(
                "{spec}: with rel every gain is 0 or 1, so max_rel means nothing"
            ))
            .hint("leave one of them out"));
        }
        Ok(Rbp {
            persistence: spec.number("p"),
            rel,
            max_rel: context.max_rel(spec)?,
            depth: spec.depth(),
        })
    }

    /// The weight of so many ranks behind so many others.
    fn weight(&self, before: usize, count: usize) -> f64 {
        power(self.persistence, before) * (1.0 - power(self.persistence, count))
    }

    /// The sum of what each retrieved judged document gains, weighted.
    fn sum(&self, query: &JudgedRanking<'_>, ties: Ties, gain: impl Fn(f64) -> f64) -> f64 {
        match ties {
            Ties::AsRanked => {
                let top = query.top(self.depth).iter();
                top.map(|hit| gain(hit.grade) * self.weight(hit.rank - 1, 1))
                    .sum()
            }
            Ties::Averaged => query
                .groups()
                .map(|(group, hits)| {
                    let places = self.depth.saturating_sub(group.before).min(group.size);
                    let gains: f64 = hits.iter().map(|hit| gain(hit.grade)).sum();
                    gains / group.size as f64 * self.weight(group.before, places)
                })
                .sum(),
        }
    }

    fn at(&self, query: &JudgedRanking<'_>, ties: Ties) -> f64 {
        self.sum(query, ties, |grade| self.worth(Some(grade)))
            .min(1.0)
    }
}

/// `base` to a whole power: the same bits everywhere, which `powi` does not promise.
fn power(mut base: f64, mut exponent: usize) -> f64 {
    let mut product = 1.0;
    while exponent > 0 {
        if exponent & 1 == 1 {
            product *= base;
        }
        base *= base;
        exponent >>= 1;
    }
    product
}

impl Measure for Rbp {
    fn as_ranked(&self, query: &JudgedRanking<'_>) -> f64 {
        self.at(query, Ties::AsRanked)
    }

    fn averaged(&self, query: &JudgedRanking<'_>) -> Option<f64> {
        Some(self.at(query, Ties::Averaged))
    }

    fn worth(&self, grade: Option<f64>) -> f64 {
        match (self.rel, grade) {
            (Some(rel), grade) => binary(rel)(grade),
            (None, Some(grade)) if grade > 0.0 => grade / self.max_rel,
            (None, _) => 0.0,
        }
    }

    fn is_ordered(&self) -> bool {
        true
    }

    /// All ranks weigh 1; what is judged is known.
    fn residual(&self, query: &JudgedRanking<'_>, ties: Ties) -> Option<f64> {
        Some((1.0 - self.sum(query, ties, |_| 1.0)).max(0.0))
    }
}
