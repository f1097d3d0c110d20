//! MRMR's layout: Parquet files in the folders `corpus`, `query` and `qrels`.

use std::collections::BTreeMap;
use std::path::Path;

use mrmr_core::{Error, Origin, Place, Qrels, QrelsBuilder, QrelsNotes, Result};

use super::columns::{CORPUS, QUERY};
use super::faults::{Faults, flaw, unless};
use super::records::read_records;
use super::shards::{Shards, choose, splits};
use super::{DatasetOptions, Opened, Parts, no_judgements};
use crate::findings::Code;
use crate::parquet_table::{Table, Want};

const CORPUS_FOLDERS: [&str; 1] = ["corpus"];
/// Further documents that the first release of the benchmark kept apart.
const MORE_CORPUS_FOLDERS: [&str; 1] = ["pin_p"];
const QUERY_FOLDERS: [&str; 2] = ["query", "queries"];
const QRELS_FOLDERS: [&str; 2] = ["qrels", "default"];

/// What [`open`] looks for, for messages.
pub(super) const EXPECTED: &str =
    "corpus/test-*.parquet, query/test-*.parquet (or queries/) and qrels/test-*.parquet";

/// Whether a part of the layout is there; every part where `whole`.
pub(super) fn is_here(root: &Path, whole: bool) -> bool {
    let here = |names: &[&str]| splits(root, names).map_or(true, |splits| !splits.is_empty());
    let (corpus, query) = (here(&CORPUS_FOLDERS), here(&QUERY_FOLDERS));
    if whole {
        corpus && query && here(&QRELS_FOLDERS)
    } else {
        corpus || query
    }
}

pub(super) fn open(
    root: &Path,
    options: &DatasetOptions,
    faults: &mut dyn Faults,
) -> Result<(Parts, Opened)> {
    let asked = options.split.as_deref();
    let mut part = |names: &[&str], or_only, folder: &str| {
        let part =
            part(root, names).and_then(|splits| choose(splits, asked, or_only, &root.join(folder)));
        unless(faults, Code::MissingPart, part)
    };
    let judged = part(&QRELS_FOLDERS, false, "qrels")?;
    let asked_queries = part(&QUERY_FOLDERS, true, "query")?;
    let mut documents = part(&CORPUS_FOLDERS, true, "corpus")?;
    if let Some(documents) = &mut documents {
        let more = more_documents(root, asked);
        if let Some(more) = unless(faults, Code::MissingPart, more)?.flatten() {
            documents.files.extend(more.files);
            documents.name = root.display().to_string();
        }
    }

    let (qrels, qrels_notes) = match &judged {
        Some(judged) => read_judgements(judged, faults)?,
        None => no_judgements()?,
    };
    let (queries, ignored_in_queries) = read_records(asked_queries.as_ref(), &QUERY, root, faults)?;
    let (corpus, ignored_in_corpus) = read_records(documents.as_ref(), &CORPUS, root, faults)?;
    let split = judged.as_ref().map(|judged| judged.split.clone());
    let parts = [asked_queries, documents, judged];
    let opened = Opened {
        split: split.unwrap_or_default(),
        is_whole: parts.iter().all(Option::is_some),
        files: parts
            .into_iter()
            .flatten()
            .flat_map(|part| part.files)
            .collect(),
        qrels_notes,
        ignored_in_queries,
        ignored_in_corpus,
    };
    let parts = Parts {
        queries,
        corpus,
        qrels,
    };
    Ok((parts, opened))
}

fn more_documents(root: &Path, asked: Option<&str>) -> Result<Option<Shards>> {
    let splits = splits(root, &MORE_CORPUS_FOLDERS)?;
    if splits.is_empty() {
        return Ok(None);
    }
    choose(splits, asked, true, &root.join(MORE_CORPUS_FOLDERS[0])).map(Some)
}

fn part(root: &Path, names: &[&str]) -> Result<BTreeMap<String, Shards>> {
    let splits = splits(root, names)?;
    if splits.is_empty() {
        return Err(Error::format(format!(
            "expected {} (or the file {}.parquet), found none of them",
            folders(names),
            names[0]
        ))
        .at(Place::whole(root.display().to_string())));
    }
    Ok(splits)
}

fn folders(names: &[&str]) -> String {
    let folders: Vec<String> = names
        .iter()
        .map(|name| format!("{name}/*.parquet"))
        .collect();
    folders.join(" or ")
}

/// Judgements of several files; rows are counted through all of them.
fn read_judgements(shards: &Shards, faults: &mut dyn Faults) -> Result<(Qrels, QrelsNotes)> {
    let origin = match shards.files.as_slice() {
        [only] => only.display().to_string(),
        _ => shards.name.clone(),
    };
    let origin = Origin::rows(origin);
    let mut builder = Qrels::builder(origin.clone());
    let mut before = 0;
    for file in &shards.files {
        let table = Table::open(file);
        let Some(table) = unless(faults, Code::BrokenFile, table)? else {
            continue;
        };
        read_table(&table, &origin, before, &mut builder, faults)?;
        before += table.rows();
    }
    builder.finish_with(|repeated| faults.repeated(&repeated))
}

fn read_table(
    table: &Table,
    origin: &Origin,
    before: u64,
    builder: &mut QrelsBuilder,
    faults: &mut dyn Faults,
) -> Result<()> {
    let columns = || -> Result<[&str; 3]> {
        Ok([
            table.require(&["query_id", "query-id", "qid", "query"])?,
            table.require(&["corpus_id", "corpus-id", "docid", "doc_id"])?,
            table.require(&["score", "grade", "relevance"])?,
        ])
    };
    let Some(columns) = unless(faults, Code::MissingColumn, columns())? else {
        return Ok(());
    };
    let [query, document, score] = columns;
    let wants = [Want::Text(query), Want::Text(document), Want::Number(score)];
    let Some(batches) = unless(faults, Code::MissingColumn, table.read(&wants))? else {
        return Ok(());
    };
    for batch in batches {
        let Some(batch) = unless(faults, Code::BrokenFile, batch)? else {
            continue;
        };
        for row in 0..batch.rows() {
            let number = batch.first_row() + row as u64;
            let null = |column: usize| {
                Error::format(format!(
                    "expected a value, found null in column '{}'",
                    columns[column]
                ))
                .at(Place::row(table.name(), number))
            };
            match (batch.text(0, row), batch.text(1, row), batch.number(2, row)) {
                (Some(query), Some(document), Some(grade)) => {
                    faults.judged(origin, query, document, before + number);
                    let added = builder.add(query, document, grade, before + number);
                    unless(faults, Code::BadGrade, added)?;
                }
                (None, _, _) => flaw(faults, Code::EmptyId, null(0))?,
                (_, None, _) => flaw(faults, Code::EmptyId, null(1))?,
                (_, _, None) => flaw(faults, Code::BadGrade, null(2))?,
            }
        }
    }
    Ok(())
}
