//! Files as rows of query, document and value: what judgements and runs have in common.

mod columns;
mod detect;
mod faults;
mod fields;
mod flaw;
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
mod source;
mod text;

use mrmr_core::{Error, Origin, Result};

use crate::findings::Code;
use crate::format::{FileNotes, Format};
use crate::input::Input;

pub(crate) use flaw::Flaw;
pub(crate) use kind::Kind;
pub(crate) use number::score;
pub(crate) use prefixes::{DOCUMENT_PREFIX, PrefixWatch, QUERY_PREFIX};
pub(crate) use source::Source;

/// Whether two fields are the names of a column of queries and one of documents.
pub(crate) fn names_query_and_document(query: &str, document: &str) -> bool {
    columns::QUERY.clarity(query).is_some() && columns::DOCUMENT.clarity(document).is_some()
}

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
    /// The second column of TREC judgements; it need not be UTF-8.
    pub(crate) subtopic: Option<&'a [u8]>,
    /// The number of the line (from 1) or row (from 0).
    pub(crate) number: u64,
}

/// Whoever takes the rows of a file.
pub(crate) trait Sink {
    fn row(&mut self, row: Row<'_>) -> Result<()>;
    /// A query with an empty list.
    fn empty(&mut self, query: &str);
    /// A line or an entry that is no row: whoever is strict stops here, with the error.
    fn fault(&mut self, _code: Code, error: impl FnOnce() -> Error) -> Result<()> {
        Err(error())
    }
    /// A comment in this line was skipped.
    fn comment(&mut self, _line: u64) {}
}

/// Reads a file of any format into a sink, which is made once it is known how the entries are counted.
pub(crate) fn read<S: Sink>(
    input: &Input,
    kind: Kind,
    format: Option<Format>,
    make: impl FnOnce(Origin) -> S,
) -> Result<(S, FileNotes)> {
    let source = Source::new(input, input.open()?, kind, format)?;
    let mut sink = make(source.origin());
    let mut notes = source.notes();
    source.read(&mut sink, &mut notes)?;
    Ok((sink, notes))
}
