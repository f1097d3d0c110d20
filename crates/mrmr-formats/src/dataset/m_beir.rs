//! M-BEIR's layout: `query/SPLIT/*.jsonl`, `cand_pool/{local,global}/*.jsonl`, `qrels/SPLIT/*.txt`.

use std::path::{Path, PathBuf};

use mrmr_core::Result;

use super::faults::Faults;
use super::gather::{Gathered, push};
use super::public::{files, missing, stem};
use super::shards::no_split;
use super::sheet::{content, each_row, image_file};
use super::{DatasetOptions, Limits, Opened, Parts};

/// Asks for the pool of all data sets.
const UNION: &str = "/union";
const SPLITS: [&str; 3] = ["test", "val", "train"];

pub(super) fn is_here(root: &Path) -> bool {
    root.join("cand_pool").is_dir() && root.join("query").is_dir()
}

/// `mbeir_visualnews_task0_test_qrels.txt` of `test` is the task `visualnews_task0`.
fn task(file: &Path, split: &str, ending: &str) -> Option<String> {
    let stem = stem(file, ending)?;
    let stem = stem.strip_prefix("mbeir_").unwrap_or(&stem);
    let stem = stem.strip_suffix("_qrels").unwrap_or(stem);
    let stem = stem.strip_suffix("_cand_pool").unwrap_or(stem);
    Some(
        stem.strip_suffix(&format!("_{split}"))
            .unwrap_or(stem)
            .to_owned(),
    )
}

/// The split is a task (`visualnews_task0`), with `/union` for the pool of all; `test` where that is there.
pub(super) fn open(
    root: &Path,
    options: &DatasetOptions,
    faults: &mut dyn Faults,
) -> Result<(Parts, Opened, Limits)> {
    let asked = options.split.as_deref();
    let union = asked.is_some_and(|asked| asked == "union" || asked.ends_with(UNION));
    let wanted = asked
        .map(|asked| asked.strip_suffix(UNION).unwrap_or(asked))
        .filter(|a| *a != "union");
    let split = SPLITS
        .into_iter()
        .find(|split| !files(&root.join("query").join(split), &[".jsonl"]).is_empty());
    let split = split.ok_or_else(|| missing(root, "query/test/*.jsonl"))?;
    let mut queries: Vec<(String, PathBuf)> = files(&root.join("query").join(split), &[".jsonl"])
        .into_iter()
        .filter_map(|file| Some((task(&file, split, ".jsonl")?, file)))
        .collect();
    let at = match wanted {
        Some(wanted) => queries.iter().position(|(name, _)| name == wanted),
        None => (queries.len() == 1).then_some(0),
    };
    let Some(at) = at else {
        let names = queries.iter().map(|(name, _)| name.as_str());
        return Err(no_split(
            names,
            asked,
            &root.join("query").display().to_string(),
        ));
    };
    let (name, query_file) = queries.swap_remove(at);
    let qrels = files(&root.join("qrels").join(split), &[".txt"])
        .into_iter()
        .find(|file| task(file, split, ".txt").as_ref() == Some(&name))
        .ok_or_else(|| {
            missing(
                root,
                &format!("qrels/{split}/mbeir_{name}_{split}_qrels.txt"),
            )
        })?;
    let local = || {
        let mut pools = files(&root.join("cand_pool/local"), &[".jsonl"]).into_iter();
        let pool = pools.find(|file| task(file, split, ".jsonl").as_ref() == Some(&name));
        pool.ok_or_else(|| {
            missing(
                root,
                &format!("cand_pool/local/mbeir_{name}_cand_pool.jsonl"),
            )
        })
    };
    let global = || {
        let mut pools = files(&root.join("cand_pool/global"), &[".jsonl"]).into_iter();
        let expected = format!("mbeir_union_{split}_cand_pool");
        pools
            .find(|file| stem(file, ".jsonl").as_ref() == Some(&expected))
            .ok_or_else(|| missing(root, &format!("cand_pool/global/{expected}.jsonl")))
    };
    let pool = if union { global()? } else { local()? };

    let mut gathered = Gathered::new(root);
    gathered.file(&pool);
    gathered.file(&query_file);
    each_row(&pool, root, None, faults, |row, _| {
        let id = row.require(&["did"])?;
        let text = row.text(&["txt"])?;
        let image = picture(root, row.text(&["img_path"])?)?;
        let fields = [("modality", row.text(&["modality"])?.map(modality))];
        push(&mut gathered.corpus, &id, content(image, text), fields)
    })?;
    each_row(&query_file, root, None, faults, |row, _| {
        let id = row.require(&["qid"])?;
        let text = row.text(&["query_txt"])?;
        let image = picture(root, row.text(&["query_img_path"])?)?;
        let fields = [("modality", row.text(&["query_modality"])?.map(modality))];
        push(&mut gathered.queries, &id, content(image, text), fields)
    })?;
    let shown = if union {
        format!("{name}{UNION}")
    } else {
        name
    };
    gathered.finish_with_file(shown, &qrels, faults)
}

/// `text,image` as MRMR writes it.
fn modality(text: String) -> String {
    match text.as_str() {
        "text,image" => "image,text".to_owned(),
        _ => text,
    }
}

fn picture(root: &Path, path: Option<String>) -> Result<Option<mrmr_core::Media>> {
    let path = path.filter(|path| !path.is_empty());
    path.map(|path| image_file(root, &path)).transpose()
}
