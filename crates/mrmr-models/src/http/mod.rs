//! Encoders, rerankers and captioners behind HTTP, one file a convention.
//!
//! A request goes: contents to items (`item.rs`), items to batches (`batches.rs`), a batch to a request of a convention
//! (`conventions/`), through the client (`client.rs`: pace, retries, time-outs), and the answer back by the index it
//! gives (`answers.rs`).

mod answers;
mod batches;
mod captioner;
mod client;
mod convention;
mod conventions;
mod encoder;
mod endpoint;
mod item;
mod key;
mod pace;
mod picture;
mod problem;
mod reranker;
mod retry;
mod time;
mod traffic;
mod url;

pub use captioner::{DEFAULT_CAPTION_PROMPT, HttpCaptioner};
pub use convention::Convention;
pub use encoder::HttpEncoder;
pub use endpoint::Endpoint;
pub use reranker::HttpReranker;
pub use time::{Clock, Surroundings, Time};
pub use traffic::Traffic;
