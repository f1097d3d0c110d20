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

/// What an index answers to some queries.
fn answers(index: &Bm25Index) -> mrmr_core::Result<Vec<Vec<(String, u64)>>> {
    let queries = [
        "which prefix code is best",
        "東京都",
        "codes codes",
        "bounds",
    ];
    let answers = queries.map(|query| {
        let found = index.search(query, 10, &Filter::default())?;
        let named = found
            .iter()
            .map(|n| (index.id(n.row).to_owned(), n.score.to_bits()));
        Ok(named.collect())
    });
    answers.into_iter().collect()
}

#[test]
fn a_file_with_any_byte_changed_is_refused_when_it_is_opened_or_first_used() {
    let (_folder, path, bytes) = saved();
    let before = answers(&Bm25Index::open(&path).unwrap()).unwrap();
    let mut opened = 0;
    for place in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[place] ^= 1;
        fs::write(&path, &changed).unwrap();
        let Ok(index) = Bm25Index::open(&path) else {
            continue;
        };
        opened += 1;
        let error = index.verify().unwrap_err();
        assert_eq!(
            error.message(),
            "the index was changed after it was written: its checksum is another"
        );
        assert_eq!(error.place().unwrap().source, path.display().to_string());
        assert!(answers(&index).is_err_and(|error| error.kind() == ErrorKind::Format));
        assert!(index.save(&path).is_err());
        assert!(index.with_params(Bm25Params::default()).is_err());
    }
    // The postings are checked late, all else at once; here all of it is one page.
    assert_eq!(opened, 0);
    assert_eq!(before.len(), 4);
    fs::write(&path, &bytes).unwrap();
    assert!(Bm25Index::open(&path).unwrap().verify().is_ok());
}

#[test]
fn postings_of_a_large_file_are_checked_when_a_query_touches_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index.bm25");
    let mut builder = Bm25Index::builder(Bm25Params::default(), Analyzer::Whitespace);
    for row in 0..20_000 {
        builder
            .add(
                &row.to_string(),
                if row % 2 == 0 {
                    "early other"
                } else {
                    "late other"
                },
            )
            .unwrap();
    }
    let built = builder.build();
    built.save(&path).unwrap();
    let search = |index: &Bm25Index, query| index.search(query, 5, &Filter::default());
    let mut bytes = fs::read(&path).unwrap();
    // The last section has a number for each posting; its end belongs to the last term.
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let index = Bm25Index::open(&path).unwrap();
    assert_eq!(
        search(&index, "early").unwrap(),
        search(&built, "early").unwrap()
    );
    for _ in 0..2 {
        let error = search(&index, "late").unwrap_err();
        assert!(
            error.message().contains("its checksum is another"),
            "{error}"
        );
        assert_eq!(error.place().unwrap().source, path.display().to_string());
    }
    assert!(index.verify().is_err());
}

#[test]
fn a_newer_format_is_refused_by_its_number_and_a_foreign_file_by_its_beginning() {
    let (_folder, path, mut bytes) = saved();
    bytes[8] = 3;
    assert_eq!(
        refusal(&path, &bytes),
        (
            ErrorKind::Unsupported,
            "the index has format 3; this version reads format 2".to_owned()
        )
    );
    assert_eq!(
        refusal(&path, b"PAR1 and more").1,
        "this is no index of BM25"
    );
}

/// Makes all checksums fit again. The head says its own length; the sections behind it are one page.
fn reseal(bytes: &mut [u8]) {
    let head = u64::from_le_bytes(bytes[12..20].try_into().unwrap()) as usize;
    let page = blake3::hash(&bytes[head..]);
    bytes[head - 64..head - 32].copy_from_slice(page.as_bytes());
    let checksum = blake3::hash(&bytes[..head - 32]);
    bytes[head - 32..head].copy_from_slice(checksum.as_bytes());
}

#[test]
fn checksums_that_fit_do_not_hide_content_that_contradicts_itself() {
    let (_folder, path, bytes) = saved();
    let head = u64::from_le_bytes(bytes[12..20].try_into().unwrap()) as usize;
    for place in (20..head - 64).chain(head..bytes.len()) {
        for value in [0, 1, 0xFF] {
            let mut changed = bytes.clone();
            changed[place] = value;
            reseal(&mut changed);
            fs::write(&path, &changed).unwrap();
            if let Ok(index) = Bm25Index::open(&path) {
                let _ = answers(&index);
                let _ = index.explain("prefix code", 0);
                assert_eq!(index.ids().len(), index.len());
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
