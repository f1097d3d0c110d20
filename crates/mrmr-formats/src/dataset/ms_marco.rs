//! MS MARCO's layout: `collection.tsv`, `queries.SPLIT.tsv`, `qrels.SPLIT.tsv`.

use std::path::Path;

use mrmr_core::Result;

use super::faults::Faults;
use super::gather::Gathered;
use super::public::{files, missing, stem};
use super::shards::no_split;
use super::trec_files::each_pair;
use super::{DatasetOptions, Limits, Opened, Parts};

pub(super) fn is_here(root: &Path) -> bool {
    let named = |file: &Path| stem(file, ".tsv").as_deref() == Some("collection");
    files(root, &[".tsv"]).iter().any(|file| named(file))
}

/// The split is what stands between `qrels.` and `.tsv`: `dev.small`.
pub(super) fn open(
    root: &Path,
    options: &DatasetOptions,
    faults: &mut dyn Faults,
) -> Result<(Parts, Opened, Limits)> {
    let asked = options.split.as_deref();
    let tables: Vec<(String, std::path::PathBuf)> = files(root, &[".tsv"])
        .into_iter()
        .filter_map(|file| Some((stem(&file, ".tsv")?, file)))
        .collect();
    let find = |name: &str| {
        tables
            .iter()
            .find(|(stem, _)| stem == name)
            .map(|(_, file)| file)
    };
    let splits: Vec<&str> = tables
        .iter()
        .filter_map(|(stem, _)| stem.strip_prefix("qrels."))
        .collect();
    let split = match asked {
        Some(asked) => splits.iter().find(|split| **split == asked),
        None => splits.first().filter(|_| splits.len() == 1),
    };
    let Some(split) = split else {
        return Err(no_split(
            splits.iter().copied(),
            asked,
            &root.display().to_string(),
        ));
    };
    let collection = find("collection").ok_or_else(|| missing(root, "collection.tsv"))?;
    let queries = find(&format!("queries.{split}"))
        .ok_or_else(|| missing(root, &format!("queries.{split}.tsv")))?;
    let qrels = find(&format!("qrels.{split}"))
        .ok_or_else(|| missing(root, &format!("qrels.{split}.tsv")))?;
    let mut gathered = Gathered::new(root);
    gathered.file(collection);
    gathered.file(queries);
    each_pair(collection, &mut gathered.corpus, faults)?;
    each_pair(queries, &mut gathered.queries, faults)?;
    gathered.finish_with_file((*split).to_owned(), qrels, faults)
}
