//! k-means (Lloyd 1982), the same to the last bit for any number of threads and set of instructions.
//!
//! [`coarse`] divides whole rows into lists: distances come from dot products of 8-bit codes, which are
//! whole numbers. [`fine`] finds the 256 values that a few columns are rounded to: sums in 32 bits, in one
//! order. In both a mean is a sum in 64 bits over its members in their order.

pub(crate) mod centroids;
pub(crate) mod coarse;
pub(crate) mod fine;
pub(crate) mod groups;
pub(crate) mod random;

/// The most rows a centroid that k-means looks at.
pub(crate) const SAMPLE: usize = 256;
