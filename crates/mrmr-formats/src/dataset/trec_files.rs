//! A folder of TREC files: topics, judgements, and documents as JSON lines or Parquet; BrowseComp-Plus is one.

use std::io::BufRead;
use std::path::{Path, PathBuf};

use mrmr_core::{Collection, Error, Interned, Origin, Place, Result};

use super::faults::{Faults, unless};
use super::gather::{Gathered, push};
use super::public::{files, missing, name};
use super::shards::no_split;
use super::sheet::{content, each_row};
use super::{DatasetOptions, Limits, Opened, Parts, beir};
use crate::findings::Code;
use crate::input::{Input, Opened as OpenedInput};

const JUDGED: &[&str] = &[".txt", ".qrels", ".qrel", ".tsv"];
const TOPICS: &[&str] = &[".tsv", ".txt", ".jsonl", ".topics"];
const DOCUMENTS: &[&str] = &[".jsonl", ".parquet"];

/// The files of the folder and of those in it that such collections use.
fn within(root: &Path, endings: &[&str], is_it: impl Fn(&str) -> bool) -> Vec<PathBuf> {
    let folders = [
        "",
        "topics-qrels",
        "topics",
        "qrels",
        "corpus",
        "data",
        "documents",
    ];
    let found = folders
        .iter()
        .flat_map(|folder| files(&root.join(folder), endings));
    found.filter(|file| is_it(&name(file))).collect()
}

fn qrels(root: &Path) -> Vec<PathBuf> {
    within(root, JUDGED, |name| name.contains("qrel"))
}

fn topics(root: &Path) -> Vec<PathBuf> {
    within(root, TOPICS, |name| {
        (name.starts_with("topics") || name.starts_with("queries")) && !name.contains("qrel")
    })
}

fn documents(root: &Path) -> Vec<PathBuf> {
    let mut found = within(root, DOCUMENTS, |name| {
        ["documents", "docs", "corpus", "train-", "test-"]
            .iter()
            .any(|start| name.starts_with(start))
    });
    found.dedup();
    found
}

/// BEIR's folder, with its judgements in `qrels/SPLIT.tsv`, is not taken for this.
pub(super) fn is_here(root: &Path) -> bool {
    let of_beir = beir::file(root, "corpus.jsonl").is_some()
        && beir::file(root, "queries.jsonl").is_some()
        && !files(&root.join("qrels"), &[".tsv"]).is_empty();
    !of_beir && !qrels(root).is_empty() && !topics(root).is_empty() && !documents(root).is_empty()
}

/// The split is a part of the name of the judgements: `evidence` is `qrel_evidence.txt`.
pub(super) fn open(
    root: &Path,
    options: &DatasetOptions,
    faults: &mut dyn Faults,
) -> Result<(Parts, Opened, Limits)> {
    let asked = options.split.as_deref();
    let judged = qrels(root);
    let names: Vec<String> = judged.iter().map(|file| split_of(file)).collect();
    let at = match asked {
        Some(asked) => names.iter().position(|split| split == asked),
        None => names
            .iter()
            .position(|s| s == "test")
            .or((names.len() == 1).then_some(0)),
    };
    let Some(at) = at else {
        return Err(no_split(
            names.iter().map(String::as_str),
            asked,
            &root.display().to_string(),
        ));
    };
    let split = names[at].clone();
    let mut asked_files = topics(root);
    let topics_at = asked_files
        .iter()
        .position(|file| asked_files.len() == 1 || name(file).contains(&split));
    let topics_file = match topics_at {
        Some(at) => asked_files.swap_remove(at),
        None => {
            return Err(missing(
                root,
                &format!("one file of topics, or topics.{split}.tsv"),
            ));
        }
    };
    let mut gathered = Gathered::new(root);
    for file in documents(root) {
        gathered.file(&file);
        each_row(&file, root, None, faults, |row, _| {
            let id = row.require(&["docid", "doc_id", "docno", "id", "_id"])?;
            let text = row.require(&["text", "contents", "content", "body"])?;
            let title = row.text(&["title"])?.unwrap_or_default();
            let whole = super::columns::titled(&title, &text);
            let fields = [
                ("title", Some(title).filter(|title| !title.is_empty())),
                ("url", row.text(&["url"])?),
            ];
            push(&mut gathered.corpus, &id, whole.into(), fields)
        })?;
    }
    gathered.file(&topics_file);
    match name(&topics_file).contains(".jsonl") {
        true => each_row(&topics_file, root, None, faults, |row, _| {
            let id = row.require(&["query_id", "query-id", "qid", "id", "_id", "number"])?;
            let text = row.require(&["query", "text", "title"])?;
            push(&mut gathered.queries, &id, content(None, Some(text)), [])
        })?,
        false => each_pair(&topics_file, &mut gathered.queries, faults)?,
    }
    let file = &judged[at];
    gathered.finish_with_file(split, file, faults)
}

