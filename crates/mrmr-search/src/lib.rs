//! Vectors and words to rankings: BM25 and exact nearest neighbours.
//!
//! ```
//! use mrmr_core::RankingPolicy;
//! use mrmr_search::{Analyzer, Bm25Index, Bm25Params, Retriever, TextQueries};
//!
//! let mut builder = Bm25Index::builder(Bm25Params::default(), Analyzer::LuceneEnglish);
//! builder.add("d1", "Kraft's inequality bounds the lengths of a prefix code.")?;
//! builder.add("d2", "Huffman coding finds the best prefix code.")?;
//! let index = builder.build();
//!
//! let mut queries = TextQueries::new();
//! queries.push("q1", "what are prefix codes by Huffman?")?;
//! let run = index.retrieve("bm25", &queries, 100, &())?;
//!
//! let query = run.queries().get("q1").unwrap();
//! let ranking = run.ranking(query, RankingPolicy::default());
//! let order: Vec<&str> = ranking.entries().iter().map(|e| run.documents().name(e.document)).collect();
//! assert_eq!(order, ["d2", "d1"]);
//! # Ok::<(), mrmr_core::Error>(())
//! ```
//!
//! # Contents
//!
//! - words: [`Analyzer`] makes terms of a text, [`StopWords`] are left out, [`Bm25Index`] ranks by the terms
//!   as Lucene does, and can be saved to a file;
//! - vectors: [`Vectors`], [`Metric`], the trait [`Index`], and [`ExactIndex`], which finds the true
//!   nearest neighbours, or [`ExactScan`] where the vectors need not fit into memory; [`HnswIndex`],
//!   [`IvfIndex`] and [`PqIndex`], [`Approximate`] ones, find most of them sooner;
//! - late interaction: [`MultiVectors`], the trait [`MultiVectorIndex`], [`MaxSimIndex`], which finds the true
//!   best by MaxSim, [`Pooling`] and [`TwoStage`];
//! - which documents a query may return: [`Restriction`] by id, [`Filter`] by row;
//! - several runs to one: [`fusion`];
//! - queries to a run: [`Retriever`] over [`TextQueries`], [`VectorQueries`] or [`MultiVectorQueries`].
//!
//! Every result is the same for any number of threads and any batch of queries. Equal scores go by the
//! larger document id, byte-wise, the ones at the cut-off too.

mod analysis;
mod bm25;
mod clusters;
mod exact;
mod filter;
pub mod fusion;
mod hnsw;
mod index;
mod index_file;
mod ivf;
mod kernels;
mod mapped;
mod maxsim;
mod metric;
mod names;
mod pq;
mod queries;
mod retriever;
mod rows;
mod top_k;
mod vectors;

pub use analysis::{Analysis, Analyzer, StopWords};
pub use bm25::{Bm25Builder, Bm25Index, Bm25Params, Norms, QueryWeighting, TermScore};
pub use exact::{ExactBuilder, ExactIndex, ExactNotes, ExactScan, Scanned};
pub use filter::{Filter, Restriction};
pub use hnsw::{HnswBuilder, HnswIndex, HnswNotes, HnswParams};
pub use index::{Approximate, Index};
pub use ivf::{IvfBuilder, IvfIndex, IvfNotes, IvfParams};
pub use maxsim::{
    MaxSimBuilder, MaxSimIndex, MaxSimNotes, MultiVectorIndex, MultiVectorQueries, MultiVectors,
    Pooling, TwoStage,
};
pub use metric::Metric;
pub use pq::{PqBuilder, PqIndex, PqNotes, PqParams};
pub use queries::{TextQueries, VectorQueries};
pub use retriever::Retriever;
pub use top_k::Neighbour;
pub use vectors::Vectors;
