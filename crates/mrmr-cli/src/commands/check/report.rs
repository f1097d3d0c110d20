//! What was found about one source.

use std::path::Path;

use mrmr_core::Error;
use mrmr_formats::Input;
use mrmr_formats::findings::{Findings, Severity};

/// One source: a file or a folder.
pub(super) struct Report {
    pub(super) source: String,
    /// What it was read as.
    pub(super) kind: &'static str,
    /// Its format or layout, where that is known.
    pub(super) format: Option<String>,
    /// What it holds, one sentence each.
    pub(super) facts: Vec<String>,
    pub(super) findings: Findings,
    /// Why it could not be read at all.
    pub(super) unread: Option<Error>,
}

impl Report {
    /// A source that could not be read.
    pub(super) fn unread(path: &Path, error: Error) -> Self {
        let source = Input::new(path).name();
        Report {
            findings: Findings::new(&source),
            source,
            kind: "nothing",
            format: None,
            facts: Vec::new(),
            unread: Some(error),
        }
    }

    /// How many errors, warnings and notes there are.
    pub(super) fn counts(&self) -> [(Severity, u64); 3] {
        [Severity::Error, Severity::Warning, Severity::Note]
            .map(|severity| (severity, self.findings.count(severity)))
    }
}
