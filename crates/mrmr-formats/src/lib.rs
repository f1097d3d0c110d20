//! Files in and out: judgements, runs, slices of queries, data sets, captions, vectors.

pub mod captions;
pub mod dataset;
pub mod document_lists;
pub mod findings;
pub mod format;
pub mod input;
mod json_lines;
pub mod multi_vectors;
pub mod output;
pub mod parquet_table;
pub mod qrels;
mod rows;
pub mod run;
pub mod scan;
pub mod slices;
pub mod vectors;

pub use format::{FileNotes, Format};
pub use input::Input;
