//! Writing: whole files or none, runs and judgements.

mod atomic;
mod json;
mod score;
mod trec;

pub use atomic::write_atomically;
pub use json::write_run_json;
pub use trec::{write_qrels_trec, write_run_trec};
