//! Reading judgements from files of any format.

use mrmr_core::{Error, Interned, Origin, Place, Qrels, QrelsBuilder, Result};

use crate::format::{FileNotes, Format};
use crate::input::Input;
use crate::rows::{self, DOCUMENT_PREFIX, Kind, PrefixWatch, QUERY_PREFIX, Row, Sink};

/// How judgements are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QrelsOptions {
    /// The format; found by the content where it is not given.
    pub format: Option<Format>,
}

/// What reading judgements came across and accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QrelsFileNotes {
    /// The file.
    pub file: FileNotes,
    /// Rows that repeat an earlier row, grade and all.
    pub identical_rows: u64,
    /// Queries without any judgement (an empty object in JSON), left out; in the order of the input.
    pub empty_queries: Vec<String>,
}

/// Reads judgements; the format is found by the content.
///
/// ```
/// use mrmr_formats::{Input, qrels::{QrelsOptions, read_qrels}};
/// let table = "query-id\tcorpus-id\tscore\nq1\td7\t1\nq1\td9\t0.5\n";
/// let input = Input::memory("qrels.tsv", table.as_bytes());
/// let (qrels, notes) = read_qrels(&input, &QrelsOptions::default())?;
/// assert_eq!(qrels.len(), 2);
/// assert_eq!(notes.file.format.unwrap().name(), "tsv");
///
/// let input = Input::memory("qrels.txt", "q1 0 d7 1\nq1 0 d9 0,9\n".as_bytes());
/// let error = read_qrels(&input, &QrelsOptions::default()).unwrap_err();
/// assert_eq!(error.to_string(), "qrels.txt:2: expected a grade, found \"0,9\"");
/// assert_eq!(error.hints(), ["a decimal comma? write 0.9"]);
/// # Ok::<(), mrmr_core::Error>(())
/// ```
///
/// # Formats
/// - Lines of 3 to 5 fields, as many as the first one has: `query document grade`,
///   `query iteration document grade` (TREC), `query 0 document grade task` (M-BEIR). Where the second
///   column of TREC lines varies, it names the subtopic that the grade is for.
/// - A table with a header, TSV or CSV: `query-id` (or `query_id`, `qid`, `query`, `topic`), `corpus-id` (or
///   `corpus_id`, `docid`, `doc_id`, `doc`, `docno`, `pid`) and `score` (or `grade`, `relevance`, `rel`, `label`), in any case and order.
///   `query`, `topic`, `doc` and `label` count only where no other name of the same column is there.
/// - JSON `{query: {document: grade}}`, or an array of such objects or of records.
/// - JSONL, one record a line, and Parquet, with the names of a table.
///
/// # Lines
/// A line ends at LF; a CR before it is dropped, as are a byte order mark and blank lines. Space, tab and CR
/// separate, other white space is part of an id. A file whose first record has two tabs or more is split at
/// tabs, and its ids may hold spaces; any other is split at runs of spaces and tabs. A single line that differs is
/// read where that is clear: one without tabs at white space, one with two tabs or more at tabs. A line starting
/// with `#` is a comment only if it is no record. A TSV table has quotes only if its header has.
///
/// # Errors
/// If the input cannot be read, has no known format or no judgement, a line has a wrong number of fields, an
/// id is empty or not UTF-8, a grade is no finite decimal number, or one pair has two grades (for one subtopic).
pub fn read_qrels(input: &Input, options: &QrelsOptions) -> Result<(Qrels, QrelsFileNotes)> {
    let (sink, mut file) = rows::read(input, Kind::Qrels, options.format, |origin| QrelsSink {
        builder: Qrels::builder(origin),
        prefixes: PrefixWatch::default(),
    })?;
    let (mut qrels, mut notes) = sink.builder.finish()?;
    if qrels.is_empty() {
        return Err(Error::data("no judgements").at(Place::whole(input.name())));
    }
    if sink.prefixes.all() {
        qrels = without_prefixes(&qrels)?;
        for query in &mut notes.empty_queries {
            query.drain(..QUERY_PREFIX.len());
        }
        file.prefixes_stripped = true;
    }
    let notes = QrelsFileNotes {
        file,
        identical_rows: notes.identical_rows,
        empty_queries: notes.empty_queries,
    };
    Ok((qrels, notes))
}

struct QrelsSink {
    builder: QrelsBuilder,
    prefixes: PrefixWatch,
}

impl Sink for QrelsSink {
    #[inline]
    fn row(&mut self, row: Row<'_>) -> Result<()> {
        self.prefixes.row(row.query, row.document);
        add_row(&mut self.builder, row)
    }

    fn empty(&mut self, query: &str) {
        self.prefixes.query(query);
        self.builder.add_empty(query);
    }
}

/// Adds the judgement of a row.
#[inline]
pub(crate) fn add_row(builder: &mut QrelsBuilder, row: Row<'_>) -> Result<()> {
    let Row {
        query, document, ..
    } = row;
    match row.subtopic {
        None => builder.add(query, document, row.value, row.number),
        Some(subtopic) => {
            let subtopic = String::from_utf8_lossy(subtopic);
            builder.add_subtopic(query, &subtopic, document, row.value, row.number)
        }
    }
}

pub(crate) fn without_prefixes(qrels: &Qrels) -> Result<Qrels> {
    let mut builder = Qrels::builder(Origin::memory("judgements"));
    let subtopics: Vec<&str> = qrels.subtopics().map(|(_, name)| name).collect();
    let mut number = 0;
    for query in qrels.queries().keys() {
        let name = &qrels.queries().name(query)[QUERY_PREFIX.len()..];
        for (at, judgement) in qrels.judgements(query).iter().enumerate() {
            let document = &qrels.documents().name(judgement.document)[DOCUMENT_PREFIX.len()..];
            if !qrels.has_subtopics() {
                builder.add(name, document, judgement.grade, number)?;
            }
            for grade in qrels.subtopic_grades(query, at) {
                let subtopic = subtopics[grade.subtopic.index()];
                builder.add_subtopic(name, subtopic, document, grade.grade, number)?;
            }
            number += 1;
        }
    }
    Ok(builder.finish()?.0)
}
