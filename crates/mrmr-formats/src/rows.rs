//! Files as rows of query, document and value: what judgements and runs have in common.

mod columns;
mod detect;
mod faults;
mod fields;
mod json;
mod json_lexer;
mod json_record;
mod kind;
mod layout;
mod lines;
mod number;
mod parquet;
mod prefixes;
mod quoted;
mod text;

use mrmr_core::{Error, Origin, Place, Result};

use crate::format::{FileNotes, Format};
use crate::input::{Input, Opened};

pub(crate) use kind::Kind;
pub(crate) use prefixes::{DOCUMENT_PREFIX, PrefixWatch, QUERY_PREFIX};

/// One row of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<'a> {
    pub(crate) query: &'a str,
    pub(crate) document: &'a str,
    /// A grade or a score; the negative rank where the file has ranks alone.
    pub(crate) value: f64,
    /// Whether the value is made of a rank.
    pub(crate) from_rank: bool,
    /// The rank, where the file has one beside the value.
    pub(crate) rank: Option<i64>,
    /// The name of the run, where the file has one; it need not be UTF-8.
    pub(crate) tag: Option<&'a [u8]>,
    /// The number of the line (from 1) or row (from 0).
    pub(crate) number: u64,
}

/// Whoever takes the rows of a file.
pub(crate) trait Sink {
    fn row(&mut self, row: Row<'_>) -> Result<()>;
    /// A query with an empty list.
    fn empty(&mut self, query: &str);
}

/// Reads a file of any format into a sink, which is made once it is known how the entries are counted.
pub(crate) fn read<S: Sink>(
    input: &Input,
    kind: Kind,
    format: Option<Format>,
    make: impl FnOnce(Origin) -> S,
) -> Result<(S, FileNotes)> {
    let name = input.name();
    let mut text = match (input.open()?, format) {
        (Opened::Text(text), _) => text,
        (Opened::Parquet(source), None | Some(Format::Parquet)) => {
            let mut sink = make(Origin::rows(&name));
            parquet::read(&name, source, kind, &mut sink)?;
            let notes = FileNotes {
                format: Some(Format::Parquet),
                ..FileNotes::default()
            };
            return Ok((sink, notes));
        }
        (Opened::Parquet(_), Some(format)) => {
            return Err(Error::format(format!(
                "expected the format {format}, found a Parquet file"
            ))
            .at(Place::whole(name)));
        }
    };
    let ending = input.ending();
    let plan = detect::plan(&mut text, kind, format, ending.as_deref())?;
    let mut notes = FileNotes {
        format: plan.as_ref().map(detect::Plan::format),
        bom_stripped: text.bom_stripped(),
        ..FileNotes::default()
    };
    let sink = match plan {
        Some(detect::Plan::Json) => {
            let mut sink = make(Origin::rows(&name));
            json::read_document(text, kind, &mut sink)?;
            sink
        }
        Some(detect::Plan::Jsonl) => {
            let mut sink = make(Origin::lines(&name));
            json::read_lines(text, kind, &mut sink, &mut notes)?;
            sink
        }
        Some(detect::Plan::Lines(layout)) => {
            let mut sink = make(Origin::lines(&name));
            text::read(text, kind, Some(&layout), &mut sink, &mut notes)?;
            sink
        }
        None => {
            let mut sink = make(Origin::lines(&name));
            text::read(text, kind, None, &mut sink, &mut notes)?;
            sink
        }
    };
    Ok((sink, notes))
}
