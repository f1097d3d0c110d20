//! Lists of rows that lie together, of which a query looks through the nearest (inverted file, IVF).
//!
//! [`builder`] divides the rows by k-means, [`probes`] chooses lists for a query, and [`search`] goes through
//! them with the pass in 8 bits of [`crate::exact`]: what is found is the true top k of those lists.

mod builder;
mod file;
mod index;
mod lists;
mod probes;
mod search;
#[cfg(test)]
mod tests;

pub use builder::{IvfBuilder, IvfNotes, IvfParams};
pub use index::IvfIndex;
