//! The first ViDoRe's layout: rows of a question and the page that answers it.
//!
//! The later ones are `corpus`, `queries` and `qrels` in Parquet, which MRMR's reader reads.

use std::path::{Path, PathBuf};

use mrmr_core::Result;

use super::faults::Faults;
use super::gather::{Gathered, push};
use super::shards::{choose, splits};
use super::sheet::{content, each_row};
use super::{DatasetOptions, Limits, Opened, Parts};
use crate::parquet_table::Table;

fn files(root: &Path) -> Vec<PathBuf> {
    let chosen =
        splits(root, &["data"]).and_then(|found| choose(found, None, true, &root.join("data")));
    chosen.map(|shards| shards.files).unwrap_or_default()
}

pub(super) fn is_here(root: &Path) -> bool {
    let table = files(root).first().and_then(|file| Table::open(file).ok());
    table.is_some_and(|table| {
        table.find(&["query", "question"]).is_some() && table.find(&["image"]).is_some()
    })
}

/// A page is known by `image_filename`, else by its row; the same page of several rows is one document.
pub(super) fn open(
    root: &Path,
    options: &DatasetOptions,
    faults: &mut dyn Faults,
) -> Result<(Parts, Opened, Limits)> {
    let chosen = choose(
        splits(root, &["data"])?,
        options.split.as_deref(),
        options.split.is_none(),
        root,
    )?;
    let mut gathered = Gathered::new(root);
    let mut number = 0_usize;
    for file in &chosen.files {
        gathered.file(file);
        each_row(file, root, Some("image"), faults, |mut row, faults| {
            let at = number;
            number += 1;
            let page = row
                .text(&["image_filename"])?
                .unwrap_or_else(|| format!("row {at}"));
            if gathered.corpus.ids().get(&page).is_none() {
                push(
                    &mut gathered.corpus,
                    &page,
                    content(row.image.take(), None),
                    [],
                )?;
            }
            let question = row.text(&["query", "question"])?;
            let Some(text) = question.filter(|text| !text.is_empty()) else {
                return Ok(()); // a page that nobody asks for
            };
            let query = format!("q{at}");
            push(&mut gathered.queries, &query, content(None, Some(text)), [])?;
            gathered.judge(&query, &page, 1.0, faults)
        })?;
    }
    gathered.finish(chosen.split, faults)
}
