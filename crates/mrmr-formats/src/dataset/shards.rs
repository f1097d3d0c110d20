//! Which Parquet files make up a part of a data set.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use mrmr_core::{Error, Place, Result, closest};

/// The files of one split of one part, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shards {
    /// The folder or the file, for messages.
    pub(super) name: String,
    pub(super) split: String,
    pub(super) files: Vec<PathBuf>,
}

/// The splits of a part that lies under one of `names`: `corpus/test-00000-of-00002.parquet`,
/// `corpus/test.parquet`, `corpus/test/0000.parquet` or `corpus.parquet` (whose split has the part's name).
///
/// # Errors
/// If a folder cannot be read, or shards are missing.
pub(super) fn splits(root: &Path, names: &[&str]) -> Result<BTreeMap<String, Shards>> {
    let mut splits = BTreeMap::new();
    for name in names {
        let folder = root.join(name);
        if folder.is_dir() {
            add_folder(&folder, &mut splits)?;
        }
        let flat = root.join(format!("{name}.parquet"));
        if splits.is_empty() && flat.is_file() {
            let shards = Shards {
                name: flat.display().to_string(),
                split: (*name).to_owned(),
                files: vec![flat],
            };
            splits.insert((*name).to_owned(), shards);
        }
        if !splits.is_empty() {
            break;
        }
    }
    for shards in splits.values_mut() {
        shards.files.sort();
        check_complete(shards)?;
    }
    Ok(splits)
}

/// The split that is asked for, else `test`, else the only one.
///
/// With `or_only`, the only one does for any split that is asked for: documents have no splits of their own.
///
/// # Errors
/// If it is not there; the splits that are there are named.
pub(super) fn choose(
    mut splits: BTreeMap<String, Shards>,
    asked: Option<&str>,
    or_only: bool,
    root: &Path,
) -> Result<Shards> {
    if let Some(shards) = splits.remove(asked.unwrap_or("test")) {
        return Ok(shards);
    }
    if splits.len() == 1
        && (or_only || asked.is_none())
        && let Some((_, shards)) = splits.pop_first()
    {
        return Ok(shards);
    }
    Err(no_split(
        splits.keys().map(String::as_str),
        asked,
        &root.display().to_string(),
    ))
}

pub(super) fn no_split<'a>(
    found: impl Iterator<Item = &'a str> + Clone,
    asked: Option<&str>,
    place: &str,
) -> Error {
    let wanted = asked.unwrap_or("test");
    let near = closest(wanted, found.clone());
    let found: Vec<&str> = found.collect();
    Error::usage(format!(
        "expected a split '{wanted}'; found {}",
        if found.is_empty() {
            "none".to_owned()
        } else {
            found.join(", ")
        }
    ))
    .at(Place::whole(place))
    .hint(match near {
        Some(near) => format!("did you mean the split '{near}'?"),
        None => "--split says which one".to_owned(),
    })
}

fn add_folder(folder: &Path, splits: &mut BTreeMap<String, Shards>) -> Result<()> {
    for path in entries(folder)? {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if path.is_dir() {
            let within = entries(&path)?;
            let files = within.into_iter().filter(|file| is_parquet(file));
            for file in files {
                add(splits, &path, &name, file);
            }
        } else if is_parquet(&path) {
            let stem = name.strip_suffix(".parquet").unwrap_or(&name);
            let split = shard_number(stem).map_or(stem, |(split, ..)| split);
            add(splits, folder, split, path.clone());
        }
    }
    Ok(())
}

fn add(splits: &mut BTreeMap<String, Shards>, folder: &Path, split: &str, file: PathBuf) {
    let shards = splits.entry(split.to_owned()).or_insert_with(|| Shards {
        name: folder.display().to_string(),
        split: split.to_owned(),
        files: Vec::new(),
    });
    shards.files.push(file);
}

/// The visible entries of a folder.
fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    let failed = |error| Error::io(error).at(Place::whole(folder.display().to_string()));
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        if !entry.file_name().to_string_lossy().starts_with('.') {
            paths.push(entry.path());
        }
    }
    Ok(paths)
}

fn is_parquet(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "parquet") && !path.is_dir()
}

