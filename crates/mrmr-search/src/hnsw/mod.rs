//! Approximate nearest neighbours by walking a graph.
//!
//! Hierarchical navigable small worlds: Yu. A. Malkov and D. A. Yashunin, "Efficient and robust approximate
//! nearest neighbor search using hierarchical navigable small world graphs", IEEE Transactions on Pattern
//! Analysis and Machine Intelligence 42(4), 2020 (on arXiv in 2016). docs/hnsw.md tells what is different.
//!
//! Rows are brought into a [`space`] where what is near scores high, and coded there in 8 bits:
//! [`points`]. Each point is given its layers and its turn ([`order`]), and linked to its neighbours,
//! [`construct`], of which [`select`] keeps some; [`reach`] sees to it that every point can be found. A
//! [`walk`] keeps the nearest so far in a [`pool`]; [`search`] scores what it found in 64 bits.

mod builder;
mod construct;
mod file;
mod graph;
mod index;
mod order;
mod params;
mod points;
mod pool;
mod reach;
mod scratch;
mod search;
mod select;
mod space;
#[cfg(test)]
mod tests;
mod walk;

pub use builder::{HnswBuilder, HnswNotes};
pub use index::HnswIndex;
pub use params::HnswParams;
