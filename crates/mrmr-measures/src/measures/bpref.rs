//! Binary preference.

use crate::definition::{Aggregate, Cutoff, Definition, Example, Range, bound};
use crate::measure::{JudgedRanking, Measure, ratio};
use crate::parameter::REL;

pub(super) static DEFINITION: Definition = Definition {
    name: "bpref",
    aliases: &[],
    summary: "1 - min(judged non-relevant documents before it, R) / min(their number N, R) for each retrieved relevant document, \
              1 while none was before it, / R; grades below 0 are unjudged",
    parameters: &[REL],
    cutoff: Cutoff::None,
    range: Range::Unit,
    aggregate: Aggregate::Mean,
    source: "Buckley & Voorhees 2004, Retrieval Evaluation with Incomplete Information; trec_eval bpref",
    example: Example {
        measure: "bpref",
        ranking: "1 0 - 1",
        missed: "0",
        working: "R = 2 and N = 2: (1 + (1 - 1/2)) / 2",
        value: 0.75,
    },
    bind: |spec, _| {
        bound(Bpref {
            rel: spec.number("rel"),
        })
    },
};

#[derive(Debug)]
struct Bpref {
    rel: f64,
}

impl Bpref {
    fn is_not_relevant(&self, grade: f64) -> bool {
        grade >= 0.0 && grade < self.rel
    }

    /// What a relevant document counts behind so many judged non-relevant ones.
    fn preference(&self, query: &JudgedRanking<'_>) -> impl Fn(usize) -> f64 + use<> {
        let relevant = query.relevant(self.rel);
        let judged = query.judged.partition_point(|grade| *grade >= 0.0);
        let bound = judged.saturating_sub(relevant).min(relevant) as f64;
        move |before| match before {
            0 => 1.0,
            before => 1.0 - before.min(relevant) as f64 / bound,
        }
    }
}

impl Measure for Bpref {
    fn as_ranked(&self, query: &JudgedRanking<'_>) -> f64 {
        let preference = self.preference(query);
        let (mut sum, mut before) = (0.0, 0);
        for hit in query.hits {
            if hit.grade >= self.rel {
                sum += preference(before);
            } else if self.is_not_relevant(hit.grade) {
                before += 1;
            }
        }
        ratio(sum, query.relevant(self.rel) as f64)
    }

    /// Before a relevant document of a group stand 0 to n of its n judged non-relevant ones, each equally often.
    fn averaged(&self, query: &JudgedRanking<'_>) -> Option<f64> {
        let preference = self.preference(query);
        let (mut sum, mut before) = (0.0, 0);
        for (_, hits) in query.groups() {
            let relevant = hits.iter().filter(|hit| hit.grade >= self.rel).count();
            let others = hits.iter().filter(|hit| self.is_not_relevant(hit.grade));
            let others = others.count();
            if relevant > 0 {
                let all: f64 = (before..=before + others).map(&preference).sum();
                sum += relevant as f64 * all / (others + 1) as f64;
            }
            before += others;
        }
        Some(ratio(sum, query.relevant(self.rel) as f64))
    }

    /// Documents without a judgement change nothing wherever they stand.
    fn worth(&self, grade: Option<f64>) -> f64 {
        match grade {
            Some(grade) if grade >= self.rel => 1.0,
            Some(grade) if self.is_not_relevant(grade) => -1.0,
            _ => 0.0,
        }
    }

    fn is_ordered(&self) -> bool {
        true
    }
}
