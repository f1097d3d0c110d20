//! How the graph is built and searched.

use mrmr_core::{Error, Result};

/// How large the graph is, and how much effort goes into building and searching it.
///
/// ```
/// use mrmr_search::HnswParams;
/// let params = HnswParams { m: 32, ..HnswParams::default() };
/// assert_eq!((params.ef_construction, params.ef), (100, 64));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HnswParams {
    /// How many neighbours a new row is linked to; it may have as many links above the lowest layer, and
    /// twice as many there. 2 to 1024.
    pub m: usize,
    /// Among how many candidates a new row's neighbours are selected; at least `m`.
    pub ef_construction: usize,
    /// How many candidates a search keeps, and scores again in 64 bits; at least 1.
    pub ef: usize,
    /// Which layers a row is on, and the order in which rows are linked, follow from this.
    pub seed: u64,
}

impl Default for HnswParams {
    /// The graph of the paper's experiments.
    fn default() -> Self {
        HnswParams {
            m: 16,
            ef_construction: 100,
            ef: 64,
            seed: 0,
        }
    }
}

/// The largest `m`.
const LARGEST: usize = 1024;

impl HnswParams {
    pub(super) fn check(&self) -> Result<()> {
        if !(2..=LARGEST).contains(&self.m) {
            return Err(
                Error::usage(format!("m is {}; expected 2 to {LARGEST}", self.m))
                    .hint("16 is usual; 32 or 48 for vectors that are hard to tell apart"),
            );
        }
        if self.ef_construction < self.m {
            return Err(Error::usage(format!(
                "ef_construction is {}; expected at least m, {}",
                self.ef_construction, self.m
            ))
            .hint("neighbours are selected among so many candidates"));
        }
        check_ef(self.ef)
    }

    /// How many links a point may have on a layer.
    pub(super) fn degree(&self, layer: usize) -> usize {
        match layer {
            0 => 2 * self.m,
            _ => self.m,
        }
    }
}

pub(super) fn check_ef(ef: usize) -> Result<()> {
    if ef == 0 {
        return Err(Error::usage("ef is 0; expected at least 1")
            .hint("a search keeps so many candidates; k of them are returned"));
    }
    Ok(())
}
