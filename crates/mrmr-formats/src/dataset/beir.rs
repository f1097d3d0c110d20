//! BEIR's layout: `corpus.jsonl`, `queries.jsonl`, `qrels/SPLIT.tsv`.

use std::path::{Path, PathBuf};

use mrmr_core::{Collection, Content, Error, Field, Interned, Origin, Place, Record, Result};
use serde_json::{Map, Value};

use super::columns::titled;
use super::faults::{Faults, unless, wrong_id};
use super::json_content::JsonContent;
use super::shards::no_split;
use super::{DatasetOptions, Opened, Parts, no_judgements};
use crate::findings::Code;
use crate::input::Input;
use crate::json_lines::{for_each_object, id, short};

const ENDINGS: [&str; 3] = ["", ".gz", ".zst"];

/// `corpus.jsonl` or the like, compressed or not.
pub(super) fn file(root: &Path, name: &str) -> Option<PathBuf> {
    let mut paths = ENDINGS
        .iter()
        .map(|ending| root.join(format!("{name}{ending}")));
    paths.find(|path| path.is_file())
}

pub(super) fn open(
    root: &Path,
    options: &DatasetOptions,
    faults: &mut dyn Faults,
) -> Result<(Parts, Opened)> {
    let part = |name: &str| {
        file(root, name).ok_or_else(|| {
            Error::format(format!(
                "expected {name}, {name}.gz or {name}.zst, found none of them"
            ))
            .at(Place::whole(root.display().to_string()))
        })
    };
    let corpus_file = unless(faults, Code::MissingPart, part("corpus.jsonl"))?;
    let queries_file = unless(faults, Code::MissingPart, part("queries.jsonl"))?;
    let judged = qrels_file(root, options.split.as_deref());
    let (split, qrels_file) = unless(faults, Code::MissingPart, judged)?.unzip();
    // The judgements first: they are small, and a mistake in the name of the split shows at once.
    let (qrels, qrels_notes) = match &qrels_file {
        Some(file) => faults.qrels(&Input::path(file))?,
        None => no_judgements()?,
    };
    let (queries, ignored_in_queries) = read(queries_file.as_deref(), faults)?;
    let (corpus, ignored_in_corpus) = read(corpus_file.as_deref(), faults)?;
    let parts = Parts {
        queries,
        corpus,
        qrels,
    };
    let files = [queries_file, corpus_file, qrels_file];
    let opened = Opened {
        split: split.unwrap_or_default(),
        is_whole: files.iter().all(Option::is_some),
        files: files.into_iter().flatten().collect(),
        qrels_notes,
        ignored_in_queries,
        ignored_in_corpus,
    };
    Ok((parts, opened))
}

fn qrels_file(root: &Path, asked: Option<&str>) -> Result<(String, PathBuf)> {
    let folder = root.join("qrels");
    let place = || Place::whole(folder.display().to_string());
    let mut splits = Vec::new();
    let entries = std::fs::read_dir(&folder).map_err(|error| {
        Error::io(error)
            .at(place())
            .hint("BEIR's judgements are files such as qrels/test.tsv")
    })?;
    for entry in entries {
        let path = entry.map_err(|error| Error::io(error).at(place()))?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let stem = ENDINGS
            .iter()
            .find_map(|ending| name.strip_suffix(&format!(".tsv{ending}")));
        if let Some(stem) = stem
            && !stem.starts_with('.')
        {
            splits.push((stem.to_owned(), path));
        }
    }
    splits.sort();
    let wanted = asked.unwrap_or("test");
    if let Some(at) = splits.iter().position(|(split, _)| split == wanted) {
        return Ok(splits.swap_remove(at));
    }
    if asked.is_none() && splits.len() == 1 {
        return Ok(splits.swap_remove(0));
    }
    let names = splits.iter().map(|(split, _)| split.as_str());
    Err(no_split(names, asked, &folder.display().to_string()))
}

pub(super) fn read<K: Interned>(
    path: Option<&Path>,
    faults: &mut dyn Faults,
) -> Result<(Collection<K>, Vec<String>)> {
    let Some(path) = path else {
        return Ok((Collection::new(Origin::memory("nothing")), Vec::new()));
    };
    let input = Input::path(path);
    let origin = Origin::lines(input.name());
    let mut collection = Collection::new(origin.clone());
    let mut ignored = Vec::new();
    let folder = path.parent().unwrap_or(Path::new(""));
    let read = for_each_object(&input, |object, line| {
        let Some(object) = unless(faults, Code::BrokenJson, object)? else {
            return Ok(());
        };
        let record =
            record(object, folder, &mut ignored).map_err(|error| error.at(origin.place(line)));
        let Some((id, record)) = unless(faults, Code::BadRecord, record)? else {
            return Ok(());
        };
        let pushed = collection.push(&id, record, line);
        unless(faults, wrong_id(&id), pushed).map(|_| ())
    });
    unless(faults, Code::BrokenFile, read)?;
    Ok((collection, ignored))
}

fn record(
    mut object: Map<String, Value>,
    folder: &Path,
    ignored: &mut Vec<String>,
) -> Result<(String, Record)> {
    let id_key = if object.contains_key("_id") {
        "_id"
    } else {
        "id"
    };
    let Some(id) = object.get(id_key).and_then(id) else {
        let found = object.get(id_key).map_or_else(|| keys(&object), short);
        return Err(Error::format(format!(
            "expected '_id', a text or an integer; found {found}"
        )));
    };
    let title = text(&object, "title")?.unwrap_or_default().to_owned();
    let text = text(&object, "text")?.map(str::to_owned);
    let reader = JsonContent { id: &id, folder };
    let content = match reader.take(&mut object, &title, text.as_deref())? {
        Some(content) => content,
        None => match text {
            Some(text) => Content::from(titled(&title, &text)),
            None => {
                let found = keys(&object);
                return Err(Error::format(format!(
                    "id '{id}': expected 'text', found {found}"
                )));
            }
        },
    };
    let mut record = Record::new(content);
    for (key, value) in object {
        let field = match value {
            _ if key == id_key || key == "text" => continue,
            Value::Null => continue,
            Value::String(text) => Some(Field::Text(text)),
            Value::Number(number) => Some(Field::Text(number.to_string())),
            Value::Array(values) => texts(values).map(Field::List),
            Value::Object(fields) if fields.is_empty() => continue,
            Value::Bool(_) | Value::Object(_) => None,
        };
        match field {
            Some(field) => {
                record.fields.insert(key, field);
            }
            None if ignored.contains(&key) => {}
            None => ignored.push(key),
        }
    }
    Ok((id, record))
}

/// The text of a key; an empty one for null, none where there is no such key.
fn text<'a>(object: &'a Map<String, Value>, key: &str) -> Result<Option<&'a str>> {
    match object.get(key) {
        None => Ok(None),
        Some(Value::Null) => Ok(Some("")),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => Err(Error::format(format!(
            "expected a text as '{key}', found {}",
            short(other)
        ))),
    }
}

fn texts(values: Vec<Value>) -> Option<Vec<String>> {
    let texts = values.into_iter().map(|value| match value {
        Value::String(text) => Some(text),
        _ => None,
    });
    texts.collect()
}

fn keys(object: &Map<String, Value>) -> String {
    if object.is_empty() {
        return "an empty object".to_owned();
    }
    let keys: Vec<String> = object.keys().map(|key| format!("'{key}'")).collect();
    format!("the keys {}", keys.join(", "))
}
