//! Zero mean, unit variance.

use super::LEAST;
use crate::fusion::candidates::Scored;

/// The list is in order, so that the sums have the same bits however its lines were.
pub(super) fn normalize(list: &mut [Scored]) {
    let count = list.len() as f64;
    let mean = list.iter().map(|scored| scored.score).sum::<f64>() / count;
    let squares = list.iter().map(|scored| (scored.score - mean).powi(2));
    let deviation = (squares.sum::<f64>() / count).sqrt();
    // Of equal scores the mean need not be one of them to the last bit.
    let equal = list.windows(2).all(|pair| pair[0].score == pair[1].score);
    for scored in list {
        scored.score = match equal {
            true => 0.0,
            false => (scored.score - mean) / deviation.max(LEAST),
        };
    }
}
