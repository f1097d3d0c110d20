//! Late interaction: items of many vectors each, and MaxSim.
//!
//! A first pass in 8 bits ([`first_pass`]) bounds each document's score from both sides; the documents whose upper
//! bound reaches the k-th best lower bound are scored in 64 bits, and of these only the pairs of vectors that may be
//! the best ([`rescore`]). docs/maxsim.md says why the answer is the true one.

mod builder;
mod first_pass;
mod index;
mod max_sim;
mod multi_vectors;
mod pooling;
mod queries;
mod query;
mod rescore;
mod search;
#[cfg(test)]
mod tests;
mod two_stage;
mod ward;

pub use builder::{MaxSimBuilder, MaxSimNotes};
pub use index::MultiVectorIndex;
pub use max_sim::MaxSimIndex;
pub use multi_vectors::MultiVectors;
pub use pooling::Pooling;
pub use queries::MultiVectorQueries;
pub use two_stage::TwoStage;
