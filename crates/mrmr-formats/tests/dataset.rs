//! Opening data sets: what the fixtures hold, what is read when, and what goes wrong.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use mrmr_core::{Collection, Dataset, Field, Image, Interned, Part, Result};
use mrmr_formats::dataset::{DatasetNotes, DatasetOptions, Layout, is_dataset, open_dataset};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/datasets")
        .join(name)
}

fn open(path: impl AsRef<Path>) -> Result<(Dataset, DatasetNotes)> {
    open_dataset(path, &DatasetOptions::default())
}

fn image(image: &Image) -> String {
    match image.media.read() {
        Ok(bytes) => format!("[{}: {}]", image.label, String::from_utf8_lossy(&bytes)),
        Err(_) => format!("[{}: none]", image.label),
    }
}

/// Every record in a few lines: id, content, merged image, page, fields.
fn shown<K: Interned>(collection: &Collection<K>) -> String {
    let mut out = String::new();
    for (_, id, record) in collection.iter() {
        let _ = write!(out, "{id} = ");
        for part in record.content.parts() {
            match part {
                Part::Text(text) => out += text,
                Part::Image(part) => out += &image(part),
                Part::Audio(_) => out += "audio",
            }
        }
        for (name, other) in [("merged", &record.merged), ("page", &record.page)] {
            if let Some(other) = other {
                let _ = write!(out, " | {name} {}", image(other));
            }
        }
        for (name, field) in &record.fields {
            let _ = match field {
                Field::Text(text) => write!(out, " | {name}: {text}"),
                Field::List(list) => write!(out, " | {name}: {list:?}"),
            };
        }
        out += "\n";
    }
    out
}

#[test]
fn a_data_set_of_the_hub_reads_whole() {
    let (dataset, notes) = open(fixture("hub")).unwrap();
    assert_eq!(dataset.name, "hub");
    assert_eq!(
        shown(&dataset.corpus),
        "\
1 = Plain text. | page [vision: picture 101] | modality: text
2 = Before [image 1: picture 21] between [image 2: picture 22] after | merged [image: picture 2] | page [vision: picture 102] | modality: image,text
3 = [image 1: picture 31] | merged [image: picture 3] | page [vision: picture 103] | modality: image
4 = [image 1: picture 41]One named [image 2: picture 42], one not. | merged [image: picture 4] | page [vision: picture 104] | modality: image,text
5 = Named, but [image 1: none] is not there. | page [vision: picture 105] | modality: image,text
6 =  | modality: text
"
    );
    assert_eq!(
        shown(&dataset.queries),
        "\
10 = Which rule? [image: picture 10] | merged [image: picture 10] | category: Art | modality: image,text | options: [\"a\", \"b\"]
11 = [image: picture 111], then [image: picture 112] | merged [image: picture 11] | category: Math | modality: image,text | options: []
12 = Only the merged one: [image: picture 12] | merged [image: picture 12] | modality: image,text
13 = No judgement | category: Art | modality: text | options: [\"a\", \"\"]
"
    );
    assert_eq!(notes.layout, Layout::Mrmr);
    assert_eq!(notes.split, "test");
    assert_eq!(notes.files.len(), 4);
    assert_eq!(notes.orphan_golds, ["99"]);
    assert_eq!(notes.unjudged_queries, ["13"]);
    assert_eq!(notes.unknown_queries, ["14"]);
    assert_eq!(notes.qrels.identical_rows, 1);
    assert_eq!(notes.queries.ignored_columns, ["difficulty"]);
    let corpus = notes.corpus;
    assert_eq!(
        (
            corpus.images,
            corpus.missing_images,
            corpus.merged,
            corpus.pages
        ),
        (5, 1, 3, 5)
    );
    assert_eq!(corpus.incomplete, ["5"]);
    assert_eq!(corpus.declared_otherwise, ["5", "6"]);
    let counts: Vec<String> = corpus
        .by_modality
        .iter()
        .map(|(modality, count)| format!("{modality} {count}"))
        .collect();
    assert_eq!(counts, ["empty 1", "image 1", "text 2", "image,text 2"]);
    let query = dataset.qrels.queries().get("12").unwrap();
    assert_eq!(dataset.qrels.judgements(query)[0].grade, 0.5);
}

#[test]
fn every_spelling_and_type_of_column_is_accepted() {
    let (dataset, notes) = open(fixture("mixed")).unwrap();
    assert_eq!(
        shown(&dataset.corpus),
        "\
d0 = [image 1: picture 6][image 2: picture 9]T | page [vision: picture 0] | source: web | title: T | year: 1999
d1 = [image 1: none]b | page [vision: picture 1] | source: web | title: 
d2 = [image 1: picture 7]c [image 2: none] | page [vision: picture 2] | source: web | year: 2001
d3 = [image 2: picture 10]T d | page [vision: picture 3] | source: web | title: T | year: 2002
d4 = T e | page [vision: picture 4] | source: web | title: T | year: 2003
d5 = [image 1: picture 8]T f | page [vision: picture 5] | source: web | title: T | year: 2004
"
    );
    assert_eq!(shown(&dataset.queries), "1 = first\n2 = second\n");
    assert_eq!(notes.corpus.ignored_columns, ["when"]);
    assert_eq!(notes.corpus.missing_images, 2);
    assert_eq!(dataset.qrels.len(), 2);
}

#[test]
fn another_split_is_opened_by_its_name() {
    let options = DatasetOptions {
        split: Some("dev".to_owned()),
        name: Some("small".to_owned()),
    };
    let (dataset, notes) = open_dataset(fixture("mixed"), &options).unwrap();
    assert_eq!(
        (dataset.name.as_str(), notes.split.as_str()),
        ("small", "dev")
    );
    assert_eq!(dataset.qrels.len(), 1);
    let options = DatasetOptions {
        split: Some("train".to_owned()),
        name: None,
    };
    let error = open_dataset(fixture("mixed"), &options).unwrap_err();
    assert_eq!(error.message(), "expected a split 'train'; found dev, test");
}

#[test]
fn images_read_in_any_order_by_many_threads_are_the_same() {
    let (dataset, _) = open(fixture("hub")).unwrap();
    let images: Vec<&Image> = dataset
        .corpus
        .iter()
        .flat_map(|(_, _, record)| record.content.images().chain(&record.page))
        .filter(|image| !image.media.is_missing())
        .collect();
    let read = |image: &&Image| image.media.read().unwrap();
    let expected: Vec<_> = images.iter().map(read).collect();
    let backwards: Vec<_> = images.iter().rev().map(read).collect();
    assert!(expected.iter().eq(backwards.iter().rev()));
    std::thread::scope(|scope| {
        for start in 0..8 {
            let (images, expected) = (&images, &expected);
            scope.spawn(move || {
                for at in (0..images.len()).map(|n| (n * 5 + start) % images.len()) {
                    assert_eq!(read(&images[at]), expected[at]);
                }
            });
        }
    });
}

/// The path of data that is not part of the repository, or none, with a note.
fn theoremqa() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/theoremqa");
    if !path.is_dir() {
        eprintln!("skipped: {} is not there", path.display());
        return None;
    }
    Some(path)
}

