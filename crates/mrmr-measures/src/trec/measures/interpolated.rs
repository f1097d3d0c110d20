//! Interpolated precision at shares of recall, and its mean over eleven of them.

use super::super::arguments::Parameters;
use super::super::family::Family;
use super::super::judged::Judged;
use super::super::options::Version;

const ELEVEN: &[f64] = &[0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];

/// Interpolated precision at shares of recall.
pub(super) const AT_RECALL: Family = Family::mean(
    "iprec_at_recall",
    Parameters::Shares(ELEVEN),
    |query, arguments, values| {
        interpolate(query, arguments.numbers(), |at, precision| {
            values[at] = precision;
        });
    },
);

/// The mean of the interpolated precision.
pub(super) const ELEVEN_POINTS: Family = Family::mean(
    "11pt_avg",
    Parameters::Numbers(ELEVEN),
    |query, arguments, values| {
        let shares = arguments.numbers();
        let mut sum = 0.0;
        interpolate(query, shares, |_, precision| sum += precision);
        values[0] = sum / shares.len() as f64;
    },
);

/// Gives the highest precision from each share of recall on, from the last share to the first.
///
/// Shares that are not reached are left out; those of no document at all get whatever the loop ends with,
/// which is 0 / 0 where nothing was retrieved.
fn interpolate(query: &Judged, shares: &[f64], mut found: impl FnMut(usize, f64)) {
    let documents = |share: f64| match query.version {
        Version::V9 => (share * query.relevant as f64 + 0.9) as i64,
        Version::V10 => (share * query.relevant as f64).round() as i64,
    };
    let mut relevant = query.relevant_retrieved;
    let mut open: Vec<i64> = shares.iter().map(|share| documents(*share)).collect();
    while open.pop_if(|documents| *documents > relevant).is_some() {}
    let mut highest = relevant as f64 / query.retrieved() as f64;
    for (place, grade) in query.grades.iter().enumerate().rev() {
        if relevant <= 0 {
            break;
        }
        let precision = relevant as f64 / (place + 1) as f64;
        if highest < precision {
            highest = precision;
        }
        if query.is_relevant(*grade) {
            while open.pop_if(|documents| *documents == relevant).is_some() {
                found(open.len(), highest);
            }
            relevant -= 1;
        }
    }
    while open.pop().is_some() {
        found(open.len(), highest);
    }
}
