//! An evaluation to tables and result files; computes no measure.
//!
//! ```
//! use mrmr_report::{Format, Table};
//! let mut table = Table::new(["system", "nDCG@10"]);
//! table.row(["bm25", "0.4313"]);
//! assert_eq!(table.markdown(), "| system | nDCG@10 |\n|:--|--:|\n| bm25 | 0.4313 |\n");
//! assert_eq!("results.md".parse::<Format>().is_err(), true);
//! assert_eq!(Format::of_file("results.md".as_ref()), Some(Format::Markdown));
//! # Ok::<(), mrmr_core::Error>(())
//! ```

mod against_exact;
mod all_pairs;
mod bench;
mod bench_systems;
mod compare;
mod differences;
mod document;
mod explain;
mod export;
mod format;
mod interval;
mod json;
mod number;
mod score;
mod side_by_side;
mod slices;
mod svg;
mod sweep;
mod systems;
mod systems_table;
mod table;
mod waterfall;

pub use against_exact::AgainstExactReport;
pub use all_pairs::AllPairsReport;
pub use bench::BenchReport;
pub use bench_systems::BenchSystemsReport;
pub use compare::CompareReport;
pub use differences::DifferencesReport;
pub use explain::ExplainReport;
pub use format::Format;
pub use number::Numbers;
pub use score::{QrelsFacts, RunFacts, ScoreReport};
pub use side_by_side::SideBySideReport;
pub use slices::SliceFacts;
pub use sweep::{SweepReport, SweepStep};
pub use systems::{SystemsReport, SystemsTask};
pub use systems_table::{SystemsTable, SystemsTableReport};
pub use table::Table;
pub use waterfall::WaterfallReport;
