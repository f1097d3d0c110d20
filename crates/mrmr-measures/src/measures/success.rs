//! Success: is there a relevant document in the top k?

use crate::definition::{Aggregate, Cutoff, Definition, REL, Range, alias};
use crate::measure::{JudgedRanking, Measure, Ties, binary};

pub(super) static DEFINITION: Definition = Definition {
    name: "Success",
    aliases: &[alias("hit"), alias("hit_rate")],
    summary: "1 if any relevant document is in the top k, else 0",
    parameters: &[REL],
    cutoff: Cutoff::Required,
    range: Range::Unit,
    aggregate: Aggregate::Mean,
    source: "trec_eval success",
    bind: |spec| {
        Box::new(Success {
            rel: spec.number("rel"),
            depth: spec.depth(),
        })
    },
};

#[derive(Debug)]
struct Success {
    rel: f64,
    depth: usize,
}

impl Measure for Success {
    fn value(&self, query: &JudgedRanking<'_>, ties: Ties) -> f64 {
        match ties {
            Ties::AsRanked => {
                let first = query.first_relevant(self.rel);
                f64::from(u8::from(first.is_some_and(|rank| rank <= self.depth)))
            }
            Ties::Averaged => {
                let mut groups = query.counts(self.rel);
                let Some(group) = groups.find(|group| group.relevant > 0) else {
                    return 0.0;
                };
                // Drawn without replacement: the probability that no place in the top k is relevant.
                let places = group.places(self.depth);
                let none: f64 = (0..places)
                    .map(|at| {
                        let left = group.size - at;
                        left.saturating_sub(group.relevant) as f64 / left as f64
                    })
                    .product();
                1.0 - none
            }
        }
    }

    fn worth(&self, grade: Option<f64>) -> f64 {
        binary(self.rel)(grade)
    }
}
