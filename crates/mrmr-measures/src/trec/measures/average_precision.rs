//! Average precision: as it is, at cut-offs, for a geometric mean, and on a logit scale.

use super::super::arguments::Parameters;
use super::super::family::Family;
use super::super::judged::Judged;
use super::super::summary::{LOWEST, Summary};
use super::CUTOFFS;

/// Mean average precision.
pub(super) const MAP: Family = Family::mean("map", Parameters::None, |query, _, values| {
    values[0] = average_precision(query);
});

/// Average precision for a geometric mean; only its summary is printed.
pub(super) const GM_MAP: Family = Family {
    summary: Summary::GeometricMean,
    per_query: false,
    ..Family::mean("gm_map", Parameters::None, |query, _, values| {
        values[0] = average_precision(query).max(LOWEST).ln();
    })
};

/// Average precision at cut-offs.
pub(super) const MAP_CUT: Family = Family::mean(
    "map_cut",
    Parameters::Cutoffs(CUTOFFS),
    |query, arguments, values| {
        if query.relevant == 0 {
            return;
        }
        let add = |(found, sum): (u32, f64), place: usize, grade| {
            if query.is_relevant(grade) {
                (found + 1, sum + f64::from(found + 1) / (place + 1) as f64)
            } else {
                (found, sum)
            }
        };
        let sums = query.up_to(arguments.cutoffs(), add);
        for (value, (_, sum)) in values.iter_mut().zip(sums) {
            *value = sum / query.relevant as f64;
        }
    },
);

/// Yet another average precision (Robertson 2012).
pub(super) const YAAP: Family = Family::mean("yaap", Parameters::None, |query, _, values| {
    let sum = sum_of_precisions(query).1;
    values[0] = ((1.0 + sum) / (1.0 + query.relevant as f64 - sum)).ln();
});

fn average_precision(query: &Judged) -> f64 {
    match sum_of_precisions(query) {
        (0, _) => 0.0,
        (_, sum) => sum / query.relevant as f64,
    }
}

/// How many relevant documents were retrieved, and the sum of the precisions at their ranks.
fn sum_of_precisions(query: &Judged) -> (usize, f64) {
    let ranks = query.relevant_ranks();
    ranks.fold((0, 0.0), |(found, sum), rank| {
        (found + 1, sum + (found + 1) as f64 / rank as f64)
    })
}
