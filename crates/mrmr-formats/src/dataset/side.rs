//! One side of a data set: its documents, or its queries.

use std::path::Path;

use mrmr_core::{Collection, DocId, Error, Interned, Place, QueryId, Result};

use super::faults::Strict;
use super::{DatasetOptions, beir, open_dataset};

/// Reads documents: a file of BEIR's form (one JSON object a line with `_id`, `title`, `text`), or the documents of
/// the data set in a folder. A folder with `corpus.jsonl` needs neither queries nor judgements.
///
/// # Errors
/// If there are none, a record is not as it must be (the line or row is named), or a split is asked for where a file
/// has none.
pub fn read_corpus(path: impl AsRef<Path>, options: &DatasetOptions) -> Result<Collection<DocId>> {
    let path = path.as_ref();
    match lines(path, "corpus.jsonl", options)? {
        Some(corpus) => Ok(corpus),
        None => Ok(open_dataset(path, options)?.0.corpus),
    }
}

/// Reads queries, as [`read_corpus`] reads documents; their file in a folder is `queries.jsonl`.
///
/// # Errors
/// As [`read_corpus`].
pub fn read_queries(
    path: impl AsRef<Path>,
    options: &DatasetOptions,
) -> Result<Collection<QueryId>> {
    let path = path.as_ref();
    match lines(path, "queries.jsonl", options)? {
        Some(queries) => Ok(queries),
        None => Ok(open_dataset(path, options)?.0.queries),
    }
}

fn lines<K: Interned>(
    path: &Path,
    name: &str,
    options: &DatasetOptions,
) -> Result<Option<Collection<K>>> {
    let file = match path.is_dir() {
        true => beir::file(path, name),
        false => Some(path.to_owned()),
    };
    if let (Some(file), Some(split)) = (&file, &options.split) {
        return Err(Error::usage(format!(
            "the file has no splits, and '{split}' was asked for"
        ))
        .at(Place::whole(file.display().to_string()))
        .hint("leave the split out; MRMR's layout has splits"));
    }
    match file {
        Some(file) => Ok(Some(beir::read(Some(&file), &mut Strict)?.0)),
        None => Ok(None),
    }
}
