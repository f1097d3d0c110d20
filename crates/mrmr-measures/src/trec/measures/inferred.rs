//! Inferred average precision, for judgements that are a sample of the pool (Yilmaz & Aslam 2006).

use super::super::arguments::Parameters;
use super::super::family::Family;
use super::super::judged::{Judged, OUTSIDE_POOL, UNJUDGED};

const EPSILON: f64 = 0.00001;

/// Inferred average precision.
pub(super) const INFERRED_AP: Family =
    Family::mean("infAP", Parameters::None, |query, _, values| {
        values[0] = inferred(query);
    });

fn inferred(query: &Judged) -> f64 {
    let (mut relevant, mut nonrelevant, mut unjudged) = (0.0, 0.0, 0.0);
    let mut sum = 0.0;
    for (place, grade) in query.grades.iter().enumerate() {
        match *grade {
            OUTSIDE_POOL => {}
            UNJUDGED => unjudged += 1.0,
            grade if !query.is_relevant(grade) => nonrelevant += 1.0,
            _ if place == 0 => {
                relevant += 1.0;
                sum += 1.0;
            }
            _ => {
                let before = place as f64;
                let in_pool = (relevant + nonrelevant + unjudged) / before;
                let precision = (relevant + EPSILON) / (relevant + nonrelevant + 2.0 * EPSILON);
                sum += 1.0 / (before + 1.0) + before / (before + 1.0) * in_pool * precision;
                relevant += 1.0;
            }
        }
    }
    if query.relevant > 0 {
        sum /= query.relevant as f64;
    }
    sum
}
