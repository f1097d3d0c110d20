//! MRMR's layout: Parquet files in the folders `corpus`, `query` and `qrels`.

use std::collections::BTreeMap;
use std::path::Path;

use mrmr_core::{Error, Origin, Place, Qrels, QrelsNotes, Result};

use super::columns::{CORPUS, QUERY};
use super::records::read_records;
use super::shards::{Shards, choose, splits};
use super::{DatasetOptions, Opened, Parts};
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

pub(super) fn open(root: &Path, options: &DatasetOptions) -> Result<(Parts, Opened)> {
    let part = |names: &[&str]| -> Result<BTreeMap<String, Shards>> {
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
    };
    let asked = options.split.as_deref();
    let judged = choose(part(&QRELS_FOLDERS)?, asked, false, &root.join("qrels"))?;
    let asked_queries = choose(part(&QUERY_FOLDERS)?, asked, true, &root.join("query"))?;
    let mut documents = choose(part(&CORPUS_FOLDERS)?, asked, true, &root.join("corpus"))?;
    let more = splits(root, &MORE_CORPUS_FOLDERS)?;
    if !more.is_empty() {
        let more = choose(more, asked, true, &root.join(MORE_CORPUS_FOLDERS[0]))?;
        documents.files.extend(more.files);
        documents.name = root.display().to_string();
    }

    let (qrels, qrels_notes) = read_judgements(&judged)?;
    let (queries, ignored_in_queries) = read_records(&asked_queries, &QUERY, root)?;
    let (corpus, ignored_in_corpus) = read_records(&documents, &CORPUS, root)?;
    let files = [asked_queries.files, documents.files, judged.files];
    let opened = Opened {
        split: judged.split,
        files: files.concat(),
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

fn folders(names: &[&str]) -> String {
    let folders: Vec<String> = names
        .iter()
        .map(|name| format!("{name}/*.parquet"))
        .collect();
    folders.join(" or ")
}

/// Judgements of several files; rows are counted through all of them.
fn read_judgements(shards: &Shards) -> Result<(Qrels, QrelsNotes)> {
    let origin = match shards.files.as_slice() {
        [only] => only.display().to_string(),
        _ => shards.name.clone(),
    };
    let mut builder = Qrels::builder(Origin::rows(origin));
    let mut before = 0;
    for file in &shards.files {
        let table = Table::open(file)?;
        let columns = [
            table.require(&["query_id", "query-id", "qid", "query"])?,
            table.require(&["corpus_id", "corpus-id", "docid", "doc_id"])?,
            table.require(&["score", "grade", "relevance"])?,
        ];
        let [query, document, score] = columns;
        let wants = [Want::Text(query), Want::Text(document), Want::Number(score)];
        for batch in table.read(&wants)? {
            let batch = batch?;
            for row in 0..batch.rows() {
                let number = batch.first_row() + row as u64;
                let null = |column: usize| {
                    Error::format(format!(
                        "expected a value, found null in column '{}'",
                        columns[column]
                    ))
                    .at(Place::row(table.name(), number))
                };
                let query = batch.text(0, row).ok_or_else(|| null(0))?;
                let document = batch.text(1, row).ok_or_else(|| null(1))?;
                let grade = batch.number(2, row).ok_or_else(|| null(2))?;
                builder.add(query, document, grade, before + number)?;
            }
        }
        before += table.rows();
    }
    builder.finish()
}
