//! An error with the code of a finding.

use mrmr_core::{Error, ErrorKind};

use crate::findings::Code;

/// What is wrong with an entry or a file.
#[derive(Debug)]
pub(crate) struct Flaw {
    pub(crate) code: Code,
    pub(crate) error: Error,
}

impl Flaw {
    /// A failure of reading has its own code, whatever was read.
    pub(crate) fn new(code: Code, error: Error) -> Self {
        let code = match error.kind() {
            ErrorKind::Io => Code::BrokenFile,
            _ => code,
        };
        Flaw { code, error }
    }

    /// A flaw of JSON that is broken, so that what follows cannot be read.
    pub(super) fn json(error: Error) -> Self {
        Flaw::new(Code::BrokenJson, error)
    }

    /// Whether what follows cannot be read.
    pub(super) fn is_final(&self) -> bool {
        matches!(self.code, Code::BrokenJson | Code::BrokenFile)
    }
}

impl From<Flaw> for Error {
    fn from(flaw: Flaw) -> Self {
        flaw.error
    }
}
