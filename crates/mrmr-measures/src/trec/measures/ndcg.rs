//! Discounted cumulative gain, that of the ideal order, and their ratio (Jarvelin & Kekalainen 2002).

use super::super::arguments::{Arguments, Parameters};
use super::super::family::Family;
use super::super::gains::{Gains, Ideal, discounted};
use super::super::judged::Judged;
use super::super::options::Version;

/// Discounted cumulative gain.
pub(super) const DCG: Family = Family {
    since: Version::V10,
    ..Family::mean("dcg", Parameters::Pairs, |query, arguments, values| {
        values[0] = gain_and_ideal(query, arguments).0;
    })
};

/// Discounted cumulative gain of the ideal order.
pub(super) const IDEAL_DCG: Family = Family {
    since: Version::V10,
    ..Family::mean(
        "ideal_dcg",
        Parameters::Pairs,
        |query, arguments, values| {
            values[0] = gain_and_ideal(query, arguments).1;
        },
    )
};

/// The ratio.
pub(super) const NDCG: Family =
    Family::mean("ndcg", Parameters::Pairs, |query, arguments, values| {
        let (gain, ideal) = gain_and_ideal(query, arguments);
        if ideal > 0.0 {
            values[0] = gain / ideal;
        }
    });

fn gain_and_ideal(query: &Judged, arguments: &Arguments) -> (f64, f64) {
    let gains = Gains::new(query, arguments.pairs());
    let mut sum = 0.0;
    for (place, grade) in query.grades.iter().enumerate() {
        sum += discounted(gains.of(*grade), place);
    }
    let mut ideal = Ideal::new(&gains);
    let mut sum_of_ideal = 0.0;
    for place in 0.. {
        if ideal.gain <= 0.0 {
            break;
        }
        ideal.advance();
        if ideal.gain > 0.0 {
            sum_of_ideal += discounted(ideal.gain, place);
        }
    }
    (sum, sum_of_ideal)
}
