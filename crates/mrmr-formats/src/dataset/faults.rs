//! What is done about what is wrong with a data set.

use mrmr_core::{Error, Origin, Qrels, QrelsNotes, RepeatedJudgement, Result};

use crate::findings::Code;
use crate::input::Input;
use crate::qrels::{QrelsOptions, read_qrels};
use crate::rows::Flaw;

/// Decides whether to go on.
pub(crate) trait Faults {
    /// About something that is left out if it goes on.
    fn fault(&mut self, flaw: Flaw) -> Result<()>;
    /// About a judgement of a pair that was judged already.
    fn repeated(&mut self, repeated: &RepeatedJudgement<'_>) -> Result<()>;
    /// Takes notice of a judgement.
    fn judged(&mut self, _origin: &Origin, _query: &str, _document: &str, _number: u64) {}
    /// Reads a file of judgements.
    fn qrels(&mut self, input: &Input) -> Result<(Qrels, QrelsNotes)>;
}

/// Stops at the first fault.
pub(super) struct Strict;

impl Faults for Strict {
    fn fault(&mut self, flaw: Flaw) -> Result<()> {
        Err(flaw.error)
    }

    fn repeated(&mut self, repeated: &RepeatedJudgement<'_>) -> Result<()> {
        match repeated.is_identical() {
            true => Ok(()),
            false => Err(repeated.error()),
        }
    }

    fn qrels(&mut self, input: &Input) -> Result<(Qrels, QrelsNotes)> {
        let (qrels, notes) = read_qrels(input, &QrelsOptions::default())?;
        let notes = QrelsNotes {
            identical_rows: notes.identical_rows,
            empty_queries: notes.empty_queries,
        };
        Ok((qrels, notes))
    }
}

/// What was read, or nothing where that was wrong and the reading goes on.
pub(super) fn unless<T>(faults: &mut dyn Faults, code: Code, read: Result<T>) -> Result<Option<T>> {
    match read {
        Ok(read) => Ok(Some(read)),
        Err(error) => faults.fault(Flaw::new(code, error)).map(|()| None),
    }
}

/// A fault of a row or a line.
pub(super) fn flaw(faults: &mut dyn Faults, code: Code, error: Error) -> Result<()> {
    faults.fault(Flaw::new(code, error))
}

/// Why a collection does not take an id.
pub(super) fn wrong_id(id: &str) -> Code {
    match id {
        "" => Code::EmptyId,
        _ => Code::DuplicateId,
    }
}
