//! What `mrmr search` was told.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use mrmr_search::Metric;

use super::{Bm25Arguments, LevelArguments, MeasureArguments};
use crate::commands::search::{FORM_NAMES, System};

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mrmr search --corpus-vectors D.npy --corpus-ids D.txt --query-vectors Q.npy --query-ids Q.txt -k 100 -o run.trec\n  mrmr search --corpus-vectors D.parquet --query-vectors Q.parquet --metric dot -o run.parquet\n  mrmr search --corpus corpus.jsonl --queries queries.jsonl --system bm25 -k 100 -o run.json\n  mrmr search --system hnsw --corpus-vectors D.npy --query-vectors Q.npy -k 10 --against-exact -o run.trec\n  mrmr search --system ivf --corpus-vectors D.npy --query-vectors Q.npy -k 10 --sweep probes=1..64 --svg ivf.svg"
)]
pub(crate) struct SearchArguments {
    /// How documents are found: bm25 in texts, the others over vectors [default: bm25 or exact, by what is given]
    #[arg(long, value_name = "SYSTEM", value_parser = PossibleValuesParser::new(System::NAMES))]
    pub(crate) system: Option<String>,
    /// How many documents to return for a query; all where there are fewer
    #[arg(short = 'k', value_name = "N", default_value_t = 1000)]
    pub(crate) k: usize,
    /// Documents that a query must not return: a query and a document a line, or a JSON object of lists
    #[arg(long, value_name = "FILE")]
    pub(crate) exclude: Option<PathBuf>,
    /// The only documents that a query may return, in the same form; each query needs a list
    #[arg(long, value_name = "FILE")]
    pub(crate) candidates: Option<PathBuf>,
    /// Leave documents out that have the id of their query (ArguAna, Quora)
    #[arg(long)]
    pub(crate) drop_self: bool,
    /// How much memory there is, as in 8G: exact search goes block by block where the documents do not fit
    /// [default: what the machine has available]
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory: Option<String>,
    #[command(flatten)]
    pub(crate) vectors: SearchVectorArguments,
    #[command(flatten)]
    pub(crate) index: IndexArguments,
    #[command(flatten)]
    pub(crate) against: AgainstArguments,
    #[command(flatten)]
    pub(crate) texts: TextArguments,
    #[command(flatten)]
    pub(crate) bm25: Bm25Arguments,
    #[command(flatten)]
    pub(crate) output: RunOutputArguments,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Vectors")]
pub(crate) struct SearchVectorArguments {
    /// Document vectors: .npy, safetensors, Parquet, .fvecs, .bvecs, .ivecs
    #[arg(long, value_name = "FILE")]
    pub(crate) corpus_vectors: Option<PathBuf>,
    /// Ids of the document vectors, one a line or a JSON list [default: the Parquet file's, else row numbers]
    #[arg(long, value_name = "FILE")]
    pub(crate) corpus_ids: Option<PathBuf>,
    /// The tensor or column of the document vectors, where there are several
    #[arg(long, value_name = "NAME")]
    pub(crate) corpus_column: Option<String>,
    /// Query vectors, in the same formats
    #[arg(long, value_name = "FILE")]
    pub(crate) query_vectors: Option<PathBuf>,
    /// Ids of the query vectors, in the same form
    #[arg(long, value_name = "FILE")]
    pub(crate) query_ids: Option<PathBuf>,
    /// The tensor or column of the query vectors, where there are several
    #[arg(long, value_name = "NAME")]
    pub(crate) query_column: Option<String>,
    /// The column of ids of Parquet files [default: id, _id, or another usual name]
    #[arg(long, value_name = "NAME")]
    pub(crate) id_column: Option<String>,
    /// How similar two vectors are; cosine divides by their lengths, dot does not [default: cosine]
    #[arg(long, value_name = "METRIC", value_parser = PossibleValuesParser::new(Metric::NAMES))]
    pub(crate) metric: Option<String>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Index")]
pub(crate) struct IndexArguments {
    /// hnsw: neighbours that a document is linked to
    #[arg(long, value_name = "N")]
    pub(crate) m: Option<usize>,
    /// hnsw: candidates among which these are chosen
    #[arg(long, value_name = "N")]
    pub(crate) ef_construction: Option<usize>,
    /// hnsw: candidates that a query keeps; more find more and take longer
    #[arg(long, value_name = "N")]
    pub(crate) ef: Option<usize>,
    /// ivf: lists that the documents are parted into
    #[arg(long, value_name = "N")]
    pub(crate) lists: Option<usize>,
    /// ivf: lists that a query looks into
    #[arg(long, value_name = "N")]
    pub(crate) probes: Option<usize>,
    /// pq: bytes that a vector becomes
    #[arg(long, value_name = "N")]
    pub(crate) segments: Option<usize>,
    /// pq: documents that a query scores again by their vectors as given
    #[arg(long, value_name = "N")]
    pub(crate) rescored: Option<usize>,
    /// hnsw, ivf, pq: where chance starts; the same seed makes the same index
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// maxsim: join a document's vectors into one in N of them; with --first-stage, there alone
    #[arg(long, value_name = "N")]
    pub(crate) pool: Option<usize>,
    /// maxsim: score only so many documents a query, those that a first stage finds: by the means of their vectors,
    /// or by their pooled vectors
    #[arg(long, value_name = "N")]
    pub(crate) first_stage: Option<usize>,
    /// Write the index to a file (hnsw, ivf, pq, bm25)
    #[arg(long, value_name = "FILE")]
    pub(crate) save_index: Option<PathBuf>,
    /// Use the index of a file instead of building one; vectors are given beside it, as they were
    #[arg(long, value_name = "FILE", conflicts_with = "save_index")]
    pub(crate) index: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Against exact search")]
pub(crate) struct AgainstArguments {
    /// Search exactly as well, and show what the index misses
    #[arg(long)]
    pub(crate) against_exact: bool,
    /// Measure both against these judgements
    #[arg(long, value_name = "FILE")]
    pub(crate) qrels: Option<PathBuf>,
    /// Write what --against-exact shows to a file, in the form of its ending
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Search with several efforts, as in ef=16..512 (doubling) or probes=1,4,16: recall and speed of each; no run
    #[arg(long, value_name = "EFFORTS", conflicts_with_all = ["against_exact", "report", "name"])]
    pub(crate) sweep: Option<String>,
    /// Draw recall against speed of a sweep
    #[arg(long, value_name = "FILE", requires = "sweep")]
    pub(crate) svg: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) measures: MeasureArguments,
    #[command(flatten)]
    pub(crate) level: LevelArguments,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Texts")]
pub(crate) struct TextArguments {
    /// Documents: a JSONL file with _id, title, text a line, or the folder of a data set
    #[arg(long, value_name = "FILE|FOLDER")]
    pub(crate) corpus: Option<PathBuf>,
    /// Queries: a JSONL file with _id, text a line, or the folder of a data set
    #[arg(long, value_name = "FILE|FOLDER")]
    pub(crate) queries: Option<PathBuf>,
    /// The split of queries and documents in MRMR's layout; BEIR's and single files have none
    #[arg(long, value_name = "SPLIT")]
    pub(crate) split: Option<String>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct RunOutputArguments {
    /// The name of the run, the tag of TREC lines [default: that of the system]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Form of the run (trec, json, parquet), or of a sweep [default: by the ending of -o, else trec, table]
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(FORM_NAMES))]
    pub(crate) format: Option<String>,
    /// Write the run, or the sweep, to a file; - is standard output
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Digits behind the point in tables
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(0..=17))]
    pub(crate) digits: u8,
    /// Show shares multiplied by 100
    #[arg(long)]
    pub(crate) percent: bool,
}
