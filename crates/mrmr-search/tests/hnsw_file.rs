//! A graph in a file: what comes back is what was saved, and what does not belong is refused.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use mrmr_core::ErrorKind;
use mrmr_search::{Approximate, HnswIndex, HnswParams, Index, Metric, Vectors};

fn vectors(rows: usize) -> Vectors {
    let numbers = (0..rows * 5).map(|i| ((i * i * 7919 + i * 31) % 211) as f32 - 105.0);
    Vectors::new(5, numbers.collect()).unwrap()
}

fn build(metric: Metric, rows: usize) -> HnswIndex {
    let params = HnswParams {
        m: 2,
        ef_construction: 8,
        ef: 3,
        seed: 5,
    };
    let builder = HnswIndex::builder(metric, vectors(rows)).params(params);
    builder.build(&()).unwrap().0
}

fn saved(rows: usize) -> (tempfile::TempDir, std::path::PathBuf, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index.hnsw");
    build(Metric::Cosine, rows).save(&path).unwrap();
    let bytes = fs::read(&path).unwrap();
    (folder, path, bytes)
}

fn open(path: &Path, rows: usize) -> mrmr_core::Result<HnswIndex> {
    HnswIndex::open(path, Metric::Cosine, vectors(rows), None)
}

fn refusal(path: &Path, bytes: &[u8], rows: usize) -> (ErrorKind, String) {
    fs::write(path, bytes).unwrap();
    let error = open(path, rows).map(|_| ()).unwrap_err();
    assert_eq!(error.place().unwrap().source, path.display().to_string());
    (error.kind(), error.message().to_owned())
}

#[test]
fn an_index_comes_back_from_its_file_to_the_last_bit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("index.hnsw");
    for metric in Metric::ALL {
        for rows in [0, 1, 2, 150] {
            let mut before = build(*metric, rows);
            before.set_effort(7).unwrap();
            before.save(&path).unwrap();
            let ids = (0..rows).map(|row| format!("d{row}")).collect();
            let after = HnswIndex::open(&path, *metric, vectors(rows), Some(ids)).unwrap();
            assert_eq!(after.params(), before.params());
            assert_eq!((after.effort(), after.len()), (7, rows));
            let queries = vectors(9);
            let (found, expected) = (
                after.search(&queries, 1).unwrap(),
                before.search(&queries, 1).unwrap(),
            );
            let bits = |found: &[Vec<mrmr_search::Neighbour>]| {
                let scores = found.iter().flatten().map(|near| near.score.to_bits());
                scores.collect::<Vec<_>>()
            };
            assert_eq!(bits(&found), bits(&expected));
            let first = fs::read(&path).unwrap();
            after.save(&path).unwrap();
            assert_eq!(fs::read(&path).unwrap(), first);
        }
    }
}

#[test]
fn a_file_that_is_cut_short_anywhere_is_refused() {
    let (_folder, path, bytes) = saved(20);
    for end in 0..bytes.len() {
        let (kind, message) = refusal(&path, &bytes[..end], 20);
        assert_eq!(kind, ErrorKind::Format);
        let expected = if end < 8 {
            "this is no index of HNSW"
        } else {
            "cut short"
        };
        assert!(message.contains(expected), "{end}: {message}");
    }
    let longer = [&bytes[..], b"x"].concat();
    assert!(
        refusal(&path, &longer, 20)
            .1
            .contains("has something behind it")
    );
}

#[test]
fn a_file_with_any_byte_changed_is_refused() {
    let (_folder, path, bytes) = saved(20);
    for place in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[place] ^= 1;
        refusal(&path, &changed, 20);
    }
    let mut changed = bytes;
    changed[100] ^= 1;
    assert_eq!(
        refusal(&path, &changed, 20).1,
        "the index was changed after it was written: its checksum is another"
    );
}

#[test]
fn a_newer_format_and_a_foreign_file_are_refused() {
    let (_folder, path, mut bytes) = saved(20);
    bytes[8] = 9;
    assert_eq!(
        refusal(&path, &bytes, 20),
        (
            ErrorKind::Unsupported,
            "the index has format 9; this version reads format 1".to_owned()
        )
    );
    assert_eq!(
        refusal(&path, b"PAR1 and more", 20).1,
        "this is no index of HNSW"
    );
}

#[test]
fn an_index_of_another_metric_or_other_vectors_is_refused() {
    let (_folder, path, _) = saved(20);
    let message = |metric, vectors| {
        let error = HnswIndex::open(&path, metric, vectors, None)
            .map(|_| ())
            .unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Data);
        error.message().to_owned()
    };
    assert_eq!(
        message(Metric::Dot, vectors(20)),
        "the index was built for the metric cosine; expected dot"
    );
    assert_eq!(
        message(Metric::Cosine, vectors(21)),
        "the index was built over 20 vectors of 5 dimensions; there are 21 of 5"
    );
    let turned = Vectors::new(4, vectors(20).as_slice().to_vec()).unwrap();
    assert_eq!(
        message(Metric::Cosine, turned),
        "the index was built over 20 vectors of 5 dimensions; there are 25 of 4"
    );
    let mut numbers = vectors(20).as_slice().to_vec();
    numbers[57] += 1.0;
    assert_eq!(
        message(Metric::Cosine, Vectors::new(5, numbers).unwrap()),
        "the index was built over other vectors: their checksum is another"
    );
}

#[test]
fn a_checksum_that_fits_does_not_hide_content_that_contradicts_itself() {
    let (_folder, path, bytes) = saved(20);
    let end = bytes.len() - 32;
    let mut opened = 0;
    for place in 20..end {
        for value in [0, 19, 0xFF] {
            let mut changed = bytes[..end].to_vec();
            changed[place] = value;
            let checksum = blake3::hash(&changed);
            changed.extend_from_slice(checksum.as_bytes());
            fs::write(&path, &changed).unwrap();
            if let Ok(index) = open(&path, 20) {
                let found = index.search(&vectors(3), 2).unwrap();
                assert!(found.iter().all(|found| found.len() == 2));
                opened += 1;
            }
        }
    }
    assert!(opened > 0);
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let error = open(Path::new("/nowhere/index.hnsw"), 2)
        .map(|_| ())
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert_eq!(error.place().unwrap().source, "/nowhere/index.hnsw");
}
