//! Exact nearest neighbours.
//!
//! A first pass in 8 bits ([`coded_pass`]) bounds each score from both sides; the rows whose upper bound
//! reaches the k-th best lower bound survive ([`survivors`]) and are scored again in 64 bits, in a fixed
//! order of summation ([`search`]). So the answer depends on nothing but query and rows. Where too many
//! survive, a pass in 32 bits ([`float_pass`]) takes the place of the first.

pub(crate) mod bound;
mod builder;
mod coded_pass;
pub(crate) mod coded_query;
pub(crate) mod codes;
mod columns;
mod float_pass;
mod index;
mod scan;
mod search;
pub(crate) mod survivors;
#[cfg(test)]
mod terms;
#[cfg(test)]
mod tests;

pub(crate) use bound::ordinary as is_ordinary;
pub use builder::{ExactBuilder, ExactNotes};
pub(crate) use codes::{encode, scale};
pub use index::ExactIndex;
pub use scan::{ExactScan, Scanned};
