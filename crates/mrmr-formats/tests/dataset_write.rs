//! Writing MRMR's layout: what is written reads back the same, whole or not at all.

#![allow(clippy::unwrap_used, clippy::print_stderr)]

use std::path::{Path, PathBuf};

use mrmr_core::{
    Audio, Collection, Content, Dataset, DocId, Image, Interned, Media, Origin, Part, Qrels,
    QueryId, Record,
};
use mrmr_formats::dataset::{DatasetNotes, DatasetOptions, open_dataset, write_mrmr};

fn open(path: &Path) -> (Dataset, DatasetNotes) {
    open_dataset(path, &DatasetOptions::default()).unwrap()
}

fn bytes(image: &Image) -> Option<Vec<u8>> {
    image.media.read().ok().map(|bytes| bytes.to_vec())
}

/// All of a record that must come back, with the bytes of its images.
fn whole(record: &Record) -> String {
    let image = |image: &Image| format!("{} {:?}", image.label, bytes(image));
    let parts: Vec<String> = record
        .content
        .parts()
        .iter()
        .map(|part| match part {
            Part::Text(text) => text.clone(),
            Part::Image(part) => image(part),
            Part::Audio(_) => unreachable!(),
        })
        .collect();
    let mut fields = record.fields.clone();
    fields.remove("modality");
    let merged = record
        .merged
        .as_ref()
        .filter(|image| !image.media.is_missing())
        .map(image);
    let page = record.page.as_ref().map(image);
    format!("{parts:?} {merged:?} {page:?} {fields:?}")
}

fn assert_same<K: Interned>(read: &Collection<K>, written: &Collection<K>) {
    assert_eq!(read.len(), written.len());
    for ((_, id, read), (_, expected, written)) in read.iter().zip(written.iter()) {
        assert_eq!(id, expected);
        assert_eq!(whole(read), whole(written), "{id}");
    }
}

fn assert_reads_back(source: &Path) {
    let (dataset, _) = open(source);
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy");
    write_mrmr(&copy, &dataset.queries, &dataset.corpus, &dataset.qrels).unwrap();
    let (read, notes) = open(&copy);
    assert_same(&read.queries, &dataset.queries);
    assert_same(&read.corpus, &dataset.corpus);
    let judgements = |qrels: &Qrels| {
        let mut rows = Vec::new();
        for query in qrels.queries().keys() {
            for judgement in qrels.judgements(query) {
                let document = qrels.documents().name(judgement.document);
                rows.push(format!(
                    "{} {document} {}",
                    qrels.queries().name(query),
                    judgement.grade
                ));
            }
        }
        rows
    };
    assert_eq!(judgements(&read.qrels), judgements(&dataset.qrels));
    assert_eq!(notes.split, "test");
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "nothing but the data set is left");
}

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/datasets")
        .join(name)
}

#[test]
fn what_was_read_from_the_hub_reads_back_the_same() {
    assert_reads_back(&fixture("hub"));
}

#[test]
fn theoremqa_reads_back_the_same() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/theoremqa");
    if path.is_dir() {
        assert_reads_back(&path);
    } else {
        eprintln!("skipped: {} is not there", path.display());
    }
}

fn collection<K: Interned>(records: Vec<(&str, Record)>) -> Collection<K> {
    let mut collection = Collection::new(Origin::memory("records"));
    for (number, (id, record)) in records.into_iter().enumerate() {
        collection.push(id, record, number as u64).unwrap();
    }
    collection
}

fn no_judgements() -> Qrels {
    Qrels::builder(Origin::memory("qrels")).finish().unwrap().0
}

#[test]
fn a_folder_that_holds_something_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("precious"), "").unwrap();
    let queries: Collection<QueryId> = collection(vec![]);
    let corpus: Collection<DocId> = collection(vec![]);
    let error = write_mrmr(folder.path(), &queries, &corpus, &no_judgements()).unwrap_err();
    assert_eq!(
        error.message(),
        "expected a new or an empty folder, found one that holds something"
    );
    let empty = folder.path().join("a/b");
    std::fs::create_dir_all(&empty).unwrap();
    write_mrmr(&empty, &queries, &corpus, &no_judgements()).unwrap();
    assert!(open(&empty).0.corpus.is_empty());
}

#[test]
fn a_record_that_cannot_be_written_leaves_nothing_behind() {
    let sound = Part::Audio(Audio {
        label: "audio".to_owned(),
        media: Media::Bytes(b"wave"[..].into()),
    });
    let literal = Part::Text("the tag <image 1> of another format".to_owned());
    for (part, message) in [
        (
            sound,
            "record: d1: expected texts and images, found the sound 'audio'; this layout has no column for it",
        ),
        (
            literal,
            "record: d1: this layout cannot express the record: read again, it would have other parts",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let queries: Collection<QueryId> = collection(vec![]);
        let corpus: Collection<DocId> = collection(vec![
            ("d0", Record::new("fine")),
            ("d1", Record::new(Content::new([part]))),
        ]);
        let target = folder.path().join("set");
        let error = write_mrmr(&target, &queries, &corpus, &no_judgements()).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
