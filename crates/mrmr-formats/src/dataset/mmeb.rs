//! MMEB's layout: rows of a query and its candidates, of which the first is the right one.

use std::path::{Path, PathBuf};

use mrmr_core::{Error, Result};

use super::faults::Faults;
use super::gather::{Gathered, push};
use super::shards::{choose, splits};
use super::sheet::{content, each_row, image_file};
use super::{DatasetOptions, Limits, Opened, Parts};
use crate::parquet_table::Table;

/// The files: beside each other in the folder, or in `data`.
fn shards(
    root: &Path,
) -> Option<(
    std::collections::BTreeMap<String, super::shards::Shards>,
    PathBuf,
)> {
    let here = |folder: &Path| {
        let (parent, name) = (folder.parent()?, folder.file_name()?.to_str()?);
        let found = splits(parent, &[name]).ok()?;
        (!found.is_empty()).then(|| (found, folder.to_owned()))
    };
    let full = std::path::absolute(root).ok()?;
    here(&full).or_else(|| here(&full.join("data")))
}

pub(super) fn is_here(root: &Path) -> bool {
    let first =
        shards(root).and_then(|(found, _)| found.into_values().next()?.files.into_iter().next());
    let table = first.and_then(|file| Table::open(file).ok());
    table.is_some_and(|table| table.find(&["tgt_text"]).is_some())
}

/// Queries are numbered by their rows. A document's id is the hash of what it holds: an order of candidates by id
/// says nothing of which one is right, and a candidate of several queries is one document.
pub(super) fn open(
    root: &Path,
    options: &DatasetOptions,
    faults: &mut dyn Faults,
) -> Result<(Parts, Opened, Limits)> {
    let Some((found, folder)) = shards(root) else {
        return Err(super::public::missing(
            root,
            "test-*.parquet with the column tgt_text",
        ));
    };
    let chosen = choose(found, options.split.as_deref(), false, &folder)?;
    let mut gathered = Gathered::new(root);
    let mut number = 0_usize;
    for file in &chosen.files {
        gathered.file(file);
        each_row(file, root, None, faults, |row, faults| {
            let query = format!("q{number}");
            number += 1;
            let text = row.text(&["qry_text", "qry"])?;
            let image = row.text(&["qry_img_path"])?.filter(|path| !path.is_empty());
            let image = image.map(|path| image_file(root, &path)).transpose()?;
            let fields = [("instruction", row.text(&["qry_inst"])?)];
            push(&mut gathered.queries, &query, content(image, text), fields)?;
            let (texts, images) = (row.list("tgt_text")?, row.list("tgt_img_path")?);
            if !texts.is_empty() && !images.is_empty() && texts.len() != images.len() {
                return Err(Error::data(format!(
                    "expected as many 'tgt_img_path' as 'tgt_text', found {} and {}",
                    images.len(),
                    texts.len()
                )));
            }
            let count = texts.len().max(images.len());
            if count == 0 {
                return Err(Error::data("expected candidates in 'tgt_text', found none"));
            }
            let mut own: Vec<String> = Vec::new();
            for at in 0..count {
                let text = texts.get(at).cloned().unwrap_or_default();
                let path = images.get(at).cloned().unwrap_or_default();
                let id = neutral_id(&text, &path);
                if gathered.corpus.ids().get(&id).is_none() {
                    let image = (!path.is_empty())
                        .then(|| image_file(root, &path))
                        .transpose()?;
                    push(&mut gathered.corpus, &id, content(image, Some(text)), [])?;
                }
                if at == 0 {
                    gathered.judge(&query, &id, 1.0, faults)?;
                }
                if !own.contains(&id) {
                    own.push(id);
                }
            }
            own.sort();
            gathered.limits.candidates.insert(query, own);
            Ok(())
        })?;
    }
    gathered.finish(chosen.split, faults)
}

fn neutral_id(text: &str, path: &str) -> String {
    let mut hash = blake3::Hasher::new();
    hash.update(&(text.len() as u64).to_le_bytes());
    hash.update(text.as_bytes());
    hash.update(path.as_bytes());
    hash.finalize().to_hex()[..16].to_owned()
}
