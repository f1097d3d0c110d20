//! Files in and out: judgements, runs, data sets, captions, vectors.

pub mod dataset;
pub mod input;
pub mod output;
pub mod parquet_table;
pub mod qrels;
pub mod run;
pub mod vectors;
pub mod captions;
