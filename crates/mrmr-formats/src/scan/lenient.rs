//! A data set read on over its faults.

use mrmr_core::{Origin, Place, Qrels, QrelsNotes, RepeatedJudgement, Result};

use super::qrels::scan;
use super::starts::Starts;
use crate::dataset::faults::Faults;
use crate::findings::{Code, Findings};
use crate::input::Input;
use crate::rows::Flaw;

/// What was found so far, and where queries and documents are judged first.
pub(super) struct Lenient {
    pub(super) findings: Findings,
    pub(super) judged: Option<(Starts, Starts)>,
}

impl Lenient {
    pub(super) fn new(source: impl Into<String>) -> Self {
        Lenient {
            findings: Findings::new(source),
            judged: None,
        }
    }

    /// Where a query is judged first.
    pub(super) fn query(&self, id: &str) -> Option<Place> {
        self.judged.as_ref().map(|(queries, _)| queries.place(id))
    }

    /// Where a document is judged first.
    pub(super) fn document(&self, id: &str) -> Option<Place> {
        self.judged
            .as_ref()
            .map(|(_, documents)| documents.place(id))
    }
}

impl Faults for Lenient {
    fn fault(&mut self, flaw: Flaw) -> Result<()> {
        self.findings.add(flaw.code, || flaw.error);
        Ok(())
    }

    fn repeated(&mut self, repeated: &RepeatedJudgement<'_>) -> Result<()> {
        self.findings
            .add_at(Code::repeated(repeated), repeated.number(), || {
                repeated.error()
            });
        Ok(())
    }

    fn judged(&mut self, origin: &Origin, query: &str, document: &str, number: u64) {
        let (queries, documents) = self
            .judged
            .get_or_insert_with(|| (Starts::new(origin.clone()), Starts::new(origin.clone())));
        queries.see(query, number);
        documents.see(document, number);
    }

    fn qrels(&mut self, input: &Input) -> Result<(Qrels, QrelsNotes)> {
        let scanned = scan(input, true)?;
        self.findings.extend(scanned.findings);
        self.judged = scanned
            .documents
            .map(|documents| (scanned.starts, documents));
        Ok((scanned.qrels, scanned.notes))
    }
}
