//! The formats of a report.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use mrmr_core::{Error, Result, closest};

use crate::export::{
    Csv, Exporter, Github, Html, Json, JsonLines, Junit, Latex, Markdown, Text, Tsv,
};

macro_rules! formats {
    ($($(#[$doc:meta])* $name:ident = $text:literal, [$($ending:literal),*], $exporter:expr;)+) => {
        /// The form in which results are written.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum Format { $($(#[$doc])* $name),+ }

        impl Format {
            /// Every name of a format.
            pub const NAMES: &'static [&'static str] = &[$($text),+];

            /// Every format, in the order of [`Format::NAMES`].
            pub const ALL: &'static [Format] = &[$(Format::$name),+];

            /// The name.
            pub fn name(self) -> &'static str {
                match self { $(Format::$name => $text),+ }
            }

            /// The endings of files in this format.
            pub fn endings(self) -> &'static [&'static str] {
                match self { $(Format::$name => &[$($ending),*]),+ }
            }

            pub(crate) fn exporter(self) -> &'static dyn Exporter {
                match self { $(Format::$name => &$exporter),+ }
            }
        }
    };
}

formats! {
    /// A table for people.
    #[default]
    Table = "table", ["txt"], Text;
    /// Tab-separated, long: one value a line.
    Tsv = "tsv", ["tsv"], Tsv;
    /// Comma-separated, long: one value a line.
    Csv = "csv", ["csv"], Csv;
    /// JSON with everything in it.
    Json = "json", ["json"], Json;
    /// One JSON object a value.
    JsonLines = "jsonl", ["jsonl", "ndjson"], JsonLines;
    /// Markdown tables, wide, the best in bold.
    Markdown = "markdown", ["md", "markdown"], Markdown;
    /// A LaTeX table with booktabs, the best in bold.
    Latex = "latex", ["tex"], Latex;
    /// A fragment of HTML.
    Html = "html", ["html", "htm"], Html;
    /// JUnit's XML: gates as test cases.
    Junit = "junit", ["xml"], Junit;
    /// A step summary of GitHub Actions.
    Github = "github", [], Github;
}

impl Format {
    /// The format of a file name's ending, where it has one.
    pub fn of_file(path: &Path) -> Option<Format> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        let mut formats = Self::ALL.iter().copied();
        formats.find(|format| format.endings().contains(&ending.as_str()))
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
        let mut formats = Self::ALL.iter().copied();
        formats.find(|format| format.name() == text).ok_or_else(|| {
            let near = closest(text, Self::NAMES.iter().copied());
            Error::usage(format!(
                "unknown format '{text}'; expected {}",
                Self::NAMES.join(", ")
            ))
            .hint_maybe(near.map(|near| format!("did you mean {near}?")))
        })
    }
}