/// `test-00001-of-00003` is shard 1 of 3 of `test`.
fn shard_number(stem: &str) -> Option<(&str, usize, usize)> {
    let (rest, of) = stem.rsplit_once("-of-")?;
    let (split, number) = rest.rsplit_once('-')?;
    Some((split, number.parse().ok()?, of.parse().ok()?))
}

/// A shard that was not copied would leave out documents without a word.
fn check_complete(shards: &Shards) -> Result<()> {
    let mut found = BTreeMap::<usize, Vec<usize>>::new();
    for file in &shards.files {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        if let Some((_, number, of)) = shard_number(&stem) {
            found.entry(of).or_default().push(number);
        }
    }
    let place = || Place::whole(&shards.name);
    if found.len() > 1 {
        let of: Vec<String> = found.keys().map(usize::to_string).collect();
        return Err(Error::data(format!(
            "split '{}': expected the shards of one whole, found some of {}",
            shards.split,
            of.join(" and some of ")
        ))
        .at(place())
        .hint("remove the files of the older version"));
    }
    for (of, numbers) in found {
        if let Some(missing) = (0..of).find(|number| !numbers.contains(number)) {
            return Err(Error::data(format!(
                "split '{}': expected {of} shards, found {}; shard {missing:05} is missing",
                shards.split,
                numbers.len()
            ))
            .at(place())
            .hint("download the missing file"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for file in files {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        folder
    }

    fn found(files: &[&str]) -> Vec<(String, Vec<String>)> {
        let folder = folder(files);
        let found = splits(folder.path(), &["query", "queries"]).unwrap();
        let short = |path: &PathBuf| {
            let path = path.strip_prefix(folder.path()).unwrap();
            path.display().to_string().replace('\\', "/")
        };
        let found = found.into_iter();
        found
            .map(|(split, shards)| (split, shards.files.iter().map(short).collect()))
            .collect()
    }

    fn split(name: &str, files: &[&str]) -> (String, Vec<String>) {
        (
            name.to_owned(),
            files.iter().map(|f| (*f).to_owned()).collect(),
        )
    }

    #[test]
    fn shards_are_grouped_by_split_and_sorted() {
        assert_eq!(
            found(&[
                "query/test-00001-of-00002.parquet",
                "query/test-00000-of-00002.parquet",
                "query/dev.parquet",
                "query/.test.parquet",
                "query/README.md",
            ]),
            [
                split("dev", &["query/dev.parquet"]),
                split(
                    "test",
                    &[
                        "query/test-00000-of-00002.parquet",
                        "query/test-00001-of-00002.parquet"
                    ]
                ),
            ]
        );
    }

    #[test]
    fn folders_of_splits_and_flat_files_are_found_too() {
        assert_eq!(
            found(&["queries/test/0001.parquet", "queries/test/0000.parquet"]),
            [split(
                "test",
                &["queries/test/0000.parquet", "queries/test/0001.parquet"]
            )]
        );
        assert_eq!(
            found(&["queries.parquet"]),
            [split("queries", &["queries.parquet"])]
        );
    }

    #[test]
    fn a_missing_shard_is_an_error() {
        let folder = folder(&[
            "corpus/test-00000-of-00003.parquet",
            "corpus/test-00002-of-00003.parquet",
        ]);
        let error = splits(folder.path(), &["corpus"]).unwrap_err();
        assert_eq!(
            error.message(),
            "split 'test': expected 3 shards, found 2; shard 00001 is missing"
        );
    }

    #[test]
    fn a_split_that_is_not_there_names_those_that_are() {
        let folder = folder(&["corpus/dev.parquet", "corpus/train.parquet"]);
        let splits = splits(folder.path(), &["corpus"]).unwrap();
        let error = choose(splits.clone(), None, true, folder.path()).unwrap_err();
        assert_eq!(error.message(), "expected a split 'test'; found dev, train");
        let error = choose(splits.clone(), Some("trian"), true, folder.path()).unwrap_err();
        assert_eq!(error.hints(), ["did you mean the split 'train'?"]);
        let chosen = choose(splits, Some("dev"), false, folder.path()).unwrap();
        assert_eq!(chosen.split, "dev");
    }
}
