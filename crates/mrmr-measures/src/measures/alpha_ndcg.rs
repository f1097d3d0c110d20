//! Normalised discounted cumulative gain with novelty.

use mrmr_core::{Interned, Qrels, QueryId, Result};

use super::dcg::discount;
use super::diversity::{ALPHA, Diversity};
use crate::context::Context;
use crate::definition::{Aggregate, Cutoff, Definition, Example, Range, alias, bound};
use crate::measure::{Hit, JudgedRanking, Measure, ratio};
use crate::parameter::REL;
use crate::spec::MeasureSpec;

pub(super) static DEFINITION: Definition = Definition {
    name: "alpha_nDCG",
    aliases: &[alias("alpha-ndcg"), alias("α_ndcg")],
    summary: "DCG, where a document gains (1 - alpha)^n for each subtopic that it and n documents before it are relevant to, \
              / that of a greedy ideal order of all judged documents, both cut at k; at most 1",
    parameters: &[ALPHA, REL],
    cutoff: Cutoff::Optional,
    range: Range::Unit,
    aggregate: Aggregate::Mean,
    source: "Clarke et al. 2008, Novelty and Diversity in Information Retrieval Evaluation; ndeval 4.5, whose values where the greedy order is not the best exceed 1",
    example: Example {
        measure: "alpha_nDCG@2",
        ranking: "a a",
        missed: "b",
        working: "(1 / log2(2) + 0.5 / log2(3)) / (1 / log2(2) + 1 / log2(3))",
        value: 0.8066,
    },
    bind: |spec, context| bound(AlphaNdcg::new(spec, context)?),
};

/// Gains that differ by less are the same, summed in another order.
const ROUNDING: f64 = 1e-12;

#[derive(Debug)]
struct AlphaNdcg {
    diversity: Diversity,
    depth: usize,
    /// The DCG of each query's ideal order.
    ideal: Vec<f64>,
}

impl AlphaNdcg {
    fn new(spec: &MeasureSpec, context: &Context<'_>) -> Result<Self> {
        let diversity = Diversity::new(spec, context.qrels)?;
        let depth = spec.depth();
        let queries = context.qrels.queries().keys();
        Ok(AlphaNdcg {
            ideal: queries
                .map(|query| ideal(&diversity, context.qrels, query, depth))
                .collect(),
            diversity,
            depth,
        })
    }
}

/// The DCG of the order that takes the document that gains most next; of two that gain the same, that with the
/// larger id, as in ndeval.
fn ideal(diversity: &Diversity, qrels: &Qrels, query: QueryId, depth: usize) -> f64 {
    let name = |judgement: usize| {
        let document = qrels.judgements(query)[judgement].document;
        qrels.documents().name(document).as_bytes()
    };
    // Documents with the same subtopics gain the same at any time: of each kind, those with the largest ids come
    // first. The smallest id stands first here, to be taken from the end.
    let judgements = 0..qrels.judgements(query).len();
    let mut all: Vec<usize> = judgements
        .filter(|judgement| !diversity.of(query, *judgement).is_empty())
        .collect();
    all.sort_by(|a, b| {
        let sets = (diversity.of(query, *a), diversity.of(query, *b));
        sets.0.cmp(sets.1).then(name(*a).cmp(name(*b)))
    });
    let mut kinds: Vec<&[usize]> = all
        .chunk_by(|a, b| diversity.of(query, *a) == diversity.of(query, *b))
        .collect();
    let mut gains = vec![1.0; diversity.count(query)];
    let mut sum = 0.0;
    for rank in 1..=all.len().min(depth) {
        let mut best: Option<(f64, usize, usize)> = None;
        for (kind, rest) in kinds.iter().enumerate() {
            let Some(last) = rest.last() else { continue };
            let subtopics = diversity.of(query, *last).iter();
            let gain: f64 = subtopics.map(|subtopic| gains[*subtopic as usize]).sum();
            let is_better = best.is_none_or(|(most, _, judgement)| {
                let same = (gain - most).abs() < ROUNDING;
                (same && name(*last) > name(judgement)) || (!same && gain > most)
            });
            if is_better {
                best = Some((gain, kind, *last));
            }
        }
        let Some((_, kind, judgement)) = best else {
            break;
        };
        kinds[kind] = &kinds[kind][..kinds[kind].len() - 1];
        sum += diversity.take(diversity.of(query, judgement), &mut gains) / discount(rank);
    }
    sum
}

impl Measure for AlphaNdcg {
    fn as_ranked(&self, query: &JudgedRanking<'_>) -> f64 {
        let sum = self.diversity.sum(query, self.depth, discount);
        ratio(sum, self.ideal[query.query.index()]).min(1.0)
    }

    fn kind(&self, query: &JudgedRanking<'_>, hit: Option<&Hit>) -> u64 {
        self.diversity.kind(query.query, hit)
    }

    fn depth(&self) -> usize {
        self.depth
    }
}
