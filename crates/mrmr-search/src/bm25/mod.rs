//! BM25 as Lucene computes it.

mod builder;
mod corpus;
mod file;
mod impacts;
mod index;
mod lengths;
mod names;
mod params;
mod postings;
mod pruned;
mod query;
mod scratch;
mod search;
mod section;
mod weighting;

pub use builder::Bm25Builder;
pub use index::Bm25Index;
pub use params::{Bm25Params, Norms};
pub use search::TermScore;
pub use weighting::QueryWeighting;
