//! 1 for the highest score.

use super::{LEAST, extremes};
use crate::fusion::candidates::Scored;

pub(super) fn normalize(list: &mut [Scored]) {
    let high = extremes(list).1.max(LEAST);
    for scored in list {
        scored.score /= high;
    }
}
