//! A data set, with all that is wrong with it.

use std::path::Path;

use mrmr_core::{Collection, Dataset, Error, Interned, Part, Place, Record, Result};

use super::lenient::Lenient;
use super::starts::Starts;
use crate::dataset::{CollectionNotes, DatasetNotes, DatasetOptions, open_leniently};
use crate::findings::{Code, Findings};

/// What could be read of a data set, and what is wrong with it.
#[derive(Clone, Debug)]
pub struct ScannedDataset {
    /// The records and judgements that could be read; of two with one id the first.
    pub dataset: Dataset,
    /// What is there.
    pub notes: DatasetNotes,
    /// What was found.
    pub findings: Findings,
    queries: Option<Starts>,
}

impl ScannedDataset {
    /// Where a query is judged first.
    pub fn place(&self, query: &str) -> Place {
        match &self.queries {
            Some(queries) => queries.place(query),
            None => Place::item(&self.dataset.name, query),
        }
    }
}

/// Reads all of a data set that can be read.
///
/// # Errors
/// If the folder is not laid out as a data set, or cannot be read.
pub fn dataset(path: impl AsRef<Path>, options: &DatasetOptions) -> Result<ScannedDataset> {
    let root = path.as_ref();
    let source = root.display().to_string();
    let mut lenient = Lenient::new(&source);
    let (dataset, notes, is_whole) = open_leniently(root, options, &mut lenient)?;
    let mut found = of_records(&source, &dataset, &notes);
    if is_whole {
        found.extend(of_judgements(&source, &dataset, &notes, &lenient));
    }
    lenient.findings.extend(found);
    Ok(ScannedDataset {
        dataset,
        notes,
        findings: lenient.findings,
        queries: lenient.judged.map(|(queries, _)| queries),
    })
}

/// What does not fit together in a data set that was opened: its notes, as findings without places in files of
/// judgements.
pub fn dataset_findings(dataset: &Dataset, notes: &DatasetNotes) -> Findings {
    let mut findings = of_records(&dataset.name, dataset, notes);
    let lenient = Lenient::new(&dataset.name);
    findings.extend(of_judgements(&dataset.name, dataset, notes, &lenient));
    findings
}

fn of_judgements(
    source: &str,
    dataset: &Dataset,
    notes: &DatasetNotes,
    judged: &Lenient,
) -> Findings {
    let mut findings = Findings::new(source);
    let mut add = |code, id: &str, place: Option<Place>, message: String| {
        findings.add(code, || {
            Error::data(message).at(place.unwrap_or_else(|| Place::item(source, id)))
        });
    };
    for id in &notes.orphan_golds {
        let message = format!("document '{id}' is relevant, and missing from the corpus");
        add(Code::OrphanGold, id, judged.document(id), message);
    }
    for id in &notes.unjudged_queries {
        let ids = dataset.queries.ids();
        let place = ids.get(id).map(|key| dataset.queries.place(key));
        let message = format!("query '{id}' has no judgement");
        add(Code::UnjudgedQuery, id, place, message);
    }
    for id in &notes.unknown_queries {
        let message = format!("query '{id}' is judged, and not among the queries");
        add(Code::UnknownQuery, id, judged.query(id), message);
    }
    findings
}

fn of_records(source: &str, dataset: &Dataset, notes: &DatasetNotes) -> Findings {
    let mut findings = Findings::new(source);
    collection("query", &dataset.queries, &notes.queries, &mut findings);
    collection("document", &dataset.corpus, &notes.corpus, &mut findings);
    findings
}

fn collection<K: Interned>(
    kind: &str,
    records: &Collection<K>,
    notes: &CollectionNotes,
    findings: &mut Findings,
) {
    let mut of = |code, ids: &[String], message: &dyn Fn(&str, &Record) -> String| {
        for id in ids {
            if let Some(key) = records.ids().get(id) {
                findings.add(code, || {
                    Error::data(message(id, records.record(key))).at(records.place(key))
                });
            }
        }
    };
    of(Code::MissingImage, &notes.incomplete, &|id, _| {
        format!("{kind} '{id}' names an image that is not there")
    });
    of(Code::MissingSound, &notes.without_sound, &|id, _| {
        format!("{kind} '{id}' names a sound that is not there")
    });
    of(
        Code::ModalityMismatch,
        &notes.declared_otherwise,
        &|id, record| {
            format!(
                "{kind} '{id}' holds {}, and its column 'modality' says {}",
                record.content.modality(),
                record.field("modality").unwrap_or_default()
            )
        },
    );
    for (key, id, record) in records.iter() {
        if is_empty(record) {
            findings.add(Code::EmptyRecord, || {
                Error::data(format!("{kind} '{id}' has neither text nor image"))
                    .at(records.place(key))
            });
        }
    }
    for column in &notes.ignored_columns {
        findings.add(Code::IgnoredColumn, || {
            Error::format(format!(
                "the column '{column}' of the {kind} records is not read"
            ))
        });
    }
}

fn is_empty(record: &Record) -> bool {
    let is_blank = |part: &Part| matches!(part, Part::Text(text) if text.trim().is_empty());
    record.content.parts().iter().all(is_blank) && record.merged.is_none() && record.page.is_none()
}
