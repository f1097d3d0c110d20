//! A data set that is put together row by row.

use std::path::{Path, PathBuf};

use mrmr_core::{
    Collection, Content, DocId, Field, Interned, Origin, QrelsBuilder, QueryId, Record, Result,
};

use super::faults::Faults;
use super::{Limits, Opened, Parts};
use crate::input::Input;

/// What was read so far.
pub(super) struct Gathered {
    pub(super) queries: Collection<QueryId>,
    pub(super) corpus: Collection<DocId>,
    qrels: QrelsBuilder,
    pub(super) limits: Limits,
    files: Vec<PathBuf>,
    judged: u64,
    pub(super) origin: Origin,
}

impl Gathered {
    /// Nothing yet; the files name themselves in errors of rows, the folder in those of whole parts.
    pub(super) fn new(root: &Path) -> Self {
        let origin = Origin::rows(root.display().to_string());
        Gathered {
            queries: Collection::new(origin.clone()),
            corpus: Collection::new(origin.clone()),
            qrels: mrmr_core::Qrels::builder(origin.clone()),
            limits: Limits::default(),
            files: Vec::new(),
            judged: 0,
            origin,
        }
    }

    pub(super) fn file(&mut self, path: &Path) {
        self.files.push(path.to_owned());
    }

    /// Judges a document; judgements are counted in their order.
    pub(super) fn judge(
        &mut self,
        query: &str,
        document: &str,
        grade: f64,
        faults: &mut dyn Faults,
    ) -> Result<()> {
        faults.judged(&self.origin, query, document, self.judged);
        self.qrels.add(query, document, grade, self.judged)?;
        self.judged += 1;
        Ok(())
    }

    /// The whole, with the judgements that were made row by row.
    pub(super) fn finish(
        self,
        split: String,
        faults: &mut dyn Faults,
    ) -> Result<(Parts, Opened, Limits)> {
        let (qrels, qrels_notes) = self
            .qrels
            .finish_with(|repeated| faults.repeated(&repeated))?;
        let parts = Parts {
            queries: self.queries,
            corpus: self.corpus,
            qrels,
        };
        let opened = Opened {
            split,
            is_whole: true,
            files: self.files,
            qrels_notes,
            ignored_in_queries: Vec::new(),
            ignored_in_corpus: Vec::new(),
        };
        Ok((parts, opened, self.limits))
    }

    /// The whole, with the judgements of a file.
    pub(super) fn finish_with_file(
        mut self,
        split: String,
        qrels: &Path,
        faults: &mut dyn Faults,
    ) -> Result<(Parts, Opened, Limits)> {
        self.file(qrels);
        let (judged, notes) = faults.qrels(&Input::path(qrels))?;
        let (mut parts, mut opened, limits) = self.finish(split, faults)?;
        parts.qrels = judged;
        opened.qrels_notes = notes;
        Ok((parts, opened, limits))
    }
}

/// Adds a record with further fields of text.
pub(super) fn push<K: Interned>(
    records: &mut Collection<K>,
    id: &str,
    content: Content,
    fields: impl IntoIterator<Item = (&'static str, Option<String>)>,
) -> Result<()> {
    let mut record = Record::new(content);
    for (name, text) in fields {
        if let Some(text) = text {
            record.fields.insert(name.to_owned(), Field::Text(text));
        }
    }
    let number = records.len() as u64;
    records.push(id, record, number).map(|_| ())
}
