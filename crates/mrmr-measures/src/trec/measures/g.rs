//! G: gains discounted by what could have been gained before, instead of by the rank.

use super::super::arguments::Parameters;
use super::super::family::Family;
use super::super::gains::{Gains, Ideal};
use super::super::judged::Judged;

/// G with gains 0 and 1: discounted by the documents before that are not relevant.
pub(super) const BINARY_G: Family = Family::mean("binG", Parameters::None, |query, _, values| {
    let mut sum = 0.0;
    let mut found = 0;
    for rank in query.relevant_ranks() {
        found += 1;
        sum += 1.0 / ((2 + rank - found) as f64).log2();
    }
    if found > 0 {
        values[0] = sum / query.relevant as f64;
    }
});

/// G.
pub(super) const G: Family = Family::mean("G", Parameters::Pairs, |query, arguments, values| {
    let gains = Gains::new(query, arguments.pairs());
    let (sum, highest) = g(query, &gains);
    if highest > 0.0 {
        values[0] = sum / highest;
    }
});

fn g(query: &Judged, gains: &Gains) -> (f64, f64) {
    let mut ideal = Ideal::new(gains);
    let (mut sum, mut highest) = (0.0, 0.0);
    let (mut gained, mut possible) = (0.0, 0.0);
    for grade in &query.grades {
        let gain = gains.of(*grade);
        gained += gain;
        if ideal.gain > 0.0 {
            ideal.advance();
            highest += ideal.gain.max(0.0);
            possible += ideal.gain.max(1.0);
        } else {
            possible += 1.0;
        }
        if gain != 0.0 {
            sum += gain / (2.0 + possible - gained).log2();
        }
    }
    while ideal.gain > 0.0 {
        ideal.advance();
        highest += ideal.gain.max(0.0);
    }
    (sum, highest)
}
