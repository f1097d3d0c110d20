//! Expected reciprocal rank over the intents of a query.

use mrmr_core::Result;

use super::diversity::{ALPHA, Diversity};
use crate::context::Context;
use crate::definition::{Aggregate, Cutoff, Definition, Example, Range, alias, bound};
use crate::measure::{Hit, JudgedRanking, Measure, ratio};
use crate::parameter::REL;
use crate::spec::MeasureSpec;

pub(super) static DEFINITION: Definition = Definition {
    name: "ERR_IA",
    aliases: &[alias("err-ia")],
    summary: "the sum over the top k of 1 / rank times (1 - alpha)^n for each subtopic that the document and n documents before it \
              are relevant to, / the sum if every document were relevant to every subtopic",
    parameters: &[ALPHA, REL],
    cutoff: Cutoff::Required,
    range: Range::Unit,
    aggregate: Aggregate::Mean,
    source: "Chapelle et al. 2009; ndeval 4.5, which leaves ERR-IA@1 undivided",
    example: Example {
        measure: "ERR_IA@2",
        ranking: "a ab",
        missed: "",
        working: "(1 + (0.5 + 1) / 2) / (2 (1 + 0.5 / 2))",
        value: 0.7,
    },
    bind: |spec, context| bound(ErrIa::new(spec, context)?),
};

#[derive(Debug)]
struct ErrIa {
    diversity: Diversity,
    depth: usize,
    /// The sum for one subtopic that every document is relevant to.
    most: f64,
}

impl ErrIa {
    fn new(spec: &MeasureSpec, context: &Context<'_>) -> Result<Self> {
        let (depth, kept) = (spec.depth(), 1.0 - spec.number("alpha"));
        let (mut most, mut gain) = (0.0, 1.0);
        for rank in 1..=depth {
            if gain == 0.0 {
                break;
            }
            most += gain / rank as f64;
            gain *= kept;
        }
        Ok(ErrIa {
            diversity: Diversity::new(spec, context.qrels)?,
            depth,
            most,
        })
    }
}

impl Measure for ErrIa {
    fn as_ranked(&self, query: &JudgedRanking<'_>) -> f64 {
        let sum = self.diversity.sum(query, self.depth, |rank| rank as f64);
        let count = self.diversity.count(query.query) as f64;
        ratio(sum, count * self.most).min(1.0)
    }

    fn kind(&self, query: &JudgedRanking<'_>, hit: Option<&Hit>) -> u64 {
        self.diversity.kind(query.query, hit)
    }

    fn depth(&self) -> usize {
        self.depth
    }
}
