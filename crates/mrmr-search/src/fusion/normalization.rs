//! What makes the scores of different runs comparable; one file each.

mod borda;
mod max;
mod min_max;
mod rank;
mod sum;
mod tame;
mod zmuv;

use std::fmt;
use std::str::FromStr;

use mrmr_core::{Error, Result, closest};

use super::candidates::Scored;

/// What a spread of scores counts at least, so that equal scores divide by something (ranx).
const LEAST: f64 = 1e-9;

/// What is done to the scores of each query and run before they are combined.
///
/// An infinite score counts as one range of the finite ones beyond the highest or lowest of them (1 where there is no
/// range); [`FusionNotes`](super::FusionNotes) count them. [`Normalization::None`] leaves them as they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Normalization {
    /// Scores as they are.
    None,
    /// (s - lowest) / (highest - lowest); equal scores, and a single one, become 0.
    MinMax,
    /// s / highest; where the highest is below 10^-9, that stands in for it.
    Max,
    /// (s - lowest) / the sum of these.
    Sum,
    /// (s - mean) / standard deviation, that of the population; equal scores become 0.
    Zmuv,
    /// 1 - (rank - 1) / documents of the list.
    Rank,
    /// 1 - (rank - 1) / documents of all lists; the documents that a list lacks get the mean of what it would have given
    /// them.
    Borda,
}

impl Normalization {
    /// Every name.
    pub const NAMES: &'static [&'static str] =
        &["none", "min-max", "max", "sum", "zmuv", "rank", "borda"];

    /// Every value, in the order of [`Normalization::NAMES`].
    pub const ALL: &'static [Normalization] = &[
        Normalization::None,
        Normalization::MinMax,
        Normalization::Max,
        Normalization::Sum,
        Normalization::Zmuv,
        Normalization::Rank,
        Normalization::Borda,
    ];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Normalization::None => "none",
            Normalization::MinMax => "min-max",
            Normalization::Max => "max",
            Normalization::Sum => "sum",
            Normalization::Zmuv => "zmuv",
            Normalization::Rank => "rank",
            Normalization::Borda => "borda",
        }
    }

    /// Whether a list must be in order: for its ranks, or for sums that no order of lines changes.
    pub(super) fn reads_ranks(self) -> bool {
        match self {
            Normalization::None | Normalization::MinMax | Normalization::Max => false,
            Normalization::Sum
            | Normalization::Zmuv
            | Normalization::Rank
            | Normalization::Borda => true,
        }
    }

    /// Normalizes one list of a query that has so many documents in all; how many scores were infinite.
    pub(super) fn apply<'a>(
        self,
        list: &mut Vec<Scored>,
        documents: usize,
        id: &dyn Fn(u32) -> &'a [u8],
    ) -> usize {
        let tamed = match self {
            Normalization::None | Normalization::Rank | Normalization::Borda => 0,
            _ => tame::tame(list),
        };
        match self {
            Normalization::None => {}
            Normalization::MinMax => min_max::normalize(list),
            Normalization::Max => max::normalize(list),
            Normalization::Sum => sum::normalize(list),
            Normalization::Zmuv => zmuv::normalize(list),
            Normalization::Rank => rank::normalize(list),
            Normalization::Borda => borda::normalize(list, documents, id),
        }
        tamed
    }
}

/// The lowest and the highest score; 0 of none.
fn extremes(list: &[Scored]) -> (f64, f64) {
    let mut scores = list.iter().map(|scored| scored.score);
    let Some(first) = scores.next() else {
        return (0.0, 0.0);
    };
    scores.fold((first, first), |(low, high), score| {
        (low.min(score), high.max(score))
    })
}

impl fmt::Display for Normalization {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Normalization {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let name = text.to_ascii_lowercase().replace('_', "-");
        let found = Self::ALL.iter().find(|known| known.name() == name);
        found.copied().ok_or_else(|| {
            let near = closest(text, Self::NAMES.iter().copied());
            Error::usage(format!(
                "unknown normalization '{text}'; expected {}",
                Self::NAMES.join(", ")
            ))
            .hint_maybe(near.map(|near| format!("did you mean {near}?")))
        })
    }
}
