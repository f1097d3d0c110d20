//! The formats of a report.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use mrmr_core::{Error, Result, closest};

/// The form in which results are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// A table for people.
    #[default]
    Table,
    /// JSON with everything in it.
    Json,
    /// Tab-separated, long: one value a line.
    Tsv,
    /// A Markdown table.
    Markdown,
}

impl Format {
    /// Every name of a format.
    pub const NAMES: &'static [&'static str] = &["table", "json", "tsv", "markdown"];

    /// The format of a file name's ending, where it has one.
    pub fn of_file(path: &Path) -> Option<Format> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "txt" => Some(Format::Table),
            "json" => Some(Format::Json),
            "tsv" => Some(Format::Tsv),
            "md" | "markdown" => Some(Format::Markdown),
            _ => None,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Format::Table => "table",
            Format::Json => "json",
            Format::Tsv => "tsv",
            Format::Markdown => "markdown",
        })
    }
}

impl FromStr for Format {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self> {
        match text {
            "table" => Ok(Format::Table),
            "json" => Ok(Format::Json),
            "tsv" => Ok(Format::Tsv),
            "markdown" => Ok(Format::Markdown),
            _ => {
                let near = closest(text, Self::NAMES.iter().copied());
                Err(Error::usage(format!(
                    "unknown format '{text}'; expected {}",
                    Self::NAMES.join(", ")
                ))
                .hint_maybe(near.map(|near| format!("did you mean {near}?"))))
            }
        }
    }
}
