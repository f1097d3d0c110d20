//! The reciprocal of the rank of the first relevant document.

use super::super::arguments::Parameters;
use super::super::family::Family;

/// Reciprocal rank.
pub(super) const RECIP_RANK: Family =
    Family::mean("recip_rank", Parameters::None, |query, _, values| {
        if let Some(rank) = query.relevant_ranks().next() {
            values[0] = 1.0 / rank as f64;
        }
    });
