//! 0 for the lowest score, and 1 in all.

use super::{LEAST, extremes};
use crate::fusion::candidates::Scored;

/// The list is in order, so that the sum has the same bits however its lines were.
pub(super) fn normalize(list: &mut [Scored]) {
    let low = extremes(list).0;
    let sum: f64 = list.iter().map(|scored| scored.score).sum();
    let total = (sum - low * list.len() as f64).max(LEAST);
    for scored in list {
        scored.score = (scored.score - low) / total;
    }
}
