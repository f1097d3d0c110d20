//! What was typed; the commands decide what it means.

mod fusion;
mod models;
mod scoring;
mod search;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand, ValueEnum};

use mrmr_core::{MissingPolicy, NoRelevantPolicy, TiePolicy, UnjudgedPolicy};
use mrmr_report::Format;
use mrmr_search::{Analyzer, Metric, Norms, QueryWeighting};

use crate::commands::caption::CaptionArguments;
use crate::commands::compare::CompareArguments;
use crate::commands::diff::DiffArguments;
use crate::commands::explain::ExplainArguments;
use crate::commands::judge::JudgeCommand;
use crate::commands::trec::TrecArguments;

pub(crate) use fusion::{FuseArguments, TuneArguments};
pub(crate) use models::{
    BenchEncodingArguments, EncodeArguments, EncoderArguments, ModelArguments, RerankArguments,
};
pub(crate) use scoring::{IntervalArguments, LevelArguments, ReadingArguments, ReportArguments};
pub(crate) use search::{IndexArguments, SearchArguments};

/// Measure retrieval, run it, explain it.
#[derive(Debug, Parser)]
#[command(
    name = "mrmr",
    version,
    about = "Measure retrieval, run it, explain it: text, images and audio",
    max_term_width = 100,
    subcommand_required = true,
    arg_required_else_help = true
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) global: GlobalArguments,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Args)]
pub(crate) struct GlobalArguments {
    /// Say nothing but results, warnings and errors
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Colour on stderr [auto: if it is a terminal; NO_COLOR and FORCE_COLOR are heeded]
    #[arg(
        long,
        global = true,
        value_name = "WHEN",
        default_value = "auto",
        hide_default_value = true
    )]
    pub(crate) color: ColorChoice,
    /// How many threads to use [default: one a core]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ColorChoice {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find emoji pictures by words: a whole benchmark in a minute, nothing to download
    Demo(DemoArguments),
    /// Run a system over a benchmark's data and measure it
    Bench(Box<BenchArguments>),
    /// Measure runs against judgements
    Score(Box<ScoreArguments>),
    /// Compare runs to a reference: intervals, tests, a verdict
    Compare(Box<CompareArguments>),
    /// Compare two runs query by query
    Diff(DiffArguments),
    /// Take a measure's value for one query apart, rank by rank
    Explain(ExplainArguments),
    /// Look for what is wrong with judgements, runs or a data set (exit code 1 if anything is)
    Check(CheckArguments),
    /// Print what trec_eval prints, byte for byte
    Trec(TrecArguments),
    /// Find documents by words or by vectors and write the run
    Search(Box<SearchArguments>),
    /// Describe the pictures of a data set in words
    Caption(CaptionArguments),
    /// Turn the records of one side into a file of vectors
    Encode(Box<EncodeArguments>),
    /// Score the first documents of a run anew, by a model that reads both
    Rerank(Box<RerankArguments>),
    /// Make one run of several
    Fuse(Box<FuseArguments>),
    /// Find the parameters of a fusion by judgements, and what they are worth on queries held out
    Tune(Box<TuneArguments>),
    /// Make judgements of what there is: answers, gold spans, N-best lists, clicks
    #[command(subcommand)]
    Judge(JudgeCommand),
    /// Look at data sets
    #[command(subcommand)]
    Data(DataCommand),
    /// Look at what bench keeps, and throw away what is not used
    #[command(subcommand)]
    Cache(CacheCommand),
}

#[derive(Debug, Subcommand)]
pub(crate) enum DataCommand {
    /// Show what a data set holds, or one of its records
    Show(DataShowArguments),
}

#[derive(Debug, Subcommand)]
pub(crate) enum CacheCommand {
    /// List what is kept, what was used last first
    Ls(CacheArguments),
    /// Show how much is kept
    Size(CacheArguments),
    /// Remove what was not used for long, or what is too much; whatever needs it makes it again
    Prune(PruneArguments),
}

