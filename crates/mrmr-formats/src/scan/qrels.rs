//! Judgements, with all that is wrong with them.

use mrmr_core::{Error, Place, Qrels, QrelsBuilder, QrelsNotes, Result};

use super::file::{self, Collector};
use super::starts::Starts;
use crate::findings::{Code, Findings, Severity};
use crate::format::FileNotes;
use crate::input::Input;
use crate::qrels::{add_row, without_prefixes};
use crate::rows::{DOCUMENT_PREFIX, Kind, PrefixWatch, QUERY_PREFIX, Row, Sink};

/// What could be read of judgements, and what is wrong with them.
#[derive(Clone, Debug)]
pub struct ScannedQrels {
    /// The judgements that could be read; of two grades for one pair the first. There may be none.
    pub qrels: Qrels,
    /// How the file was read.
    pub file: FileNotes,
    /// What was accepted.
    pub notes: QrelsNotes,
    /// What was found.
    pub findings: Findings,
    pub(super) starts: Starts,
    /// Where each document is judged first, if that was asked for.
    pub(super) documents: Option<Starts>,
}

impl ScannedQrels {
    /// Where a query begins.
    pub fn place(&self, query: &str) -> Place {
        self.starts.place(query)
    }
}

/// Reads all judgements that can be read.
///
/// # Errors
/// If the input cannot be opened.
pub fn qrels(input: &Input) -> Result<ScannedQrels> {
    scan(input, false)
}

/// As [`qrels`]; `documents` asks for the places of documents too.
pub(super) fn scan(input: &Input, documents: bool) -> Result<ScannedQrels> {
    let (sink, mut file) = file::read(input, Kind::Qrels, |origin| QrelsSink {
        findings: Findings::new(input.name()),
        builder: Qrels::builder(origin.clone()),
        documents: documents.then(|| Starts::new(origin.clone())),
        starts: Starts::new(origin),
        query: None,
        prefixes: PrefixWatch::default(),
    })?;
    let (mut findings, mut starts) = (sink.findings, sink.starts);
    let mut documents = sink.documents;
    let (mut qrels, notes) = sink.builder.finish_with(|repeated| {
        let code = Code::repeated(&repeated);
        findings.add_at(code, repeated.number(), || repeated.error());
        Ok(())
    })?;
    if sink.prefixes.all() {
        qrels = without_prefixes(&qrels)?;
        file.prefixes_stripped = true;
        starts.strip(QUERY_PREFIX);
        documents
            .iter_mut()
            .for_each(|ids| ids.strip(DOCUMENT_PREFIX));
        file::prefixes(&mut findings);
    }
    if qrels.is_empty() && findings.count(Severity::Error) == 0 {
        findings.add(Code::NoJudgements, || Error::data("no judgements"));
    }
    for query in qrels.queries().keys() {
        if qrels.judgements(query).iter().all(|j| j.grade <= 0.0) {
            let name = qrels.queries().name(query);
            findings.add(Code::NoRelevant, || {
                Error::data(format!("query '{name}' has no relevant document"))
                    .at(starts.place(name))
            });
        }
    }
    Ok(ScannedQrels {
        qrels,
        file,
        notes,
        findings,
        starts,
        documents,
    })
}

struct QrelsSink {
    findings: Findings,
    builder: QrelsBuilder,
    starts: Starts,
    documents: Option<Starts>,
    /// That of the row before.
    query: Option<String>,
    prefixes: PrefixWatch,
}

impl Sink for QrelsSink {
    #[inline]
    fn row(&mut self, row: Row<'_>) -> Result<()> {
        self.prefixes.row(row.query, row.document);
        if self.query.as_deref() != Some(row.query) {
            self.starts.see(row.query, row.number);
            let known = self.query.get_or_insert_default();
            known.clear();
            known.push_str(row.query);
        }
        if let Some(documents) = &mut self.documents {
            documents.see(row.document, row.number);
        }
        add_row(&mut self.builder, row)
    }

    fn empty(&mut self, query: &str) {
        self.prefixes.query(query);
        self.starts.see_empty(query);
        self.builder.add_empty(query);
        let name = &self.starts.origin().name;
        self.findings.add(Code::EmptyList, || {
            Error::data(format!("query '{query}' has no judgement; it is left out"))
                .at(Place::item(name, query))
        });
    }

    fn fault(&mut self, code: Code, error: impl FnOnce() -> Error) -> Result<()> {
        self.findings.add(code, error);
        Ok(())
    }

    fn comment(&mut self, line: u64) {
        file::comment(&mut self.findings, self.starts.origin(), line);
    }
}

impl Collector for QrelsSink {
    fn findings(&mut self) -> &mut Findings {
        &mut self.findings
    }
}
