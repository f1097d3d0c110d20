//! One file, read to its end whatever is in it.

use mrmr_core::{Error, ErrorKind, Origin, Place, Result};

use crate::findings::{Code, Findings};
use crate::format::FileNotes;
use crate::input::{Input, Opened};
use crate::rows::{Flaw, Kind, Sink, Source};

/// A sink that collects what is wrong.
pub(super) trait Collector: Sink {
    fn findings(&mut self) -> &mut Findings;
}

/// Reads what can be read.
///
/// # Errors
/// If the file cannot be opened.
pub(super) fn read<S: Collector>(
    input: &Input,
    kind: Kind,
    make: impl FnOnce(Origin) -> S,
) -> Result<(S, FileNotes)> {
    let source = open(input)?.and_then(|opened| Source::lenient(input, opened, kind));
    let source = match source {
        Ok(source) => source,
        Err(flaw) => {
            let mut sink = make(Origin::lines(input.name()));
            sink.findings().add(flaw.code, || flaw.error);
            return Ok((sink, FileNotes::default()));
        }
    };
    let mut sink = make(source.origin());
    let mut notes = source.notes();
    if notes.bom_stripped {
        sink.findings().add(Code::Bom, || {
            Error::format("a byte order mark was skipped").at(Place::line(input.name(), 1))
        });
    }
    if let Err(flaw) = source.read(&mut sink, &mut notes) {
        let error = flaw.error.hint("what follows was not checked");
        sink.findings().add(flaw.code, || error);
    }
    Ok((sink, notes))
}

/// What is no text that can be read is a flaw; what cannot be opened is an error.
fn open(input: &Input) -> Result<Result<Opened, Flaw>> {
    match input.open() {
        Ok(opened) => Ok(Ok(opened)),
        Err(error) => match error.kind() {
            ErrorKind::Format => Ok(Err(Flaw::new(Code::NotUtf8, error))),
            ErrorKind::Unsupported => Ok(Err(Flaw::new(Code::UnknownFormat, error))),
            _ => Err(error),
        },
    }
}

/// The note of a comment.
pub(super) fn comment(findings: &mut Findings, origin: &Origin, line: u64) {
    findings.add(Code::CommentSkipped, || {
        Error::format("the line starts with # and is no record: skipped").at(origin.place(line))
    });
}

/// The note of prefixes that were taken off.
pub(super) fn prefixes(findings: &mut Findings) {
    findings.add(Code::PrefixesStripped, || {
        Error::format("the prefixes query-test- and corpus-test- were taken off all ids")
    });
}
