//! What the scoring commands take in common.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;

use mrmr_core::DuplicatePolicy;

use super::FormArguments;

#[derive(Debug, Args)]
pub(crate) struct ReadingArguments {
    /// What counts of a document that stands twice for one query
    #[arg(long, value_name = "POLICY", default_value = "error", value_parser = PossibleValuesParser::new(DuplicatePolicy::NAMES))]
    pub(crate) duplicates: String,
    /// Leave documents out that have the id of their query (ArguAna, Quora)
    #[arg(long)]
    pub(crate) drop_self: bool,
}

#[derive(Debug, Args)]
pub(crate) struct IntervalArguments {
    /// Show no confidence intervals
    #[arg(long)]
    pub(crate) no_intervals: bool,
    #[command(flatten)]
    pub(crate) level: LevelArguments,
}

#[derive(Debug, Args)]
pub(crate) struct LevelArguments {
    /// Level of the confidence intervals
    #[arg(long, value_name = "LEVEL", default_value_t = 0.95)]
    pub(crate) interval: f64,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArguments {
    #[command(flatten)]
    pub(crate) form: FormArguments,
    /// Write the results to a file, in the form of its ending
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}
