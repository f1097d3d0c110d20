//! Normalised discounted cumulative gain.

use super::dcg::{Dcg, PARAMETERS};
use crate::definition::{Aggregate, Cutoff, Definition, Example, Range, alias, bound, implying};
use crate::measure::{JudgedRanking, Measure, ratio};

pub(super) static DEFINITION: Definition = Definition {
    name: "nDCG",
    aliases: &[
        alias("ndcg_cut"),
        implying("ndcg_burges", &[("gain", "exp2")]),
    ],
    summary: "DCG / the DCG of the ideal order of all judged documents, both cut at k",
    parameters: PARAMETERS,
    cutoff: Cutoff::Optional,
    range: Range::Unit,
    aggregate: Aggregate::Mean,
    source: "Järvelin & Kekäläinen 2002; trec_eval ndcg_cut",
    example: Example {
        measure: "nDCG@2",
        ranking: "1 3",
        missed: "",
        working: "(1 / log2(2) + 3 / log2(3)) / (3 / log2(2) + 1 / log2(3)) = 2.8928 / 3.6309",
        value: 0.7967,
    },
    bind: |spec, _| bound(Ndcg(Dcg::new(spec))),
};

#[derive(Debug)]
struct Ndcg(Dcg);

impl Measure for Ndcg {
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
