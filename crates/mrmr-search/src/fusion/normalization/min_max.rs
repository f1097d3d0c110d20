//! From 0 for the lowest score to 1 for the highest.

use super::{LEAST, extremes};
use crate::fusion::candidates::Scored;

pub(super) fn normalize(list: &mut [Scored]) {
    let (low, high) = extremes(list);
    let range = (high - low).max(LEAST);
    for scored in list {
        scored.score = (scored.score - low) / range;
    }
}
