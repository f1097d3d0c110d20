//! `mrmr judge spans`: gold spans against chunks.

use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;

use mrmr_bench::judge::{Share, SpanOptions, Unit, judge_spans};
use mrmr_core::{Error, Place, Result};
use mrmr_formats::Input;
use mrmr_formats::dataset::{DatasetOptions, read_corpus};

use super::{check_files, first, quoted, write};
use crate::Ending;
use crate::printer::Printer;
use crate::words::counted;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  mrmr judge spans spans.jsonl chunks.jsonl -o qrels.txt\n  mrmr judge spans spans.jsonl chunks.jsonl --documents corpus.jsonl --threshold 0.8 --share both -o qrels.txt"
)]
pub(crate) struct SpansArguments {
    /// Gold spans, one JSON object a line: {"_id", "document", "start", "end", "text"}; _id is that of the query, end
    /// is exclusive; a text alone is looked for in --documents
    pub(crate) spans: PathBuf,
    /// Chunks, in the same form; _id is that of the chunk
    pub(crate) chunks: PathBuf,
    /// Documents: a file of BEIR's form ({"_id", "title", "text"} a line), or the folder of a data set
    #[arg(long, value_name = "PATH")]
    pub(crate) documents: Option<PathBuf>,
    /// A chunk is relevant from this share of overlap on
    #[arg(long, value_name = "SHARE", default_value_t = 0.5)]
    pub(crate) threshold: f64,
    /// What the overlap is a share of: the gold span, the chunk, or both (the smaller counts)
    #[arg(long, value_name = "OF", default_value = "span", value_parser = PossibleValuesParser::new(Share::NAMES))]
    pub(crate) share: String,
    /// What offsets count: Unicode characters, or bytes of UTF-8
    #[arg(long, value_name = "UNIT", default_value = "characters", value_parser = PossibleValuesParser::new(Unit::NAMES))]
    pub(crate) unit: String,
    /// Write the judgements to this file, as TREC lines
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub(crate) file: PathBuf,
}

pub(super) fn run(arguments: &SpansArguments, printer: Printer) -> Result<Ending> {
    let options = SpanOptions {
        threshold: arguments.threshold,
        share: arguments.share.parse()?,
        unit: arguments.unit.parse()?,
    };
    let mut read = vec![&arguments.spans, &arguments.chunks];
    read.extend(&arguments.documents);
    check_files(&[&arguments.file], &read)?;
    let documents = match &arguments.documents {
        Some(path) if path.as_os_str() == "-" => {
            return Err(Error::usage("documents are read from a file or a folder")
                .at(Place::whole("standard input")));
        }
        Some(path) => Some(read_corpus(path, &DatasetOptions::default())?),
        None => None,
    };
    let (spans, chunks) = (Input::new(&arguments.spans), Input::new(&arguments.chunks));
    let judged = judge_spans(&spans, &chunks, documents.as_ref(), options)?;
    write(&judged.qrels, &arguments.file)?;
    printer.say(&format!(
        "{}, {}: {} (overlap at least {} of the {}, offsets in {}, {} found by text)",
        counted(judged.spans, "span", "spans"),
        counted(judged.chunks, "chunk", "chunks"),
        counted(judged.relevant, "relevant pair", "relevant pairs"),
        options.threshold,
        match options.share {
            Share::Span => "span",
            Share::Chunk => "chunk",
            Share::Both => "span and of the chunk",
        },
        arguments.unit,
        counted(judged.located, "place", "places"),
    ));
    if !judged.cut.is_empty() {
        let whole = judged.spans - judged.cut.len();
        printer.say(&format!(
            "ceiling: {whole} of {} held entirely by a chunk; cut: {}",
            counted(judged.spans, "span is", "spans are"),
            first(judged.cut.iter().map(String::as_str)),
        ));
    }
    if !judged.without_chunk.is_empty() {
        printer.say(&format!(
            "{} without a relevant chunk ({}): judged 0 for the first chunk, so that every measure counts 0",
            counted(judged.without_chunk.len(), "query", "queries"),
            first(judged.without_chunk.iter().map(String::as_str)),
        ));
    }
    printer.say(&format!(
        "next: mrmr score {} RUN -m R@5 -m R@10 -m Success@5 -m nDCG@10",
        quoted(&arguments.file)
    ));
    Ok(Ending::Done)
}