#[test]
fn theoremqa_reads_as_its_description_says() {
    let Some(path) = theoremqa() else { return };
    let (dataset, notes) = open(&path).unwrap();
    assert_eq!(
        (
            dataset.queries.len(),
            dataset.corpus.len(),
            dataset.qrels.len()
        ),
        (800, 353, 800)
    );
    let queries = &notes.queries;
    assert_eq!(
        (queries.images, queries.missing_images, queries.merged),
        (53, 0, 53)
    );
    assert_eq!((notes.corpus.images, notes.corpus.pages), (0, 353));
    assert!(queries.declared_otherwise.is_empty() && notes.corpus.declared_otherwise.is_empty());
    assert!(notes.orphan_golds.is_empty() && notes.unjudged_queries.is_empty());
    let count = |category: &str| {
        let queries = dataset.queries.iter();
        queries
            .filter(|(_, _, query)| query.field("category") == Some(category))
            .count()
    };
    assert_eq!(
        ["Math", "Computer_Science", "Physics", "Finance"].map(count),
        [442, 146, 131, 81]
    );

    let key = dataset
        .queries
        .ids()
        .get("wenhuchen_parallelogram2")
        .unwrap();
    let query = dataset.queries.record(key);
    let [Part::Image(image), Part::Text(text)] = query.content.parts() else {
        panic!("{:?}", query.content)
    };
    assert_eq!(image.label, "image 1");
    assert!(text.starts_with("ABCD is a parallelogram."));
    for (_, _, document) in dataset.corpus.iter() {
        let page = document.page.as_ref().unwrap();
        assert!(page.media.read().unwrap().starts_with(b"\x89PNG"));
    }
}

#[test]
fn a_folder_that_is_no_data_set_names_the_layouts_and_what_it_holds() {
    let error = open(fixture("")).unwrap_err();
    assert_eq!(
        error.message(),
        "expected a data set: MRMR's layout (corpus/test-*.parquet, query/test-*.parquet (or queries/) and \
         qrels/test-*.parquet), BEIR's (corpus.jsonl, queries.jsonl and qrels/SPLIT.tsv) or that of MTEB, BRIGHT, \
         MM-BRIGHT, ViDoRe, M-BEIR, MMEB, MS MARCO or TREC files; found README.md, hub, make.py, mixed"
    );
    assert_eq!(
        error.hints(),
        ["these folders in it are data sets: hub, mixed"]
    );
    assert!(is_dataset(fixture("hub")) && !is_dataset(fixture("")));
    let error = open(fixture("none")).unwrap_err();
    assert_eq!(error.kind(), mrmr_core::ErrorKind::Io);
}

