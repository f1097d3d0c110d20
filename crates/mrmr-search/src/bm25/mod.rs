//! BM25 as Lucene computes it.

mod builder;
mod index;
mod lengths;
mod params;
mod postings;
mod scratch;
mod search;

pub use builder::Bm25Builder;
pub use index::Bm25Index;
pub use params::{Bm25Params, Norms};
pub use search::TermScore;
