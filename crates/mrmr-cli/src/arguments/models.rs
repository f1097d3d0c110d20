//! Which model reads what.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use mrmr_models::Runtime;

/// What opens a model.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Model")]
pub(crate) struct ModelArguments {
    /// The first N numbers of each vector, for models trained for it (Matryoshka)
    #[arg(long, value_name = "N")]
    pub(crate) dimension: Option<std::num::NonZeroUsize>,
    /// Read N tokens of a text at most, where the model reads more
    #[arg(long, value_name = "N")]
    pub(crate) tokens: Option<std::num::NonZeroUsize>,
    /// Which ONNX file: int8 for onnx/model_int8.onnx [default: model.onnx]
    #[arg(long, value_name = "NAME")]
    pub(crate) network: Option<String>,
    /// What runs the network [default: rten]
    #[arg(long, value_name = "RUNTIME", value_parser = PossibleValuesParser::new(Runtime::NAMES))]
    pub(crate) runtime: Option<String>,
}

/// What encodes records.
#[derive(Debug, Args)]
#[command(next_help_heading = "Encoder")]
pub(crate) struct EncoderArguments {
    /// A model's folder, its id in the local Hugging Face cache, hashing or pixels
    #[arg(long, value_name = "PATH|ID")]
    pub(crate) encoder: Option<String>,
    /// Another one for images, under --content two-stream
    #[arg(long, value_name = "PATH|ID", requires = "encoder")]
    pub(crate) image_encoder: Option<String>,
    #[command(flatten)]
    pub(crate) model: ModelArguments,
}

/// What `mrmr bench` needs beside an encoder.
#[derive(Debug, Args)]
#[command(next_help_heading = "Encoder")]
pub(crate) struct BenchEncodingArguments {
    /// What queries are told to find [default: what the benchmark tells them]
    #[arg(long, value_name = "TEXT", requires = "encoder")]
    pub(crate) instruction: Option<String>,
    /// Tell queries nothing
    #[arg(long, requires = "encoder", conflicts_with = "instruction")]
    pub(crate) no_instruction: bool,
    /// Where vectors are kept for the next time [default: MRMR_STORE, else .mrmr]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) store: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mrmr encode data/theorem --role document --encoder models/minilm -o corpus.safetensors\n  mrmr encode --corpus corpus.jsonl --encoder sentence-transformers/all-MiniLM-L6-v2 --dtype f16 -o corpus.parquet\n  mrmr encode data/theorem --role query --encoder models/clip --content two-stream -o queries.npy\n\nExit codes: 0 every record has a vector; 1 some have none (the file says which); 2 an error; 130 interrupted,\nthe same command goes on."
)]
pub(crate) struct EncodeArguments {
    /// The folder of a data set
    #[arg(required_unless_present_any = ["corpus", "queries"], conflicts_with_all = ["corpus", "queries"])]
    pub(crate) dataset: Option<PathBuf>,
    /// Documents alone: a JSONL file with _id, title, text a line
    #[arg(long, value_name = "FILE", conflicts_with = "queries")]
    pub(crate) corpus: Option<PathBuf>,
    /// Queries alone: a JSONL file with _id, text a line
    #[arg(long, value_name = "FILE")]
    pub(crate) queries: Option<PathBuf>,
    /// Which side of a data set: query or document
    #[arg(long, value_name = "ROLE", value_parser = PossibleValuesParser::new(["query", "document"]))]
    pub(crate) role: Option<String>,
    /// The split of the data
    #[arg(long, value_name = "SPLIT")]
    pub(crate) split: Option<String>,
    #[command(flatten)]
    pub(crate) encoder: EncoderArguments,
    /// What of a record is read: text, captions, two-stream (two-stream:mean, ...), merged, interleaved
    #[arg(long, value_name = "RULE", default_value = "text")]
    pub(crate) content: String,
    /// A file of captions, in the form of MRMR's authors
    #[arg(long, value_name = "FILE")]
    pub(crate) captions: Option<PathBuf>,
    /// What stands before each text, instead of the model's own prompt
    #[arg(long, value_name = "TEXT")]
    pub(crate) prompt: Option<String>,
    /// What queries are told to find: a line before the text
    #[arg(long, value_name = "TEXT")]
    pub(crate) instruction: Option<String>,
    /// The type of the numbers: f32, f16, bf16, int8 with a scale a row (the last two in safetensors alone)
    #[arg(long, value_name = "TYPE", default_value = "f32")]
    pub(crate) dtype: String,
    /// How many records the encoder is given at once; no vector depends on it
    #[arg(long, value_name = "N", default_value_t = mrmr_bench::encoding::BATCH, value_parser = above_zero)]
    pub(crate) batch: usize,
    /// How many records are kept at once: what a crash costs at most
    #[arg(long, value_name = "N", default_value_t = mrmr_bench::encoding::SHARD, value_parser = above_zero)]
    pub(crate) shard: usize,
    /// End with 0 though some records have no vector
    #[arg(long)]
    pub(crate) allow_failures: bool,
    /// The file: .safetensors, .parquet or .npy (with its ids in NAME.npy.json)
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub(crate) file: PathBuf,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mrmr rerank bm25.run --model models/ms-marco-MiniLM --queries data/theorem --corpus data/theorem --depth 100 -o reranked.run\n  mrmr rerank run.json --model hashing --queries queries.jsonl --corpus corpus.jsonl --below drop -o reranked.json\n\nThe documents with a new score come first; those below the depth keep their order, with the lowest new score\nless 1, less 2 and so on. Exit codes: 0 every pair has a score; 1 some have none; 2 an error."
)]
pub(crate) struct RerankArguments {
    /// The run, in any format that mrmr score reads
    pub(crate) run: PathBuf,
    /// A cross-encoder, or an encoder whose similarity is the score: a folder, an id in the local cache, hashing
    #[arg(long, value_name = "PATH|ID")]
    pub(crate) model: String,
    /// Queries: a JSONL file with _id, text a line, or the folder of a data set
    #[arg(long, value_name = "FILE|FOLDER")]
    pub(crate) queries: PathBuf,
    /// Documents: a JSONL file with _id, title, text a line, or the folder of a data set
    #[arg(long, value_name = "FILE|FOLDER")]
    pub(crate) corpus: PathBuf,
    /// The split of queries and documents
    #[arg(long, value_name = "SPLIT")]
    pub(crate) split: Option<String>,
    /// How many documents of each query are scored
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = above_zero)]
    pub(crate) depth: usize,
    /// What becomes of the documents below the depth
    #[arg(long, value_name = "RULE", default_value = "keep", value_parser = PossibleValuesParser::new(mrmr_bench::rerank::Below::NAMES))]
    pub(crate) below: String,
    /// What of a record is read: text, captions
    #[arg(long, value_name = "RULE", default_value = "text")]
    pub(crate) content: String,
    /// A file of captions, in the form of MRMR's authors
    #[arg(long, value_name = "FILE")]
    pub(crate) captions: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) options: ModelArguments,
    /// End with 0 though some pairs have no score
    #[arg(long)]
    pub(crate) allow_failures: bool,
    /// The name of the run, the tag of TREC lines [default: that of the model]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Form of the run: trec, json, parquet [default: by the ending of -o, else trec]
    #[arg(long, value_name = "FORMAT", value_parser = PossibleValuesParser::new(["trec", "json", "parquet"]))]
    pub(crate) format: Option<String>,
    /// Write the run to a file; - is standard output
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
}

pub(super) fn above_zero(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err("expected a whole number from 1 up".to_owned()),
    }
}
