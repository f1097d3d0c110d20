//! Compatibility: similarity to the ideal ranking.

use crate::definition::{Aggregate, Cutoff, Definition, Example, Range, alias, bound};
use crate::measure::{JudgedRanking, Measure, ratio};
use crate::parameter::{Parameter, ParameterKind};

/// How deep the rankings are compared, as in the reference implementation.
const DEPTH: usize = 1000;

const P: Parameter = Parameter {
    name: "p",
    kind: ParameterKind::Share {
        default: 0.95,
        open: true,
    },
    summary: "how much the next rank weighs against this one",
};

pub(super) static DEFINITION: Definition = Definition {
    name: "Compat",
    aliases: &[alias("compatibility")],
    summary: "the rank-biased overlap, over 1000 ranks, with the ideal ranking of all documents of a grade above 0, those of one grade in the order \
              of the run, / that of the ideal ranking with itself",
    parameters: &[P],
    cutoff: Cutoff::None,
    range: Range::Unit,
    aggregate: Aggregate::Mean,
    source: "Clarke, Vtyurina & Smucker 2021, Assessing Top-k Preferences; compatibility.py of its authors",
    example: Example {
        measure: "Compat(p=0.5)",
        ranking: "0 1",
        missed: "",
        working: "the sum of 0.5^(i - 1) / i from i = 2 on over that from i = 1 on: 0.3863 / 1.3863",
        value: 0.2787,
    },
    bind: |spec, _| bound(Compatibility::new(spec.number("p"))),
};

#[derive(Debug)]
struct Compatibility {
    /// What a document adds that both rankings hold from rank i on, at i - 1.
    overlap_from: Vec<f64>,
}

impl Compatibility {
    fn new(persistence: f64) -> Self {
        let mut weights = Vec::with_capacity(DEPTH);
        let mut weight = 1.0;
        for depth in 1..=DEPTH {
            weights.push(weight / depth as f64);
            weight *= persistence;
        }
        let mut rest = 0.0;
        for weight in weights.iter_mut().rev() {
            rest += *weight;
            *weight = rest;
        }
        Compatibility {
            overlap_from: weights,
        }
    }

    fn from(&self, rank: usize) -> f64 {
        self.overlap_from.get(rank - 1).copied().unwrap_or(0.0)
    }
}

impl Measure for Compatibility {
    fn as_ranked(&self, query: &JudgedRanking<'_>) -> f64 {
        // How many documents of each grade were met.
        let mut met: Vec<(f64, usize)> = Vec::new();
        let mut sum = 0.0;
        for hit in query.hits.iter().filter(|hit| hit.grade > 0.0) {
            let before = match met.iter_mut().find(|(grade, _)| *grade == hit.grade) {
                Some((_, count)) => {
                    *count += 1;
                    *count - 1
                }
                None => {
                    met.push((hit.grade, 1));
                    0
                }
            };
            let better = query.judged.partition_point(|grade| *grade > hit.grade);
            sum += self.from(hit.rank.max(better + before + 1));
        }
        let positive = query.judged.partition_point(|grade| *grade > 0.0);
        let ideal = (1..=positive.min(DEPTH)).map(|rank| self.from(rank)).sum();
        ratio(sum, ideal).min(1.0)
    }

    fn is_ordered(&self) -> bool {
        true
    }
}
