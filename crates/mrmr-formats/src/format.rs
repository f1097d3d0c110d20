//! The forms in which judgements and runs are stored.

use std::fmt;
use std::str::FromStr;

use mrmr_core::{Error, Result, closest};

/// A form in which judgements or runs are stored; compression is not part of it.
///
/// ```
/// use mrmr_formats::Format;
/// let format: Format = "jsonl".parse()?;
/// assert_eq!(format, Format::Jsonl);
/// assert_eq!(format.to_string(), "jsonl");
/// # Ok::<(), mrmr_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Judgements `query iteration document grade`; runs `query Q0 document rank score tag`.
    Trec,
    /// Judgements `query document grade`; runs `query document rank`.
    Msmarco,
    /// Judgements `query 0 document grade task`.
    Mbeir,
    /// A table with a header, separated by tabs (BEIR's qrels).
    Tsv,
    /// A table with a header, separated by commas or semicolons, with quotes as in RFC 4180.
    Csv,
    /// `{query: {document: value}}`, or an array of such objects or of records.
    Json,
    /// One record a line: `{"query-id": ..., "corpus-id": ..., "score": ...}`.
    Jsonl,
    /// A Parquet file with the columns of a table.
    Parquet,
}

impl Format {
    /// Every format.
    pub const ALL: &'static [Format] = &[
        Format::Trec,
        Format::Msmarco,
        Format::Mbeir,
        Format::Tsv,
        Format::Csv,
        Format::Json,
        Format::Jsonl,
        Format::Parquet,
    ];
    /// Every name, in the order of [`Self::ALL`].
    pub const NAMES: &'static [&'static str] = &[
        "trec", "msmarco", "mbeir", "tsv", "csv", "json", "jsonl", "parquet",
    ];

    /// The name, as it is written on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Format::Trec => "trec",
            Format::Msmarco => "msmarco",
            Format::Mbeir => "mbeir",
            Format::Tsv => "tsv",
            Format::Csv => "csv",
            Format::Json => "json",
            Format::Jsonl => "jsonl",
            Format::Parquet => "parquet",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        let found = Format::ALL.iter().find(|format| format.name() == text);
        found.copied().ok_or_else(|| {
            Error::usage(format!(
                "unknown format '{text}'; expected {}",
                Format::NAMES.join(", ")
            ))
            .hint_maybe(
                closest(text, Format::NAMES.iter().copied())
                    .map(|name| format!("did you mean {name}?")),
            )
        })
    }
}

/// What reading the lines or rows of a file came across and accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileNotes {
    /// The format that was read; none where the file holds no record at all.
    pub format: Option<Format>,
    /// How many lines were read, blank lines and comments too; 0 for JSON and Parquet.
    pub lines: u64,
    /// How many lines start with `#`, are no record, and were skipped.
    pub comments: u64,
    /// How many lines hold nothing but white space.
    pub blank_lines: u64,
    /// Whether a UTF-8 byte order mark at the start was skipped.
    pub bom_stripped: bool,
    /// Whether `query-test-` and `corpus-test-` were taken off every id.
    pub prefixes_stripped: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for (format, name) in Format::ALL.iter().zip(Format::NAMES) {
            assert_eq!(format.to_string(), *name);
            assert_eq!(name.parse::<Format>().ok(), Some(*format));
        }
    }

    #[test]
    fn an_unknown_format_lists_the_known_ones_and_suggests() {
        let error = "jsnol".parse::<Format>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "unknown format 'jsnol'; expected trec, msmarco, mbeir, tsv, csv, json, jsonl, parquet"
        );
        assert_eq!(error.hints(), ["did you mean jsonl?"]);
    }
}
