//! Discounted cumulative gain.

use crate::definition::{Aggregate, Cutoff, Definition, Example, Range, alias, bound, implying};
use crate::measure::{Group, Hit, JudgedRanking, Measure};
use crate::parameter::{Parameter, ParameterKind};
use crate::spec::MeasureSpec;

const GAIN: Parameter = Parameter {
    name: "gain",
    kind: ParameterKind::Choice {
        names: &["linear", "exp2"],
    },
    summary: "the gain of a grade g above 0: g, or 2^g - 1",
};

const MIN_REL: Parameter = Parameter {
    name: "min_rel",
    kind: ParameterKind::Number {
        default: 0.0,
        min: 0.0,
        open: false,
    },
    summary: "grades below this gain nothing",
};

pub(super) const PARAMETERS: &[Parameter] = &[GAIN, MIN_REL];

pub(super) static DEFINITION: Definition = Definition {
    name: "DCG",
    aliases: &[
        alias("dcg_cut"),
        implying("dcg_burges", &[("gain", "exp2")]),
    ],
    summary: "the sum of gain / log2(rank + 1) over the top k",
    parameters: PARAMETERS,
    cutoff: Cutoff::Optional,
    range: Range::NonNegative,
    aggregate: Aggregate::Mean,
    source: "Järvelin & Kekäläinen 2002; gain exp2: Burges et al. 2005",
    example: Example {
        measure: "DCG@3",
        ranking: "3 - 1",
        missed: "",
        working: "3 / log2(2) + 1 / log2(4)",
        value: 3.5,
    },
    bind: |spec, _| bound(Dcg::new(spec)),
};

#[derive(Debug)]
pub(super) struct Dcg {
    exponential: bool,
    min_rel: f64,
    depth: usize,
}

impl Dcg {
    pub(super) fn new(spec: &MeasureSpec) -> Self {
        Dcg {
            exponential: spec.is("gain", "exp2"),
            min_rel: spec.number("min_rel"),
            depth: spec.depth(),
        }
    }

    /// The part of a group of ties, each of its documents at each of its places equally often.
    fn mean(&self, group: Group, hits: &[Hit]) -> f64 {
        let gain: f64 = hits.iter().map(|hit| self.worth(Some(hit.grade))).sum();
        if gain == 0.0 {
            return 0.0;
        }
        let last = self.depth.min(group.before + group.size);
        let shares = (group.before + 1..=last).map(|rank| 1.0 / discount(rank));
        gain / group.size as f64 * shares.sum::<f64>()
    }

    /// The DCG of the ideal order, built from all judged grades.
    pub(super) fn ideal(&self, query: &JudgedRanking<'_>) -> f64 {
        let gains = query.judged.iter().map(|grade| self.worth(Some(*grade)));
        let positive = gains.take(self.depth).take_while(|gain| *gain > 0.0);
        positive
            .enumerate()
            .map(|(at, gain)| gain / discount(at + 1))
            .sum()
    }
}

/// What a gain at a rank is divided by.
pub(super) fn discount(rank: usize) -> f64 {
    ((rank + 1) as f64).log2()
}

impl Measure for Dcg {
    fn as_ranked(&self, query: &JudgedRanking<'_>) -> f64 {
        let top = query.top(self.depth).iter();
        top.map(|hit| self.worth(Some(hit.grade)) / discount(hit.rank))
            .sum()
    }

    fn averaged(&self, query: &JudgedRanking<'_>) -> Option<f64> {
        let groups = query.groups();
        Some(groups.map(|(group, hits)| self.mean(group, hits)).sum())
    }

    fn worth(&self, grade: Option<f64>) -> f64 {
        match grade {
            Some(grade) if grade > 0.0 && grade >= self.min_rel => {
                if self.exponential {
                    grade.exp2() - 1.0
                } else {
                    grade
                }
            }
            _ => 0.0,
        }
    }

    fn is_ordered(&self) -> bool {
        true
    }
}
