//! Reading on over every fault: all that is wrong with a file, and what can be read of it.
//!
//! ```
//! use mrmr_formats::{Input, scan};
//! let run = "q1 Q0 d1 1 2.5 bm25\nq1 Q0 d1 2 1.5 bm25\nq1 Q0 d2 3 0,9 bm25\nq2 Q0 d3 1 bm25\n";
//! let scanned = scan::run(&Input::memory("run.txt", run.as_bytes()))?;
//! assert_eq!(scanned.run.len(), 1);
//! let found: Vec<String> = scanned
//!     .findings
//!     .lists()
//!     .flat_map(|list| list.listed)
//!     .map(|finding| format!("{} {}: {}", finding.code, finding.place, finding.message))
//!     .collect();
//! assert_eq!(found, [
//!     "bad-score run.txt:3: expected a number as score, found \"0,9\"",
//!     "duplicate-document run.txt:2: query 'q1': document 'd1' is there twice, with score 1.5 here and 2.5 at line 1",
//!     "field-count run.txt:4: expected 6 fields, found 5: \"q2 Q0 d3 1 bm25\"",
//! ]);
//! # Ok::<(), mrmr_core::Error>(())
//! ```
//!
//! The readers are those of [`read_run`](crate::run::read_run), [`read_qrels`](crate::qrels::read_qrels) and
//! [`open_dataset`](crate::dataset::open_dataset), and so are the messages; only what they do about a fault
//! differs. Where the first line is no record, the format is that of most lines behind it.

mod dataset;
mod file;
mod lenient;
mod qrels;
mod run;
mod starts;

pub use dataset::{ScannedDataset, dataset, dataset_findings};
pub use qrels::{ScannedQrels, qrels};
pub use run::{ScannedRun, run};
