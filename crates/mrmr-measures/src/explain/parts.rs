//! Values as sums over ranks.

use super::{ExplainedPart, ExplainedSum, Explanation};
use crate::measure::Measure;

/// What a sum is divided by that is the value already.
const NOTHING: &str = "nothing";
const RELEVANT: &str = "the relevant documents";
const CAPPED: &str = "the relevant documents, at most the cutoff";

/// How a measure is a sum of `gain * weight / divisor` over ranks.
struct Sum {
    what: ExplainedSum,
    weight: Weight,
}

/// The weight of a rank, given what stands before it.
type Weight = Box<dyn Fn(usize, Before) -> f64>;

/// What stands before a rank.
#[derive(Clone, Copy)]
struct Before {
    /// How many of the documents gain something.
    found: usize,
    /// The chance that a user goes on past all of them who stops at each with its gain as chance.
    going_on: f64,
}

impl Before {
    fn nothing() -> Self {
        Before {
            found: 0,
            going_on: 1.0,
        }
    }

    fn and(self, gain: f64) -> Self {
        Before {
            found: self.found + usize::from(gain > 0.0),
            going_on: self.going_on * (1.0 - gain),
        }
    }
}

/// Adds the parts, where the measure is a sum over ranks.
pub(super) fn fill(explanation: &mut Explanation, measure: &dyn Measure) {
    let Some(sum) = sum_of(explanation) else {
        return;
    };
    let share = |gain: f64, weight: f64| {
        if sum.what.divisor > 0.0 {
            gain * weight / sum.what.divisor
        } else {
            0.0
        }
    };
    let (mut running, mut before) = (0.0, Before::nothing());
    for ranked in &mut explanation.ranks {
        let gain = measure.worth(ranked.grade);
        let weight = (sum.weight)(ranked.rank, before);
        let contribution = share(gain, weight);
        running += contribution;
        before = before.and(gain);
        ranked.part = Some(ExplainedPart {
            gain,
            weight,
            contribution,
            running,
        });
    }
    let mut before = Before::nothing();
    for (at, judged) in explanation.judged.iter_mut().enumerate() {
        let weight = (sum.weight)(at + 1, before);
        judged.ideal_contribution = Some(share(judged.gain, weight));
        before = before.and(judged.gain);
    }
    explanation.sum = Some(sum.what);
}

/// The value of the ideal order, before it is divided by anything.
fn ideal(explanation: &Explanation, weight: &Weight) -> f64 {
    let (mut sum, mut before) = (0.0, Before::nothing());
    for (at, judged) in explanation.gaining().enumerate() {
        sum += judged.gain * weight(at + 1, before);
        before = before.and(judged.gain);
    }
    sum
}

fn sum_of(explanation: &Explanation) -> Option<Sum> {
    let spec = &explanation.spec;
    let depth = spec.depth();
    let retrieved = explanation.ranks.len();
    let gaining = explanation.gaining().count();
    let within = move |rank: usize, weight: f64| if rank <= depth { weight } else { 0.0 };
    let sum = |weight: Option<&'static str>, divisor: f64, divisor_name, of: Weight| {
        Some(Sum {
            what: ExplainedSum {
                weight,
                divisor,
                divisor_name,
            },
            weight: of,
        })
    };
    let plain: Weight = Box::new(move |rank, _| within(rank, 1.0));
    let discount: Weight = Box::new(move |rank, _| within(rank, 1.0 / ((rank + 1) as f64).log2()));
    let cascade: Weight = Box::new(move |rank, before| within(rank, before.going_on / rank as f64));
    let first = |weight: fn(usize) -> f64| -> Weight {
        Box::new(move |rank, before| match before.found {
            0 => within(rank, weight(rank)),
            _ => 0.0,
        })
    };
    let capped = gaining.min(depth) as f64;
    let gaining = gaining as f64;
    match spec.definition().name {
        "DCG" => sum(Some("discount"), 1.0, NOTHING, discount),
        "nDCG" => {
            let whole = ideal(explanation, &discount);
            sum(
                Some("discount"),
                whole,
                "the DCG of the ideal order",
                discount,
            )
        }
        "ERR" => sum(Some("goes on / rank"), 1.0, NOTHING, cascade),
        "nERR" => {
            let whole = ideal(explanation, &cascade);
            sum(
                Some("goes on / rank"),
                whole,
                "the ERR of the ideal order",
                cascade,
            )
        }
        "RBP" => {
            let p = spec.number("p");
            let weight = move |rank: usize, _| within(rank, (1.0 - p) * p.powf((rank - 1) as f64));
            sum(Some("(1 - p) p^(r - 1)"), 1.0, NOTHING, Box::new(weight))
        }
        "RR" => sum(
            Some("1 / rank"),
            1.0,
            NOTHING,
            first(|rank| 1.0 / rank as f64),
        ),
        "Success" => sum(Some("first"), 1.0, NOTHING, first(|_| 1.0)),
        "P" => sum(None, depth as f64, "the cutoff", plain),
        "R" => sum(None, gaining, RELEVANT, plain),
        "Rprec" if spec.number("multiple") == 1.0 => sum(
            None,
            gaining,
            RELEVANT,
            Box::new(move |rank, _| f64::from(u8::from(rank as f64 <= gaining))),
        ),
        "R_cap" => sum(None, capped, CAPPED, plain),
        "F" if gaining > 0.0 => {
            let square = spec.number("beta").powi(2);
            let divisor = (square * gaining + depth as f64) / (1.0 + square);
            sum(None, divisor, "(beta^2 R + k) / (1 + beta^2)", plain)
        }
        "AP" => {
            let (divisor, name) = if spec.is("norm", "min") {
                (capped, CAPPED)
            } else {
                (gaining, RELEVANT)
            };
            let precision = move |rank: usize, before: Before| {
                within(rank, (before.found + 1) as f64 / rank as f64)
            };
            sum(Some("precision"), divisor, name, Box::new(precision))
        }
        "Judged" | "Unjudged" => sum(
            None,
            depth.min(retrieved) as f64,
            "the documents at these ranks",
            plain,
        ),
        _ => None,
    }
}
