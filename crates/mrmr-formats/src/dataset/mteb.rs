//! MTEB's layout: the configs `corpus`, `queries` and `qrels`, with `top_ranked` and `instruction` where it has them.

use std::path::{Path, PathBuf};

use mrmr_core::{Collection, Field, Interned, Result};

use super::faults::{Faults, unless};
use super::public::{files, missing, stem};
use super::shards::{choose, no_split, splits};
use super::sheet::each_row;
use super::{DatasetOptions, Limits, Opened, Parts, beir, mrmr};
use crate::findings::Code;
use crate::input::Input;

const LINES: &[&str] = &[".jsonl", ".json"];

/// Its Parquet files without `top_ranked` and `instruction` are MRMR's layout; JSON lines are told from BEIR's by
/// the judgements.
pub(super) fn is_here(root: &Path) -> bool {
    let extra = ["top_ranked", "instruction"]
        .iter()
        .any(|part| !part_files(root, part, None).is_empty());
    (extra && mrmr::is_here(root, true))
        || !judgements(root).is_empty() && lines(root, &["corpus"], None).is_some()
}

/// The judgements in JSON lines, by split.
fn judgements(root: &Path) -> Vec<(String, PathBuf)> {
    let folders = ["qrels", "default"].map(|name| files(&root.join(name), LINES));
    let found = folders.into_iter().flatten().chain(
        files(root, LINES)
            .into_iter()
            .filter(|file| stem(file, ".jsonl").as_deref() == Some("qrels")),
    );
    found
        .filter_map(|file| Some((LINES.iter().find_map(|ending| stem(&file, ending))?, file)))
        .collect()
}

/// The JSON lines of a part: `corpus.jsonl`, or the file of a split in its folder.
fn lines(root: &Path, parts: &[&str], split: Option<&str>) -> Option<PathBuf> {
    parts.iter().find_map(|part| {
        beir::file(root, &format!("{part}.jsonl")).or_else(|| {
            let mut within = files(&root.join(part), LINES);
            let asked = within.iter().position(|file| {
                LINES
                    .iter()
                    .any(|ending| stem(file, ending).as_deref() == Some(split.unwrap_or("test")))
            });
            match asked {
                Some(at) => Some(within.swap_remove(at)),
                None if within.len() == 1 => within.pop(),
                None => None,
            }
        })
    })
}

/// The files of a further config, Parquet or JSON lines.
fn part_files(root: &Path, part: &str, split: Option<&str>) -> Vec<PathBuf> {
    let shards =
        splits(root, &[part]).and_then(|found| choose(found, split, true, &root.join(part)));
    match shards {
        Ok(shards) => shards.files,
        Err(_) => lines(root, &[part], split).into_iter().collect(),
    }
}

pub(super) fn open(
    root: &Path,
    options: &DatasetOptions,
    faults: &mut dyn Faults,
) -> Result<(Parts, Opened, Limits)> {
    let asked = options.split.as_deref();
    let (mut parts, mut opened) = match mrmr::is_here(root, true) {
        true => mrmr::open(root, options, faults)?,
        false => open_lines(root, asked, faults)?,
    };
    let mut limits = Limits::default();
    let split = opened.split.clone();
    for file in part_files(root, "top_ranked", Some(&split)) {
        each_row(&file, root, None, faults, |row, _| {
            let query = row.require(&["query-id", "query_id", "_id", "id"])?;
            limits.candidates.insert(query, row.list("corpus-ids")?);
            Ok(())
        })?;
        opened.files.push(file);
    }
    let mut told = std::collections::BTreeMap::new();
    for file in part_files(root, "instruction", Some(&split)) {
        each_row(&file, root, None, faults, |row, _| {
            let query = row.require(&["query-id", "query_id", "_id", "id"])?;
            told.insert(query, row.require(&["instruction"])?);
            Ok(())
        })?;
        opened.files.push(file);
    }
    if !told.is_empty() {
        parts.queries = with_instructions(parts.queries, &told)?;
    }
    Ok((parts, opened, limits))
}

fn open_lines(
    root: &Path,
    asked: Option<&str>,
    faults: &mut dyn Faults,
) -> Result<(Parts, Opened)> {
    let mut judged = judgements(root);
    let at = judged
        .iter()
        .position(|(split, _)| split == asked.unwrap_or("test"));
    let at = at.or((judged.len() == 1 && asked.is_none()).then_some(0));
    let Some(at) = at else {
        let names = judged.iter().map(|(split, _)| split.as_str());
        return Err(no_split(
            names,
            asked,
            &root.join("qrels").display().to_string(),
        ));
    };
    let (split, qrels_file) = judged.swap_remove(at);
    let mut part = |names: &[&str]| {
        let file = lines(root, names, Some(&split));
        let file = file.ok_or_else(|| missing(root, &format!("{}.jsonl", names[0])));
        unless(faults, Code::MissingPart, file)
    };
    let (queries_file, corpus_file) = (part(&["queries", "query"])?, part(&["corpus"])?);
    let (qrels, qrels_notes) = faults.qrels(&Input::path(&qrels_file))?;
    let (queries, ignored_in_queries) = beir::read(queries_file.as_deref(), faults)?;
    let (corpus, ignored_in_corpus) = beir::read(corpus_file.as_deref(), faults)?;
    let files = [queries_file, corpus_file, Some(qrels_file)];
    let opened = Opened {
        split,
        is_whole: files.iter().all(Option::is_some),
        files: files.into_iter().flatten().collect(),
        qrels_notes,
        ignored_in_queries,
        ignored_in_corpus,
    };
    Ok((
        Parts {
            queries,
            corpus,
            qrels,
        },
        opened,
    ))
}

/// The same queries, each with the instruction of its own as a field.
fn with_instructions<K: Interned>(
    queries: Collection<K>,
    told: &std::collections::BTreeMap<String, String>,
) -> Result<Collection<K>> {
    let mut with = Collection::new(queries.origin().clone());
    for (key, id, record) in queries.iter() {
        let mut record = record.clone();
        if let Some(text) = told.get(id) {
            record
                .fields
                .insert("instruction".to_owned(), Field::Text(text.clone()));
        }
        with.push(id, record, queries.number(key))?;
    }
    Ok(with)
}
