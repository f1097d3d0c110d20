//! Binary preference (Buckley & Voorhees 2004).

use super::super::arguments::Parameters;
use super::super::family::Family;
use super::super::judged::Judged;
use super::super::summary::{LOWEST, Summary};

/// Binary preference.
pub(super) const BPREF: Family = Family::mean("bpref", Parameters::None, |query, _, values| {
    values[0] = bpref(query);
});

/// Binary preference for a geometric mean; only its summary is printed.
pub(super) const GM_BPREF: Family = Family {
    summary: Summary::GeometricMean,
    per_query: false,
    ..Family::mean("gm_bpref", Parameters::None, |query, _, values| {
        values[0] = bpref(query).max(LOWEST).ln();
    })
};

fn bpref(query: &Judged) -> f64 {
    let below = usize::try_from(query.level).unwrap_or(0);
    let nonrelevant: i64 = query.levels.iter().take(below).sum();
    let mut seen = 0;
    let mut sum = 0.0;
    for grade in query.grades.iter().filter(|grade| **grade >= 0) {
        if !query.is_relevant(*grade) {
            seen += 1;
        } else if seen == 0 {
            sum += 1.0;
        } else {
            let before = seen.min(query.relevant) as f64;
            sum += 1.0 - before / nonrelevant.min(query.relevant) as f64;
        }
    }
    if query.relevant > 0 {
        sum /= query.relevant as f64;
    }
    sum
}
