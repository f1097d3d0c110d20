//! Inferred average precision.

use crate::definition::{Aggregate, Cutoff, Definition, Example, Range, bound};
use crate::measure::{Hit, JudgedRanking, Measure, ratio};
use crate::parameter::REL;

/// Keeps the share of relevant documents defined before the first judged one.
const EPSILON: f64 = 0.00001;

pub(super) static DEFINITION: Definition = Definition {
    name: "infAP",
    aliases: &[],
    summary: "AP from a judged sample of a pool: the precision at a relevant document is inferred from the judged ones before it; \
              a grade below 0 says pooled and not judged, no grade not pooled",
    parameters: &[REL],
    cutoff: Cutoff::None,
    range: Range::Unit,
    aggregate: Aggregate::Mean,
    source: "Yilmaz & Aslam 2006, Estimating Average Precision with Incomplete and Imperfect Judgments; trec_eval infAP",
    example: Example {
        measure: "infAP",
        ranking: "1 -1 0 1",
        missed: "",
        working: "(1 + (1/4 + (3/4) (3 pooled / 3) (1 relevant / 2 judged))) / 2",
        value: 0.8125,
    },
    bind: |spec, _| {
        bound(InferredAp {
            rel: spec.number("rel"),
        })
    },
};

#[derive(Debug)]
struct InferredAp {
    rel: f64,
}

impl Measure for InferredAp {
    fn as_ranked(&self, query: &JudgedRanking<'_>) -> f64 {
        let (mut sum, mut relevant, mut judged, mut pooled) = (0.0, 0.0, 0.0, 0.0);
        for hit in query.hits {
            let is_relevant = hit.grade >= self.rel;
            if is_relevant {
                let before = (hit.rank - 1) as f64;
                sum += 1.0 / hit.rank as f64;
                if before > 0.0 {
                    let share = (relevant + EPSILON) / (judged + 2.0 * EPSILON);
                    sum += before / hit.rank as f64 * (pooled / before) * share;
                }
                relevant += 1.0;
            }
            pooled += 1.0;
            judged += f64::from(u8::from(is_relevant || hit.grade >= 0.0));
        }
        ratio(sum, query.relevant(self.rel) as f64)
    }

    fn worth(&self, grade: Option<f64>) -> f64 {
        f64::from(u8::from(grade.is_some_and(|grade| grade >= self.rel)))
    }

    fn kind(&self, _: &JudgedRanking<'_>, hit: Option<&Hit>) -> u64 {
        match hit.map(|hit| hit.grade) {
            None => 0,
            Some(grade) if grade >= self.rel => 3,
            Some(grade) if grade >= 0.0 => 2,
            Some(_) => 1,
        }
    }
}