#[derive(Debug, Args)]
pub(crate) struct CacheArguments {
    /// The folder of the store [default: MRMR_STORE, else .mrmr]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) store: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mrmr cache prune --unused-for 30d\n  mrmr cache prune --max-size 2G --dry-run\n  mrmr cache prune --all"
)]
pub(crate) struct PruneArguments {
    #[command(flatten)]
    pub(crate) cache: CacheArguments,
    /// Remove what was not used for so long: 12h, 30d, 8w
    #[arg(long, value_name = "TIME")]
    pub(crate) unused_for: Option<String>,
    /// Remove what was not used for longest, until so much is left: 512M, 8G
    #[arg(long, value_name = "SIZE")]
    pub(crate) max_size: Option<String>,
    /// Remove everything
    #[arg(long, conflicts_with_all = ["unused_for", "max_size"])]
    pub(crate) all: bool,
    /// Show what would go, and remove nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// The form of results.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct FormArguments {
    /// Form of the results [default: by the ending of -o, else table]
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(Format::NAMES))]
    pub(crate) format: Option<String>,
    /// Digits behind the point in tables
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(0..=17))]
    pub(crate) digits: u8,
    /// Show shares multiplied by 100
    #[arg(long)]
    pub(crate) percent: bool,
}

#[derive(Debug, Args)]
pub(crate) struct OutputArguments {
    #[command(flatten)]
    pub(crate) form: FormArguments,
    /// Show the value of each query too
    #[arg(long)]
    pub(crate) per_query: bool,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Policies")]
pub(crate) struct PolicyArguments {
    /// Order of equal scores: trec = larger document id first, expected = mean over all orders
    #[arg(long, value_name = "POLICY", default_value = "trec", value_parser = PossibleValuesParser::new(TiePolicy::NAMES))]
    pub(crate) ties: String,
    /// What a judged query counts that the run lacks
    #[arg(long, value_name = "POLICY", default_value = "zero", value_parser = PossibleValuesParser::new(MissingPolicy::NAMES))]
    pub(crate) missing: String,
    /// What a query counts that has no relevant document
    #[arg(long, value_name = "POLICY", default_value = "zero", value_parser = PossibleValuesParser::new(NoRelevantPolicy::NAMES))]
    pub(crate) no_relevant: String,
    /// How retrieved documents without a judgement are read; drop takes them out of the ranking
    #[arg(long, value_name = "POLICY", default_value = "nonrelevant", value_parser = PossibleValuesParser::new(UnjudgedPolicy::NAMES))]
    pub(crate) unjudged: String,
    /// Compare scores as another tool does: trec_eval-9 in 32 bits, trec_eval-10 in 64 bits
    #[arg(long, value_name = "TOOL", value_parser = PossibleValuesParser::new(["trec_eval-9", "trec_eval-10"]))]
    pub(crate) compat: Option<String>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Measures")]
pub(crate) struct MeasureArguments {
    /// A measure, such as nDCG@10, P(rel=2)@5, recip_rank; may be given several times
    #[arg(short, long = "measure", value_name = "MEASURE")]
    pub(crate) measures: Vec<String>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mrmr score qrels.txt bm25.run dense.run\n  mrmr score qrels.tsv run.json.gz -m nDCG@10 -m 'P(rel=2)@5' --format json\n  mrmr score qrels.txt bm25.run --by slices.tsv --fail-under nDCG@10=0.30\n  mrmr score qrels.txt --waterfall exact=exact.run --waterfall ann=hnsw.run --waterfall reranked=final.run --depth 100\n  zcat run.gz | mrmr score qrels.txt -"
)]
pub(crate) struct ScoreArguments {
    /// Judgements: TREC, BEIR, MS MARCO, JSON, JSONL, CSV/TSV with a header, Parquet; .gz and .zst too
    #[arg(required_unless_present = "list_measures")]
    pub(crate) qrels: Option<PathBuf>,
    /// Runs, in the same formats; - is standard input
    #[arg(required_unless_present_any = ["list_measures", "waterfall"])]
    pub(crate) runs: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) measures: MeasureArguments,
    /// List the measures that there are
    #[arg(long)]
    pub(crate) list_measures: bool,
    /// Show the means of slices of queries: a file with a query and its slice a line (TSV, CSV, JSON),
    /// FILE:FIELD, or a field of the data set's queries
    #[arg(long, value_name = "FILE|FIELD")]
    pub(crate) by: Option<String>,
    /// Show where a pipeline loses, as exact=A.run ann=B.run candidates=C.run reranked=D.run, two or more of them;
    /// one stage an option
    #[arg(long, value_name = "STAGE=RUN", conflicts_with_all = ["runs", "list_measures", "by", "fail_under", "per_query", "interval", "no_intervals"])]
    pub(crate) waterfall: Vec<String>,
    /// With --waterfall: how many candidates the reranker is given for a query, the first of the run before
    #[arg(long, value_name = "N")]
    pub(crate) depth: Option<NonZeroUsize>,
    /// Exit with 1 if a run's value is under a bound, as in nDCG@10=0.30; may be given several times
    #[arg(long, value_name = "MEASURE=VALUE")]
    pub(crate) fail_under: Vec<String>,
    #[command(flatten)]
    pub(crate) intervals: IntervalArguments,
    #[command(flatten)]
    pub(crate) policies: PolicyArguments,
    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    /// Write the results to a file, in the form of its ending
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mrmr check qrels.txt run.txt\n  mrmr check --run run.txt\n  mrmr check data/theorem"
)]
pub(crate) struct CheckArguments {
    /// Judgements, or the folder of a data set
    #[arg(required_unless_present = "run")]
    pub(crate) path: Option<PathBuf>,
    /// Runs to check against the judgements
    pub(crate) runs: Vec<PathBuf>,
    /// A run to check on its own; may be given several times
    #[arg(long, value_name = "FILE")]
    pub(crate) run: Vec<PathBuf>,
    /// Form of the findings
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = PossibleValuesParser::new(["table", "json"]))]
    pub(crate) format: String,
    /// List every place, not only the first 20 of each kind (10,000 of each at most)
    #[arg(long)]
    pub(crate) all: bool,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mrmr bench data/theorem --task theorem\n  mrmr bench data/mrmr -o results      (a folder with knowledge/, theorem/, design/, traffic/, negation/)\n  mrmr bench data/negation --task negation --content captions --captions captions.json\n  mrmr bench data/theorem --task theorem --run theorem=model.json\n  mrmr bench data/theorem --task theorem --encoder models/minilm      (beside BM25, with a paired test)"
)]
pub(crate) struct BenchArguments {
    /// The folder of a data set, or one that holds a folder for each task; or a file of systems (.toml)
    pub(crate) path: PathBuf,
    /// A task of MRMR: knowledge, theorem, design, traffic, negation; may be given several times
    /// [default: all that are there; a data set on its own is measured as it is]
    #[arg(long = "task", value_name = "TASK")]
    pub(crate) tasks: Vec<String>,
    /// How documents are found: bm25 (the default), or exact over vectors that were computed elsewhere; of a file of
    /// systems, which ones, as often as wanted
    #[arg(long = "system", value_name = "SYSTEM")]
    pub(crate) systems: Vec<String>,
    /// Measure this run instead of a system, as TASK=FILE, or FILE for a single task
    #[arg(long = "run", value_name = "[TASK=]FILE", conflicts_with = "systems")]
    pub(crate) runs: Vec<String>,
    /// The split of the data
    #[arg(long, value_name = "SPLIT")]
    pub(crate) split: Option<String>,
    /// How many documents to return for a query [default: 1000]
    #[arg(long, value_name = "N")]
    pub(crate) depth: Option<NonZeroUsize>,
    /// Leave documents out that have the id of their query (ArguAna, Quora)
    #[arg(long)]
    pub(crate) drop_self: bool,
    #[command(flatten)]
    pub(crate) bm25: Bm25Arguments,
    #[command(flatten)]
    pub(crate) vectors: VectorArguments,
    #[command(flatten)]
    pub(crate) encoder: EncoderArguments,
    #[command(flatten)]
    pub(crate) encoding: BenchEncodingArguments,
    #[command(flatten)]
    pub(crate) plan: PlanArguments,
    #[command(flatten)]
    pub(crate) measures: MeasureArguments,
    #[command(flatten)]
    pub(crate) policies: PolicyArguments,
    #[command(flatten)]
    pub(crate) intervals: IntervalArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
    /// Write results.json and the runs (TREC and JSON) to this folder
    #[arg(short = 'o', long = "output", value_name = "FOLDER")]
    pub(crate) folder: Option<PathBuf>,
}

