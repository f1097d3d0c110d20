//! BRIGHT's layout: `documents`, `long_documents` and `examples`, a split for each domain; MM-BRIGHT's as well.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use mrmr_core::Result;

use super::faults::Faults;
use super::gather::{Gathered, push};
use super::notes::Layout;
use super::public::{files, missing, stem};
use super::shards::{no_split, splits};
use super::sheet::{content, each_row, image_file};
use super::{DatasetOptions, Limits, Opened, Parts};

const LONG: &str = "/long";
const MULTIMODAL: &str = "/multimodal";

pub(super) fn find(root: &Path) -> Option<Layout> {
    let has = |part: &str| domains(root, part).is_ok_and(|found| !found.is_empty());
    if !has("documents") && !has("long_documents") {
        None
    } else if has("examples_multimodal") {
        Some(Layout::MmBright)
    } else {
        has("examples").then_some(Layout::Bright)
    }
}

/// The files of a part by domain; where the part is one file, its domain is the part's name.
fn domains(root: &Path, part: &str) -> Result<BTreeMap<String, Vec<PathBuf>>> {
    let mut found: BTreeMap<String, Vec<PathBuf>> = splits(root, &[part])?
        .into_iter()
        .map(|(split, shards)| (split, shards.files))
        .collect();
    for file in files(&root.join(part), &[".jsonl"]) {
        let domain = stem(&file, ".jsonl").unwrap_or_default();
        found.entry(domain).or_default().push(file);
    }
    for file in files(root, &[".jsonl"]) {
        if stem(&file, ".jsonl").as_deref() == Some(part) {
            found.entry(part.to_owned()).or_default().push(file);
        }
    }
    Ok(found)
}

/// The split is a domain; `biology/long` takes its long documents, `biology/multimodal` its queries with images.
pub(super) fn open(
    root: &Path,
    options: &DatasetOptions,
    faults: &mut dyn Faults,
) -> Result<(Parts, Opened, Limits)> {
    let asked = options.split.as_deref();
    let ends = |ending: &str| asked.is_some_and(|split| format!("/{split}").ends_with(ending));
    let (long, multimodal) = (ends(LONG), ends(MULTIMODAL));
    let domain = asked
        .map(|split| split.split('/').next().unwrap_or_default())
        .filter(|domain| !["long", "multimodal", ""].contains(domain));
    let texts = domains(root, "examples")?;
    let examples = if multimodal || texts.is_empty() {
        "examples_multimodal"
    } else {
        "examples"
    };
    let documents = if long { "long_documents" } else { "documents" };
    let gold = if long { "gold_ids_long" } else { "gold_ids" };

    let mut by_domain = domains(root, examples)?;
    let domain = match domain {
        Some(domain) if by_domain.contains_key(domain) => domain.to_owned(),
        None if by_domain.len() == 1 => by_domain.keys().next().cloned().unwrap_or_default(),
        domain => {
            let names = by_domain.keys().map(String::as_str);
            return Err(no_split(
                names,
                domain.or(asked),
                &root.join(examples).display().to_string(),
            ));
        }
    };
    let asked_files = by_domain.remove(&domain).unwrap_or_default();
    let mut all = domains(root, documents)?;
    let only = (all.len() == 1)
        .then(|| all.keys().next().cloned())
        .flatten();
    let texts = all.remove(&domain).or_else(|| all.remove(only.as_ref()?));
    let texts = texts.ok_or_else(|| missing(root, &format!("{documents}/{domain}-*.parquet")))?;

    let mut gathered = Gathered::new(root);
    for file in &texts {
        gathered.file(file);
        each_row(file, root, None, faults, |row, _| {
            let id = row.require(&["id", "_id"])?;
            let text = row.require(&["content", "text"])?;
            push(&mut gathered.corpus, &id, content(None, Some(text)), [])
        })?;
    }
    let mut pictures = BTreeMap::new();
    for file in domains(root, "images")?.into_values().flatten() {
        gathered.file(&file);
        each_row(&file, root, Some("image"), faults, |mut row, _| {
            let path = row.require(&["path", "image_path"])?;
            pictures.extend(row.image.take().map(|media| (path, media)));
            Ok(())
        })?;
    }
    for file in &asked_files {
        gathered.file(file);
        each_row(file, root, Some("image"), faults, |mut row, faults| {
            let id = row.require(&["id", "_id"])?;
            let text = row.require(&["query", "text"])?;
            let image = match (row.image.take(), row.text(&["image_path"])?) {
                (None, Some(path)) if !path.is_empty() => {
                    Some(match pictures.get(&path).cloned() {
                        Some(media) => media,
                        None => image_file(root, &path)?,
                    })
                }
                (image, _) => image,
            };
            let fields = [
                ("reasoning", row.text(&["reasoning"])?),
                ("instruction", row.text(&["instruction"])?),
            ];
            let excluded = ["excluded_ids", "negative_ids"].map(|name| row.list(name));
            for ids in excluded {
                let ids = ids?;
                if !ids.is_empty() {
                    gathered
                        .limits
                        .excluded
                        .entry(id.clone())
                        .or_default()
                        .extend(ids);
                }
            }
            push(
                &mut gathered.queries,
                &id,
                content(image, Some(text)),
                fields,
            )?;
            for document in row.list(gold)? {
                gathered.judge(&id, &document, 1.0, faults)?;
            }
            Ok(())
        })?;
    }
    let split = match (long, multimodal) {
        (true, _) => format!("{domain}{LONG}"),
        (_, true) => format!("{domain}{MULTIMODAL}"),
        _ => domain,
    };
    gathered.finish(split, faults)
}
