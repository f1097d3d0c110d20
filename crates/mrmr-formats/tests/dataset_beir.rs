//! BEIR's layout.

#![allow(clippy::unwrap_used)]

use std::io::Write;
use std::path::Path;

use mrmr_core::{Collection, Interned, Part, Result};
use mrmr_formats::dataset::{DatasetNotes, DatasetOptions, Layout, is_dataset, open_dataset};

const CORPUS: &str = r#"{"_id": "d1", "title": "Title", "text": "text", "metadata": {}}
{"_id": 2, "title": "", "text": "no title", "url": "https://example.org", "authors": ["A", "B"]}

{"_id": "d3", "title": "only a title", "text": "", "metadata": {"year": 1}}
{"_id": "d4", "text": "neither <image 1> is a placeholder here"}
"#;
const QUERIES: &str = r#"{"_id": "q1", "text": "first"}
{"_id": "q2", "text": "second"}"#;
const QRELS: &str = "query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\t2\t2\n";

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("qrels")).unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn open(path: &Path, split: Option<&str>) -> Result<(mrmr_core::Dataset, DatasetNotes)> {
    let options = DatasetOptions {
        split: split.map(str::to_owned),
        name: None,
    };
    open_dataset(path, &options)
}

fn texts<K: Interned>(collection: &Collection<K>) -> Vec<String> {
    let texts = collection
        .iter()
        .map(|(_, id, record)| match record.content.parts() {
            [Part::Text(text)] => format!("{id}: {text}"),
            other => format!("{id}: {other:?}"),
        });
    texts.collect()
}

#[test]
fn documents_are_title_space_text() {
    let folder = folder(&[
        ("corpus.jsonl", CORPUS),
        ("queries.jsonl", QUERIES),
        ("qrels/test.tsv", QRELS),
    ]);
    assert!(is_dataset(folder.path()));
    let (dataset, notes) = open(folder.path(), None).unwrap();
    assert_eq!(notes.layout, Layout::Beir);
    assert_eq!(
        texts(&dataset.corpus),
        [
            "d1: Title text",
            "2: no title",
            "d3: only a title",
            "d4: neither <image 1> is a placeholder here"
        ]
    );
    assert_eq!(texts(&dataset.queries), ["q1: first", "q2: second"]);
    let second = dataset
        .corpus
        .record(dataset.corpus.ids().get("2").unwrap());
    assert_eq!(second.field("url"), Some("https://example.org"));
    assert_eq!(second.fields.len(), 3); // title, url, authors
    assert_eq!(notes.corpus.ignored_columns, ["metadata"]);
    assert_eq!(notes.unjudged_queries, ["q2"]);
    assert_eq!(dataset.qrels.len(), 2);
}

#[test]
fn compressed_files_are_read() {
    let folder = folder(&[("queries.jsonl", QUERIES), ("qrels/test.tsv", QRELS)]);
    let file = std::fs::File::create(folder.path().join("corpus.jsonl.gz")).unwrap();
    let mut gzip = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
    gzip.write_all(CORPUS.as_bytes()).unwrap();
    gzip.finish().unwrap();
    assert_eq!(open(folder.path(), None).unwrap().0.corpus.len(), 4);
}

#[test]
fn a_split_is_test_or_the_only_one_or_the_one_that_is_asked_for() {
    let base = [("corpus.jsonl", CORPUS), ("queries.jsonl", QUERIES)];
    let one = folder(&[base[0], base[1], ("qrels/dev.tsv", QRELS)]);
    assert_eq!(open(one.path(), None).unwrap().1.split, "dev");
    assert!(open(one.path(), Some("test")).is_err());

    let two = folder(&[
        base[0],
        base[1],
        ("qrels/dev.tsv", QRELS),
        ("qrels/train.tsv", QRELS),
    ]);
    let error = open(two.path(), None).unwrap_err();
    assert_eq!(error.message(), "expected a split 'test'; found dev, train");
    assert_eq!(open(two.path(), Some("train")).unwrap().1.split, "train");
}

#[test]
fn errors_name_the_file_and_the_line() {
    for (corpus, message) in [
        (
            "{\"_id\": \"d1\", \"text\": \"\"}\n\n{\"_id\": \"d2\"\n",
            ":3: expected a JSON object: EOF while parsing an object at column 12",
        ),
        ("[1]\n", ":1: expected a JSON object, found [1]"),
        (
            "{\"_id\": 1.5, \"text\": \"\"}",
            ":1: expected '_id', a text or an integer; found 1.5",
        ),
        (
            "{\"docid\": 1, \"text\": \"\"}",
            ":1: expected '_id', a text or an integer; found the keys 'docid', 'text'",
        ),
        (
            "{\"_id\": \"d1\", \"contents\": \"\"}",
            ":1: id 'd1': expected 'text', found the keys '_id', 'contents'",
        ),
        (
            "{\"_id\": \"d1\", \"text\": 5}",
            ":1: expected a text as 'text', found 5",
        ),
        (
            "{\"_id\": \"1\", \"text\": \"\"}\n{\"_id\": 1, \"text\": \"\"}",
            ":2: id '1' is there already, at line 1; ids are unique",
        ),
    ] {
        let folder = folder(&[
            ("corpus.jsonl", corpus),
            ("queries.jsonl", QUERIES),
            ("qrels/test.tsv", QRELS),
        ]);
        let error = open(folder.path(), None).unwrap_err().to_string();
        let place = folder.path().join("corpus.jsonl").display().to_string();
        assert_eq!(error, place + message);
    }
}

#[test]
fn a_missing_part_is_named() {
    let folder = folder(&[("corpus.jsonl", CORPUS)]);
    let error = open(folder.path(), None).unwrap_err();
    assert_eq!(
        error.message(),
        "expected queries.jsonl, queries.jsonl.gz or queries.jsonl.zst, found none of them"
    );
}
