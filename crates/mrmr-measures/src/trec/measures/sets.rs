//! Measures of the whole set of retrieved documents, without ranks.

use super::super::arguments::Parameters;
use super::super::family::Family;
use super::super::judged::Judged;

/// Precision of the set.
pub(super) const PRECISION: Family = Family::mean("set_P", Parameters::None, |query, _, values| {
    values[0] = share(query.relevant_retrieved, query.retrieved());
});

/// Precision of the set over the highest that is possible.
pub(super) const RELATIVE_PRECISION: Family =
    Family::mean("set_relative_P", Parameters::None, |query, _, values| {
        let highest = query.retrieved().min(query.relevant);
        values[0] = share(query.relevant_retrieved, highest);
    });

/// Recall of the set.
pub(super) const RECALL: Family =
    Family::mean("set_recall", Parameters::None, |query, _, values| {
        values[0] = share(query.relevant_retrieved, query.relevant);
    });

/// Precision times recall of the set.
pub(super) const MAP: Family = Family::mean("set_map", Parameters::None, |query, _, values| {
    let found = query.relevant_retrieved;
    values[0] = share(found * found, query.retrieved() * query.relevant);
});

/// The weighted harmonic mean of precision and recall; the parameter is the weight of recall.
pub(super) const F: Family = Family::mean(
    "set_F",
    Parameters::Numbers(&[1.0]),
    |query, arguments, values| {
        if query.relevant_retrieved > 0 {
            values[0] = harmonic(query, arguments.numbers().first().copied().unwrap_or(1.0));
        }
    },
);

fn harmonic(query: &Judged, weight: f64) -> f64 {
    let precision = share(query.relevant_retrieved, query.retrieved());
    let recall = share(query.relevant_retrieved, query.relevant);
    (weight + 1.0) * precision * recall / (weight * precision + recall)
}

/// 0 where there is nothing to have a share of.
fn share(part: i64, whole: i64) -> f64 {
    if whole == 0 {
        return 0.0;
    }
    part as f64 / whole as f64
}
