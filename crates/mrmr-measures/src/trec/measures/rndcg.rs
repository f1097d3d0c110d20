//! nDCG averaged over the ranks where the ideal gain changes.

use super::super::arguments::Parameters;
use super::super::family::Family;
use super::super::gains::{Gains, Ideal, discounted};
use super::super::judged::Judged;

/// nDCG at each rank where the ideal gain changes, and at the end of the ranking if that is later.
pub(super) const RNDCG: Family =
    Family::mean("Rndcg", Parameters::Pairs, |query, arguments, values| {
        if query.relevant != 0 {
            values[0] = rndcg(query, &Gains::new(query, arguments.pairs()));
        }
    });

fn rndcg(query: &Judged, gains: &Gains) -> f64 {
    let mut ideal = Ideal::new(gains);
    let (mut sum, mut highest) = (0.0, 0.0);
    let (mut total, mut changes) = (0.0, 0.0);
    let mut note = |sum: f64, highest: f64| {
        if highest > 0.0 {
            total += sum / highest;
            changes += 1.0;
        }
    };
    let mut place = 0;
    while ideal.gain > 0.0 {
        let before = ideal.gain;
        ideal.advance();
        if ideal.gain != before {
            note(sum, highest);
        }
        if let Some(grade) = query.grades.get(place) {
            sum += discounted(gains.of(*grade), place);
        }
        if ideal.gain > 0.0 {
            highest += discounted(ideal.gain, place);
        }
        place += 1;
    }
    if place < query.grades.len() {
        for (place, grade) in query.grades.iter().enumerate().skip(place) {
            sum += discounted(gains.of(*grade), place);
        }
        note(sum, highest);
    }
    total / changes
}
