//! Which candidates become neighbours.

use super::points::{Origin, Points};

/// Selected ones that a candidate is compared with at a time.
const TOGETHER: usize = 8;

/// Algorithm 4 of the paper: from the nearest on, a candidate is kept unless it is nearer to one that was kept
/// than to the origin, so that links lead in all directions. At most `limit` are kept; `candidates` are
/// sorted by distance from the origin.
pub(super) fn select(
    points: &Points,
    origin: Origin<'_>,
    candidates: impl Iterator<Item = (u32, f32)>,
    limit: usize,
    dots: &mut Vec<i32>,
) -> Vec<u32> {
    let mut kept: Vec<u32> = Vec::with_capacity(limit);
    for (candidate, distance) in candidates {
        if kept.len() == limit {
            break;
        }
        let (from, distance) = (points.origin(candidate), origin.half() + distance);
        let far = kept.chunks(TOGETHER).all(|some| {
            let mut nearest = f32::INFINITY;
            points.distances(from, some, dots, |_, other| nearest = nearest.min(other));
            distance < from.half() + nearest
        });
        if far {
            kept.push(candidate);
        }
    }
    kept
}