type Columns = Vec<(&'static str, arrow_array::ArrayRef)>;

/// A data set of these documents, with one query and one judgement, and what opening it says.
fn open_corpus(shards: Vec<Columns>) -> (tempfile::TempDir, Result<(Dataset, DatasetNotes)>) {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, columns: Columns| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let batch = arrow_array::RecordBatch::try_from_iter(columns).unwrap();
        let file = std::fs::File::create(path).unwrap();
        let mut writer = parquet::arrow::ArrowWriter::try_new(file, batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
    };
    write(
        "query/test.parquet",
        vec![("id", texts(&["q"])), ("text", texts(&["a"]))],
    );
    let qrels = vec![
        ("query_id", texts(&["q"])),
        ("corpus_id", texts(&["d"])),
        ("score", texts(&["1"])),
    ];
    write("qrels/test.parquet", qrels);
    let of = shards.len();
    for (number, columns) in shards.into_iter().enumerate() {
        write(
            &format!("corpus/test-{number:05}-of-{of:05}.parquet"),
            columns,
        );
    }
    let opened = open(folder.path());
    (folder, opened)
}

fn texts(values: &[&str]) -> arrow_array::ArrayRef {
    std::sync::Arc::new(arrow_array::StringArray::from(values.to_vec()))
}

/// The message after the folder, whose name is never the same.
fn message(shards: Vec<Columns>) -> String {
    let (folder, opened) = open_corpus(shards);
    let root = format!("{}/", folder.path().display());
    opened.unwrap_err().to_string().replace(&root, "")
}

#[test]
fn an_id_twice_names_both_files_and_rows() {
    let documents = |ids: &[&str]| vec![("id", texts(ids)), ("text", texts(ids))];
    assert_eq!(
        message(vec![documents(&["a", "b"]), documents(&["c", "b"])]),
        "corpus/test-00001-of-00002.parquet: row 1: id 'b' is there already, at row 1 of \
         corpus/test-00000-of-00002.parquet; ids are unique"
    );
    assert_eq!(
        message(vec![documents(&["a", "a"])]),
        "corpus/test-00000-of-00001.parquet: row 1: id 'a' is there already, at row 0; ids are unique"
    );
}

#[test]
fn columns_that_are_missing_or_null_are_named() {
    let file = "corpus/test-00000-of-00001.parquet";
    assert_eq!(
        message(vec![vec![
            ("docno", texts(&["a"])),
            ("text", texts(&["a"]))
        ]]),
        format!(
            "{file}: expected a column named 'id', '_id', 'corpus-id', 'corpus_id' or 'docid'; found 'docno', 'text'"
        )
    );
    assert_eq!(
        message(vec![vec![
            ("id", texts(&["a"])),
            ("contents", texts(&["a"]))
        ]]),
        format!("{file}: expected a column named 'text'; found 'id', 'contents'")
    );
    let null: arrow_array::ArrayRef =
        std::sync::Arc::new(arrow_array::StringArray::from(vec![Some("a"), None]));
    assert_eq!(
        message(vec![vec![("id", null), ("text", texts(&["a", "b"]))]]),
        format!("{file}: row 1: expected an id, found null in column 'id'")
    );
}

#[test]
fn a_path_that_leads_out_of_the_folder_is_refused() {
    for path in ["../secret.png", "/etc/passwd", "pictures/../../secret.png"] {
        let (_folder, opened) =
            open_corpus(vec![vec![("id", texts(&["a"])), ("image", texts(&[path]))]]);
        let error = opened.unwrap_err();
        assert!(
            error
                .message()
                .ends_with(&format!("found the path '{path}' alone")),
            "{error}"
        );
    }
}

#[test]
fn a_damaged_file_is_an_error_and_never_a_panic() {
    let folder = tempfile::tempdir().unwrap();
    for part in ["corpus", "query", "qrels"] {
        std::fs::create_dir(folder.path().join(part)).unwrap();
    }
    let copy = |from: &str, to: &str| std::fs::copy(fixture(from), folder.path().join(to)).unwrap();
    copy("mixed/queries/dev.parquet", "query/test.parquet");
    copy("mixed/qrels/test.parquet", "qrels/test.parquet");
    let whole = std::fs::read(fixture("mixed/corpus/test.parquet")).unwrap();
    let mut refused = 0;
    for at in (0..whole.len()).step_by(19) {
        let mut damaged = whole.clone();
        damaged[at] ^= 0xff;
        std::fs::write(folder.path().join("corpus/test.parquet"), damaged).unwrap();
        let read = open(folder.path()).and_then(|(dataset, _)| {
            let mut images = dataset.corpus.iter().flat_map(|(_, _, record)| {
                record
                    .content
                    .images()
                    .chain(&record.page)
                    .filter(|image| !image.media.is_missing())
            });
            images.try_for_each(|image| image.media.read().map(drop))
        });
        refused += usize::from(read.is_err());
    }
    assert!(refused > 0);
}
