//! Normalised discounted cumulative gain.

use super::dcg::{Dcg, PARAMETERS};
use crate::definition::{Aggregate, Alias, Cutoff, Definition, Range, alias};
use crate::measure::{JudgedRanking, Measure, Ties, ratio};

pub(super) static DEFINITION: Definition = Definition {
    name: "nDCG",
    aliases: &[
        alias("ndcg_cut"),
        Alias {
            name: "ndcg_burges",
            implies: &[("gain", "exp2")],
        },
    ],
    summary: "DCG / the DCG of the ideal order of all judged documents, both cut at k",
    parameters: PARAMETERS,
    cutoff: Cutoff::Optional,
    range: Range::Unit,
    aggregate: Aggregate::Mean,
    source: "Järvelin & Kekäläinen 2002; trec_eval ndcg_cut",
    bind: |spec| Box::new(Ndcg(Dcg::new(spec))),
};

#[derive(Debug)]
struct Ndcg(Dcg);

impl Measure for Ndcg {
    fn value(&self, query: &JudgedRanking<'_>, ties: Ties) -> f64 {
        ratio(self.0.value(query, ties), self.0.ideal(query))
    }

    fn worth(&self, grade: Option<f64>) -> f64 {
        self.0.worth(grade)
    }
}
