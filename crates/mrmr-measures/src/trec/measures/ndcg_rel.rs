//! nDCG averaged over the ranks of documents with a gain.

use super::super::arguments::Parameters;
use super::super::family::Family;
use super::super::gains::{Gains, Ideal, discounted};
use super::super::judged::Judged;

/// nDCG at each document with a gain; for those not retrieved, that at the end.
pub(super) const NDCG_REL: Family =
    Family::mean("ndcg_rel", Parameters::Pairs, |query, arguments, values| {
        let value = ndcg_rel(query, &Gains::new(query, arguments.pairs()));
        // Not where the sum is 0 / 0 either.
        if value > 0.0 {
            values[0] = value;
        }
    });

fn ndcg_rel(query: &Judged, gains: &Gains) -> f64 {
    let mut ideal = Ideal::new(gains);
    let (mut sum, mut highest, mut total) = (0.0, 0.0, 0.0);
    let (mut with_gain, mut retrieved_with_gain) = (0.0, 0.0);
    let mut advance = |place: usize, highest: &mut f64| {
        if ideal.gain > 0.0 {
            ideal.advance();
            if ideal.gain > 0.0 {
                with_gain += 1.0;
                *highest += discounted(ideal.gain, place);
            }
        }
        ideal.gain > 0.0
    };
    for (place, grade) in query.grades.iter().enumerate() {
        let gain = gains.of(*grade);
        sum += discounted(gain, place);
        advance(place, &mut highest);
        if gain > 0.0 {
            total += sum / highest;
            retrieved_with_gain += 1.0;
        }
    }
    let mut place = query.grades.len();
    while advance(place, &mut highest) {
        place += 1;
    }
    total += (with_gain - retrieved_with_gain) * sum / highest;
    total / with_gain
}
