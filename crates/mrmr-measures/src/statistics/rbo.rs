//! Rank-biased overlap.

use std::hash::Hash;

use hashbrown::HashSet;
use mrmr_core::{Error, Result};

/// How alike two rankings are, from 0 to 1: extrapolated rank-biased overlap.
///
/// `p` is how likely a reader goes on from one rank to the next; 0.9 gives the first ten ranks 86%
/// of the weight. Rankings may differ in length. Ties are taken as they were broken; a document
/// that comes again in a ranking counts once. Two empty rankings are alike, an empty one is unlike
/// every other.
///
/// ```
/// use mrmr_measures::statistics::rbo;
/// assert_eq!(rbo(&["a", "b", "c"], &["a", "b", "c"], 0.9)?, 1.0);
/// assert_eq!(rbo(&["a", "b"], &["c", "d"], 0.9)?, 0.0);
/// // Agreement 0 at rank 1, and 1 from rank 2 on.
/// assert!((rbo(&["a", "b"], &["b", "a"], 0.9)? - 0.9).abs() < 1e-15);
/// # Ok::<(), mrmr_core::Error>(())
/// ```
///
/// Source: Webber, Moffat & Zobel 2010, *A similarity measure for indefinite rankings*, equation
/// 32. For rankings with ties that nobody broke see Corsi & Urbano 2024.
///
/// # Errors
///
/// Where `p` does not lie between 0 and 1.
pub fn rbo<T: Eq + Hash>(one: &[T], other: &[T], p: f64) -> Result<f64> {
    if !(p > 0.0 && p < 1.0) {
        return Err(Error::usage(format!(
            "the persistence of RBO lies between 0 and 1, not at {p}"
        ))
        .hint("0.9 is usual"));
    }
    let (short, long) = (distinct(one), distinct(other));
    let (short, long) = if short.len() <= long.len() {
        (short, long)
    } else {
        (long, short)
    };
    if long.is_empty() || long == short {
        return Ok(1.0);
    }
    if short.is_empty() {
        return Ok(0.0);
    }

    let (mut in_short, mut in_long) = (HashSet::new(), HashSet::new());
    let (mut common, mut common_short) = (0usize, 0usize);
    let (mut weight, mut sum) = (1.0, 0.0);
    for (at, in_this) in long.iter().enumerate() {
        let depth = at + 1;
        if let Some(in_that) = short.get(at) {
            common += usize::from(in_this == in_that);
            common += usize::from(in_this != in_that && in_short.contains(in_this));
            common += usize::from(in_this != in_that && in_long.contains(in_that));
            in_short.insert(in_that);
            common_short = common;
        } else {
            common += usize::from(in_short.contains(in_this));
        }
        in_long.insert(in_this);
        weight *= p;
        // Past its end the short ranking is taken to agree on as it did at its end.
        let beyond = depth.saturating_sub(short.len()) as f64;
        let extrapolated = common_short as f64 * beyond / short.len() as f64;
        sum += (common as f64 + extrapolated) / depth as f64 * weight;
    }
    let rest = (common - common_short) as f64 / long.len() as f64
        + common_short as f64 / short.len() as f64;
    Ok(((1.0 - p) / p * sum + rest * weight).clamp(0.0, 1.0))
}

/// Each element where it first stands.
fn distinct<T: Eq + Hash>(ranking: &[T]) -> Vec<&T> {
    let mut seen = HashSet::new();
    ranking.iter().filter(|item| seen.insert(*item)).collect()
}
