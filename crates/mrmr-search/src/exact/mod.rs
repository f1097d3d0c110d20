//! Exact nearest neighbours.
//!
//! A first pass in 32 bits bounds each score from both sides ([`bound`]); the rows whose upper bound
//! reaches the k-th best lower bound survive ([`survivors`]) and are scored again in 64 bits, in a fixed
//! order of summation. So the answer depends on nothing but query and rows.

mod bound;
mod builder;
mod index;
mod kernel;
mod search;
mod survivors;

pub use builder::{ExactBuilder, ExactNotes};
pub use index::ExactIndex;
