//! What `mrmr search` was told.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use mrmr_search::Metric;

use super::Bm25Arguments;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mrmr search --corpus-vectors D.npy --corpus-ids D.txt --query-vectors Q.npy --query-ids Q.txt -k 100 -o run.trec\n  mrmr search --corpus-vectors D.parquet --query-vectors Q.parquet --metric dot -o run.json\n  mrmr search --corpus corpus.jsonl --queries queries.jsonl --system bm25 -k 100 -o run.json"
)]
pub(crate) struct SearchArguments {
    /// How documents are found: bm25 in texts, exact over vectors [default: by what is given]
    #[arg(long, value_name = "SYSTEM", value_parser = PossibleValuesParser::new(["bm25", "exact"]))]
    pub(crate) system: Option<String>,
    /// How many documents to return for a query; all where there are fewer
    #[arg(short = 'k', value_name = "N", default_value_t = 1000)]
    pub(crate) k: usize,
    /// Documents that a query must not return: a query and a document a line, or a JSON object of lists
    #[arg(long, value_name = "FILE")]
    pub(crate) exclude: Option<PathBuf>,
    /// The only documents that a query may return, in the same form; each query needs some
    #[arg(long, value_name = "FILE")]
    pub(crate) candidates: Option<PathBuf>,
    /// Leave documents out that have the id of their query (ArguAna, Quora)
    #[arg(long)]
    pub(crate) drop_self: bool,
    #[command(flatten)]
    pub(crate) vectors: SearchVectorArguments,
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
    /// Form of the run [default: by the ending of -o, else trec]
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(["trec", "json"]))]
    pub(crate) format: Option<String>,
    /// Write the run to a file; - is standard output
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}
