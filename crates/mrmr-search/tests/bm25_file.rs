//! An index in a file: what comes back is what was saved, and what is none is refused.

#![allow(clippy::unwrap_used)]

use std::fs;

use mrmr_core::ErrorKind;
use mrmr_search::{
    Analysis, Analyzer, Bm25Index, Bm25Params, Filter, Norms, QueryWeighting, StopWords,
};

const TEXTS: [(&str, &str); 5] = [
    (
        "d1",
        "Kraft's inequality bounds the lengths of a prefix code.",
    ),
    ("d2", "Huffman coding finds the best prefix code."),
    ("日本", "東京のデータ"),
    ("empty", ""),
    (
        "d 5",
        "which codes are prefix codes, and which codes are not?",
    ),
];

fn index(params: Bm25Params, analysis: Analysis) -> Bm25Index {
    let mut builder = Bm25Index::builder(params, analysis);
    for (id, text) in TEXTS {
        builder.add(id, text).unwrap();
    }
    builder.build()
}

fn saved() -> (tempfile::TempDir, std::path::PathBuf, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index.bm25");
    let analysis = Analysis::from(Analyzer::LuceneEnglish);
    index(Bm25Params::default(), analysis).save(&path).unwrap();
    let bytes = fs::read(&path).unwrap();
    (folder, path, bytes)
}

#[test]
fn an_index_comes_back_from_its_file_to_the_last_bit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index.bm25");
    let lists = [
        StopWords::None,
        StopWords::Lucene,
        StopWords::custom(["which", "best"]),
    ];
    for (analyzer, stop_words) in Analyzer::ALL
        .iter()
        .flat_map(|a| lists.iter().map(move |s| (a, s)))
    {
        let params = Bm25Params::new(1.1, 0.3, Norms::Exact)
            .unwrap()
            .with_query(QueryWeighting::Bm25qs);
        let before = index(params, Analysis::new(*analyzer, stop_words.clone()));
        before.save(&path).unwrap();
        let after = Bm25Index::open(&path).unwrap();
        assert_eq!(after.params(), params);
        assert_eq!(after.analysis(), before.analysis());
        assert_eq!(after.len(), 5);
        for query in ["which prefix code is best", "東京都", "", "codes codes"] {
            let search = |index: &Bm25Index| {
                let found = index.search(query, 10, &Filter::default()).unwrap();
                let found = found
                    .iter()
                    .map(|n| (index.id(n.row).to_owned(), n.score.to_bits()));
                found.collect::<Vec<_>>()
            };
            assert_eq!(search(&after), search(&before), "{query}");
        }
        let first = fs::read(&path).unwrap();
        after.save(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), first);
    }
}

#[test]
fn an_empty_index_comes_back_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index.bm25");
    let empty = Bm25Index::builder(Bm25Params::default(), Analyzer::Whitespace).build();
    empty.save(&path).unwrap();
    assert!(Bm25Index::open(&path).unwrap().is_empty());
}

fn refusal(path: &std::path::Path, bytes: &[u8]) -> (ErrorKind, String) {
    fs::write(path, bytes).unwrap();
    let error = Bm25Index::open(path).map(|_| ()).unwrap_err();
    assert_eq!(error.place().unwrap().source, path.display().to_string());
    (error.kind(), error.message().to_owned())
}

#[test]
fn a_file_that_is_cut_short_anywhere_is_refused() {
    let (_folder, path, bytes) = saved();
    for end in 0..bytes.len() {
        let (kind, message) = refusal(&path, &bytes[..end]);
        assert_eq!(kind, ErrorKind::Format);
        let expected = if end < 8 {
            "this is no index of BM25"
        } else {
            "cut short"
        };
        assert!(message.contains(expected), "{end}: {message}");
    }
    let longer = [&bytes[..], b"x"].concat();
    assert!(
        refusal(&path, &longer)
            .1
            .contains("has something behind it")
    );
}

#[test]
fn a_file_with_any_byte_changed_is_refused() {
    let (_folder, path, bytes) = saved();
    for place in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[place] ^= 1;
        refusal(&path, &changed);
    }
    let mut changed = bytes;
    changed[40] ^= 1;
    assert_eq!(
        refusal(&path, &changed).1,
        "the index was changed after it was written: its checksum is another"
    );
}

#[test]
fn a_newer_format_is_refused_by_its_number_and_a_foreign_file_by_its_beginning() {
    let (_folder, path, mut bytes) = saved();
    bytes[8] = 2;
    assert_eq!(
        refusal(&path, &bytes),
        (
            ErrorKind::Unsupported,
            "the index has format 2; this version reads format 1".to_owned()
        )
    );
    assert_eq!(
        refusal(&path, b"PAR1 and more").1,
        "this is no index of BM25"
    );
}

#[test]
fn a_checksum_that_fits_does_not_hide_content_that_contradicts_itself() {
    let (_folder, path, bytes) = saved();
    let end = bytes.len() - 32;
    for place in (20..end).step_by(2) {
        for value in [0, 0xFF] {
            let mut changed = bytes[..end].to_vec();
            changed[place] = value;
            let checksum = blake3::hash(&changed);
            changed.extend_from_slice(checksum.as_bytes());
            fs::write(&path, &changed).unwrap();
            if let Ok(index) = Bm25Index::open(&path) {
                index.search("prefix code", 10, &Filter::default()).unwrap();
            }
        }
    }
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let error = Bm25Index::open("/nowhere/index.bm25".as_ref())
        .map(|_| ())
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert_eq!(error.place().unwrap().source, "/nowhere/index.bm25");
}
