//! Writing: whole files or none, runs and judgements.

mod atomic;
mod json;
mod parquet;
mod score;
mod trec;

pub use atomic::{remove_unfinished, write_atomically};
pub use json::write_run_json;
pub use parquet::write_run_parquet;
pub use trec::{check_trec_ids, write_qrels_trec, write_run_trec};
