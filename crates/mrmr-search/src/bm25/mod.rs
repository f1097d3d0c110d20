//! BM25 as Lucene computes it.

mod builder;
mod file;
mod index;
mod lengths;
mod params;
mod postings;
mod query;
mod scratch;
mod search;
mod weighting;

pub use builder::Bm25Builder;
pub use index::Bm25Index;
pub use params::{Bm25Params, Norms};
pub use search::TermScore;
pub use weighting::QueryWeighting;