/// What is done about the steps of a file of systems.
#[derive(Debug, Args)]
#[command(next_help_heading = "File of systems")]
pub(crate) struct PlanArguments {
    /// Show which steps there are and what is kept of them, and do nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Run a step again, and all that need it: SYSTEM/STEP, a system, or a step of all systems
    #[arg(long, value_name = "STEP")]
    pub(crate) force: Vec<String>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "BM25")]
pub(crate) struct Bm25Arguments {
    /// How fast repeated terms saturate [default: 0.9]
    #[arg(long, allow_negative_numbers = true)]
    pub(crate) k1: Option<f32>,
    /// How much length counts against a document, from 0 to 1 [default: 0.4]
    #[arg(long, allow_negative_numbers = true)]
    pub(crate) b: Option<f32>,
    /// Lengths as Lucene keeps them (in one byte), or exact [default: lucene]
    #[arg(long, value_name = "NORMS", value_parser = PossibleValuesParser::new(Norms::NAMES))]
    pub(crate) norms: Option<String>,
    /// How text becomes terms: Lucene's analysis of English, its bigrams of Chinese, Japanese and Korean,
    /// the tokenizer of bm25s, or white space [default: lucene-english]
    #[arg(long, value_name = "ANALYZER", value_parser = PossibleValuesParser::new(Analyzer::NAMES))]
    pub(crate) analyzer: Option<String>,
    /// Words that are left out: none, lucene, or those of a file with one word a line and # before
    /// comments [default: lucene, under whitespace none]
    #[arg(long, value_name = "LIST|FILE")]
    pub(crate) stop_words: Option<String>,
    /// A term of the query counts as often as it occurs, or by BM25 as in a document (the baseline of
    /// BRIGHT) [default: bag]
    #[arg(long, value_name = "WEIGHTING", value_parser = PossibleValuesParser::new(QueryWeighting::NAMES))]
    pub(crate) query_weighting: Option<String>,
    /// How records become text: text (images left out), captions (images replaced
    /// by them); with --encoder also two-stream, two-stream:mean, ..., merged, interleaved [default: text]
    #[arg(long, value_name = "RULE")]
    pub(crate) content: Option<String>,
    /// A file of captions, in the form of MRMR's authors
    #[arg(long, value_name = "FILE")]
    pub(crate) captions: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Vectors (--system exact)")]
pub(crate) struct VectorArguments {
    /// Query vectors: .npy of shape (queries, dimension)
    #[arg(long, value_name = "FILE")]
    pub(crate) query_vectors: Option<PathBuf>,
    /// Ids of the query vectors, one a line or a JSON list
    #[arg(long, value_name = "FILE")]
    pub(crate) query_ids: Option<PathBuf>,
    /// Document vectors: .npy of shape (documents, dimension)
    #[arg(long, value_name = "FILE")]
    pub(crate) corpus_vectors: Option<PathBuf>,
    /// Ids of the document vectors, one a line or a JSON list
    #[arg(long, value_name = "FILE")]
    pub(crate) corpus_ids: Option<PathBuf>,
    /// How similar two vectors are [default: cosine]
    #[arg(long, value_name = "METRIC", value_parser = PossibleValuesParser::new(Metric::NAMES))]
    pub(crate) metric: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct DemoArguments {
    /// The folder that the data set is written to
    #[arg(default_value = "mrmr-demo")]
    pub(crate) folder: PathBuf,
    /// Real models beside what needs none: the folder that scripts/demo-models.py made
    #[arg(long, value_name = "DIR")]
    pub(crate) models: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) intervals: IntervalArguments,
    #[command(flatten)]
    pub(crate) output: OutputArguments,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mrmr data show data/theorem\n  mrmr data show data/theorem --query jianyu_xu_Lah_number_6\n  mrmr data show data/theorem --document Lah_number --page page.png"
)]
pub(crate) struct DataShowArguments {
    /// The folder of a data set
    pub(crate) path: PathBuf,
    /// The split of the data
    #[arg(long, value_name = "SPLIT")]
    pub(crate) split: Option<String>,
    /// Show this query and its judgements
    #[arg(long, value_name = "ID")]
    pub(crate) query: Option<String>,
    /// Show this document and the queries it is judged for
    #[arg(long, value_name = "ID", conflicts_with = "query")]
    pub(crate) document: Option<String>,
    /// Write the record as one picture to this file: the data set's page of it, else one drawn as PNG
    #[arg(long, value_name = "FILE")]
    pub(crate) page: Option<PathBuf>,
    /// How the page is made: page, or page:SETTING,... with drawn, system-fonts, width=N, height=N, margin=N, font-size=N, fonts=DIR
    #[arg(long, value_name = "RULE", default_value = "page", requires = "page")]
    pub(crate) page_rule: String,
    /// Form of the answer
    #[arg(long, value_name = "FORMAT", default_value = "table", value_parser = PossibleValuesParser::new(["table", "json"]))]
    pub(crate) format: String,
}
