//! Shares of the first documents: precision, recall, success, unjudged.

use super::super::arguments::{Arguments, Parameters};
use super::super::family::Family;
use super::super::judged::Judged;
use super::super::options::Version;
use super::CUTOFFS;

/// Precision at cut-offs, also where fewer documents were retrieved.
pub(super) const PRECISION: Family = Family::mean(
    "P",
    Parameters::Cutoffs(CUTOFFS),
    |query, arguments, values| {
        fill(query, arguments, values, |found, cutoff| found / cutoff);
    },
);

/// Recall at cut-offs.
pub(super) const RECALL: Family = Family::mean(
    "recall",
    Parameters::Cutoffs(CUTOFFS),
    |query, arguments, values| {
        if query.relevant != 0 {
            let relevant = query.relevant as f64;
            fill(query, arguments, values, |found, _| found / relevant);
        }
    },
);

/// Precision at cut-offs over the highest that is possible.
pub(super) const RELATIVE_PRECISION: Family = Family::mean(
    "relative_P",
    Parameters::Cutoffs(CUTOFFS),
    |query, arguments, values| {
        if query.relevant != 0 {
            let relevant = query.relevant as f64;
            fill(query, arguments, values, |found, cutoff| {
                found / cutoff.min(relevant)
            });
        }
    },
);

/// Whether there is a relevant document up to the cut-offs.
pub(super) const SUCCESS: Family = Family::mean(
    "success",
    Parameters::Cutoffs(&[1, 5, 10]),
    |query, arguments, values| {
        fill(query, arguments, values, |found, _| {
            f64::from(u8::from(found > 0.0))
        });
    },
);

/// The share of documents up to the cut-offs that have no judgement; places after the last document are judged.
pub(super) const UNJUDGED: Family = Family {
    since: Version::V10,
    ..Family::mean(
        "unj",
        Parameters::Cutoffs(&[5, 10, 20]),
        |query, arguments, values| {
            let cutoffs = arguments.cutoffs();
            let unjudged =
                query.up_to(cutoffs, |found: u32, _, grade| found + u32::from(grade < 0));
            for ((value, found), cutoff) in values.iter_mut().zip(unjudged).zip(cutoffs) {
                *value = f64::from(found) / *cutoff as f64;
            }
        },
    )
};

/// Fills in what is made of the number of relevant documents up to each cut-off, and the cut-off.
fn fill(
    query: &Judged,
    arguments: &Arguments,
    values: &mut [f64],
    value_of: impl Fn(f64, f64) -> f64,
) {
    let cutoffs = arguments.cutoffs();
    let relevant = query.up_to(cutoffs, |found: u32, _, grade| {
        found + u32::from(query.is_relevant(grade))
    });
    for ((value, found), cutoff) in values.iter_mut().zip(relevant).zip(cutoffs) {
        *value = value_of(f64::from(found), *cutoff as f64);
    }
}
