//! Precision at R, the number of relevant documents, and at multiples of it.

use super::super::arguments::Parameters;
use super::super::family::Family;
use super::super::judged::Judged;

/// Precision at R.
pub(super) const R_PRECISION: Family =
    Family::mean("Rprec", Parameters::None, |query, _, values| {
        let first = query.relevant.max(0) as usize;
        let ranks = query.relevant_ranks().take_while(|rank| *rank <= first);
        let found = ranks.count();
        if found > 0 {
            values[0] = found as f64 / query.relevant as f64;
        }
    });

/// Precision at multiples of R.
pub(super) const MULTIPLES: Family = Family::mean(
    "Rprec_mult",
    Parameters::Shares(&[0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0]),
    |query, arguments, values| multiples(query, arguments.numbers(), values),
);

fn multiples(query: &Judged, multiples: &[f64], values: &mut [f64]) {
    let documents = |multiple: &f64| (multiple * query.relevant as f64 + 0.9) as i64;
    let mut open: Vec<i64> = multiples.iter().map(documents).collect();
    let mut relevant = query.relevant_retrieved;
    while let Some(documents) = open.pop_if(|documents| *documents > query.retrieved()) {
        values[open.len()] = relevant as f64 / documents as f64;
    }
    for (place, grade) in query.grades.iter().enumerate().rev() {
        if relevant <= 0 {
            break;
        }
        let rank = place as i64 + 1;
        while open.pop_if(|documents| *documents == rank).is_some() {
            values[open.len()] = relevant as f64 / rank as f64;
        }
        if query.is_relevant(*grade) {
            relevant -= 1;
        }
    }
}
