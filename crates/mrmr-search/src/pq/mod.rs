//! Rows in a few bytes each (product quantisation), then the best of them by their true scores.
//!
//! [`codebooks`] round each segment of the columns to one of 256 points; [`scan`] adds up, row by row, what
//! a query's table says of each code; [`search`] scores the best.

mod builder;
mod codebooks;
mod file;
mod index;
mod scan;
mod search;
mod table;
#[cfg(test)]
mod tests;

pub use builder::{PqBuilder, PqNotes, PqParams};
pub use index::PqIndex;
