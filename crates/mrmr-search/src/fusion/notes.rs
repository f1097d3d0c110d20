//! What fusing runs gave.

use mrmr_core::Run;

/// A fused run, and what was accepted on the way.
#[derive(Clone, Debug)]
pub struct Fused {
    /// The run.
    pub run: Run,
    /// What was accepted.
    pub notes: FusionNotes,
}

/// What fusing came across.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FusionNotes {
    /// For each run, how many queries it lacks that another has: they count as without documents.
    pub lacking: Vec<usize>,
    /// Infinite scores that a normalization took for finite ones, one range beyond the others.
    pub infinite: usize,
}
