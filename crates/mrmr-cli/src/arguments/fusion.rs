//! What `mrmr fuse` and `mrmr tune` were told.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;

use mrmr_core::DuplicatePolicy;

use super::models::above_zero;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mrmr fuse bm25.run dense.run -o hybrid.run\n  mrmr fuse bm25.run dense.run --method wsum --weights 0.3,0.7 --norm zmuv --depth 100 -o hybrid.json\n  mrmr fuse bm25.run dense.run --method 'rrf(k=20)'\n  mrmr fuse bm25.run dense.run --method posfuse --qrels train.qrels --train bm25.train.run --train dense.train.run -o hybrid.run"
)]
pub(crate) struct FuseArguments {
    /// Runs, in any format that mrmr score reads; - is standard input
    #[arg(required_unless_present = "list_methods")]
    pub(crate) runs: Vec<PathBuf>,
    /// How documents are scored: a name, or one with parameters, as in 'rrf(k=20)'
    #[arg(long, value_name = "METHOD", default_value = "rrf")]
    pub(crate) method: String,
    /// rrf, wrrf: how little the first ranks stand out [default: 60]
    #[arg(long, value_name = "K", allow_negative_numbers = true)]
    pub(crate) k: Option<String>,
    /// How much each run counts, in the order of the runs, for methods with weights [default: 1 each]
    #[arg(long, value_name = "W,W,...", allow_negative_numbers = true)]
    pub(crate) weights: Option<String>,
    /// What makes scores of different runs comparable: none, min-max, max, sum, zmuv, rank, borda
    /// [default: min-max for methods that read scores]
    #[arg(long, value_name = "NORM")]
    pub(crate) norm: Option<String>,
    /// How many documents of each run count for a query, the first ones [default: all]
    #[arg(long, value_name = "N", value_parser = above_zero)]
    pub(crate) depth: Option<usize>,
    /// How many documents of each query are kept, the first ones [default: all]
    #[arg(long, value_name = "N", value_parser = above_zero)]
    pub(crate) keep: Option<usize>,
    /// Judgements that a trained method (mapfuse, posfuse, ...) learns from
    #[arg(long, value_name = "FILE")]
    pub(crate) qrels: Option<PathBuf>,
    /// A run of the same system for the queries of --qrels, one for each run in their order [default: the runs themselves]
    #[arg(long, value_name = "FILE", requires = "qrels")]
    pub(crate) train: Vec<PathBuf>,
    /// List the methods that there are
    #[arg(long)]
    pub(crate) list_methods: bool,
    /// What counts of a document that stands twice for one query
    #[arg(long, value_name = "POLICY", default_value = "error", value_parser = PossibleValuesParser::new(DuplicatePolicy::NAMES))]
    pub(crate) duplicates: String,
    /// The name of the run, the tag of TREC lines [default: that of the method]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Form of the run: trec, json, parquet [default: by the ending of -o, else trec]
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(["trec", "json", "parquet"]))]
    pub(crate) format: Option<String>,
    /// Write the run to a file; - is standard output
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}
