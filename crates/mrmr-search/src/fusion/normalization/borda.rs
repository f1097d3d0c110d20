//! Ranks among the documents of all lists; those that a list lacks share what is left.

use crate::fusion::candidates::Scored;

/// The documents that the list lacks follow, the larger id first.
pub(super) fn normalize<'a>(
    list: &mut Vec<Scored>,
    documents: usize,
    id: &dyn Fn(u32) -> &'a [u8],
) {
    let (found, all) = (list.len(), documents as f64);
    let mut lacking = vec![true; documents];
    for (rank, scored) in list.iter_mut().enumerate() {
        scored.score = 1.0 - rank as f64 / all;
        lacking[scored.slot as usize] = false;
    }
    let rest = (0..documents as u32).filter(|slot| lacking[*slot as usize]);
    let mut rest: Vec<u32> = rest.collect();
    rest.sort_unstable_by(|a, b| id(*b).cmp(id(*a)));
    let score = 0.5 - (found as f64 - 1.0) / (2.0 * all);
    list.extend(rest.into_iter().map(|slot| Scored { slot, score }));
}
