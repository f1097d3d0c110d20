//! Ranks in place of scores, from 1 down.

use crate::fusion::candidates::Scored;

pub(super) fn normalize(list: &mut [Scored]) {
    let count = list.len() as f64;
    for (rank, scored) in list.iter_mut().enumerate() {
        scored.score = 1.0 - rank as f64 / count;
    }
}