/// `qrel_evidence.txt` is `evidence`, `test.qrels` is `test`, `qrels.txt` is `qrels`.
fn split_of(file: &Path) -> String {
    let whole = name(file);
    let stem = whole
        .split('.')
        .filter(|part| !["txt", "tsv", "gz", "zst"].contains(part));
    let stem: Vec<&str> = stem.collect();
    let stem = stem.join(".");
    let parts: Vec<&str> = stem
        .split(['.', '_', '-'])
        .filter(|part| !["qrel", "qrels"].contains(part))
        .collect();
    match parts.is_empty() {
        true => "qrels".to_owned(),
        false => parts.join("."),
    }
}

/// Reads lines of an id, a tab and a text, or topics between `<top>` and `</top>`.
pub(super) fn each_pair<K: Interned>(
    file: &Path,
    records: &mut Collection<K>,
    faults: &mut dyn Faults,
) -> Result<()> {
    let input = Input::path(file);
    let origin = Origin::lines(input.name());
    let OpenedInput::Text(mut text) = input.open()? else {
        return Err(
            Error::format("expected lines of text, found a Parquet file")
                .at(Place::whole(input.name())),
        );
    };
    let mut bytes = Vec::new();
    let (mut number, mut topic) = (0_u64, Topic::default());
    loop {
        bytes.clear();
        let read = text.read_until(b'\n', &mut bytes);
        if read.map_err(|error| text.failed(error))? == 0 {
            return Ok(());
        }
        number += 1;
        let line = String::from_utf8_lossy(bytes.trim_ascii_end()).into_owned();
        let line = if number == 1 {
            line.trim_start_matches('\u{feff}')
        } else {
            line.as_str()
        };
        if line.trim().is_empty() {
            continue;
        }
        let pair = if topic.is_open || line.trim_start().to_ascii_lowercase().starts_with("<top>") {
            topic.line(line)
        } else {
            let pair = line
                .split_once('\t')
                .map(|(id, text)| (id.trim().to_owned(), text.to_owned()));
            let pair = pair.ok_or_else(|| {
                Error::format("expected an id, a tab and a text, or <top>").at(origin.place(number))
            });
            unless(faults, Code::BadRecord, pair)?
        };
        if let Some((id, text)) = pair {
            let pushed = push(records, &id, content(None, Some(text)), []);
            let pushed = pushed.map_err(|error| error.at(origin.place(number)));
            unless(faults, super::faults::wrong_id(&id), pushed)?;
        }
    }
}

/// A topic as TREC writes it: `<num> Number: 301`, `<title> text`, further parts that are left out.
#[derive(Default)]
struct Topic {
    is_open: bool,
    number: String,
    title: Vec<String>,
    in_title: bool,
}

impl Topic {
    /// Takes a line; the id and the title once it closes the topic.
    fn line(&mut self, line: &str) -> Option<(String, String)> {
        let line = line.trim();
        let lower = line.to_ascii_lowercase();
        if lower.starts_with("<top>") {
            *self = Topic {
                is_open: true,
                ..Topic::default()
            };
        } else if lower.starts_with("</top>") {
            let topic = std::mem::take(self);
            return Some((topic.number, topic.title.join(" ")));
        } else if lower.starts_with("<num>") {
            self.in_title = false;
            let rest = without_closing(&line[5..]);
            let rest = rest.strip_prefix("Number:").unwrap_or(rest);
            rest.trim().clone_into(&mut self.number);
        } else if lower.starts_with("<title>") {
            self.in_title = true;
            let rest = without_closing(&line[7..]);
            let rest = rest.strip_prefix("Topic:").unwrap_or(rest).trim();
            self.title
                .extend((!rest.is_empty()).then(|| rest.to_owned()));
            self.in_title = !lower.contains("</title>");
        } else if lower.starts_with('<') {
            self.in_title = false;
        } else if self.in_title {
            self.title.push(line.to_owned());
        }
        None
    }
}

fn without_closing(text: &str) -> &str {
    text.split("</").next().unwrap_or(text).trim()
}
