//! Multi-vectors as NumPy, safetensors and Arrow write them.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use mrmr_formats::input::Input;
use mrmr_formats::multi_vectors::{
    MultiVectorFile, read_item_ids, read_multi_vectors, write_multi_vectors,
};
use mrmr_formats::vectors::VectorOptions;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/multi_vectors")
        .join(name)
}

fn read(name: &str) -> MultiVectorFile {
    read_multi_vectors(fixture(name), &VectorOptions::default()).unwrap()
}

/// What every file holds, see make.py.
fn expected(with_ids: bool) -> MultiVectorFile {
    MultiVectorFile {
        dimension: 2,
        data: vec![1.0, -2.5, 0.5, 0.25, 3.0, 4.0, 0.0, 0.0, -1.0, 0.125],
        offsets: vec![0, 2, 2, 5],
        padding: 0,
        ids: with_ids.then(|| ["a", "b", "c"].map(String::from).to_vec()),
    }
}

#[test]
fn every_layout_and_float_type_reads_the_same() {
    for name in ["f2", "f4", "f8", "fortran"] {
        // A zero vector within an item stays; those at its end are padding.
        let padded = MultiVectorFile {
            padding: 7,
            ..expected(false)
        };
        assert_eq!(read(&format!("{name}.npy")), padded, "{name}");
    }
    for name in [
        "float16",
        "float32",
        "float64",
        "bfloat16",
        "starts-u32",
        "lengths-i32",
    ] {
        assert_eq!(
            read(&format!("{name}.safetensors")),
            expected(false),
            "{name}"
        );
    }
    assert_eq!(read("ids.safetensors"), expected(true));
    for name in [
        "list-f16",
        "list-f32",
        "list-f64",
        "fixed-f16",
        "fixed-f32",
        "fixed-f64",
    ] {
        assert_eq!(read(&format!("{name}.parquet")), expected(true), "{name}");
    }
}

#[test]
fn a_tensor_and_columns_may_be_named() {
    let named = |name: &str, id_column: Option<&str>| VectorOptions {
        name: Some(name.to_owned()),
        id_column: id_column.map(str::to_owned),
    };
    let file = read_multi_vectors(fixture("named.safetensors"), &named("tokens", None)).unwrap();
    assert_eq!(file, expected(false));
    let options = named("vectors", Some("id"));
    let file = read_multi_vectors(fixture("list-f32.parquet"), &options).unwrap();
    assert_eq!(file, expected(true));
    let same = named("vectors", Some("text"));
    assert!(read_multi_vectors(fixture("list-f32.parquet"), &same).is_err());
    assert!(read_multi_vectors(fixture("f4.npy"), &named("x", None)).is_err());
}

#[test]
fn what_contradicts_itself_is_refused_with_its_place() {
    for (name, message) in [
        (
            "two-axes.npy",
            ": expected three axes, items, vectors and components; found 2: shape (5, 2)",
        ),
        (
            "nan.npy",
            ": row 2: expected finite numbers, found NaN in component 1 of vector 1",
        ),
        (
            "nan.safetensors",
            ": row 1: expected finite numbers, found NaN in component 1 of vector 0",
        ),
        (
            "nan.parquet",
            ": row 1: expected finite numbers, found NaN in component 0 of vector 1",
        ),
        (
            "descending.safetensors",
            ": tensor 'offsets': expected offsets that ascend, found 2 after 3 at item 1",
        ),
        (
            "too-far.safetensors",
            ": tensor 'offsets': expected the number of vectors, 5, as the last offset; found 7",
        ),
        (
            "too-few.safetensors",
            ": tensor 'lengths': expected the number of vectors, 5, as the last offset; found 4",
        ),
        (
            "negative.safetensors",
            ": tensor 'lengths': expected whole numbers from 0, found -1 at item 1",
        ),
        (
            "no-offsets.safetensors",
            ": expected a tensor 'offsets' or 'lengths'; found vectors",
        ),
        (
            "few-ids.safetensors",
            ": metadata 'ids': expected an id for each of the 3 items, found 2",
        ),
        (
            "null-item.parquet",
            ": row 1: column 'vectors': expected a list of vectors, found null",
        ),
        (
            "null-vector.parquet",
            ": row 1: column 'vectors': expected vector 0, found null",
        ),
        (
            "other-dimension.parquet",
            ": row 1: column 'vectors': expected vectors of 2 numbers, as the first has; found 3 in vector 0",
        ),
        (
            "flat.parquet",
            ": expected a column of lists of lists of floats; found the columns id, text, vectors",
        ),
    ] {
        let path = fixture(name);
        let error = read_multi_vectors(&path, &VectorOptions::default()).unwrap_err();
        assert_eq!(error.to_string(), format!("{}{message}", path.display()));
    }
    for name in ["same-ids.safetensors", "same-ids.parquet"] {
        let error = read_multi_vectors(fixture(name), &VectorOptions::default()).unwrap_err();
        assert!(
            error.to_string().contains("id 'a' is there already"),
            "{error}"
        );
    }
}

#[test]
fn a_file_that_is_cut_off_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["f4.npy", "float32.safetensors", "ids.safetensors"] {
        let bytes = std::fs::read(fixture(name)).unwrap();
        let path = folder.path().join(name);
        for length in [0, 5, 8, 12, bytes.len() - 1] {
            std::fs::write(&path, &bytes[..length]).unwrap();
            assert!(
                read_multi_vectors(&path, &VectorOptions::default()).is_err(),
                "{name}: {length}"
            );
        }
    }
    assert!(read_multi_vectors(folder.path(), &VectorOptions::default()).is_err());
}

#[test]
fn what_is_written_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let asked = std::env::var_os("MRMR_WRITTEN").map(PathBuf::from);
    let path = asked.unwrap_or_else(|| folder.path().join("written.safetensors"));
    for with_ids in [false, true] {
        write_multi_vectors(&path, &expected(with_ids)).unwrap();
        let read = read_multi_vectors(&path, &VectorOptions::default()).unwrap();
        assert_eq!(read, expected(with_ids));
    }
    let wrong = MultiVectorFile {
        offsets: vec![0, 2],
        ..expected(false)
    };
    assert!(write_multi_vectors(&path, &wrong).is_err());
    // What was there stays.
    let read = read_multi_vectors(&path, &VectorOptions::default()).unwrap();
    assert_eq!(read, expected(true));
}

#[test]
fn ids_may_stand_in_a_file_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ids.txt");
    std::fs::write(&path, "a\nb\nc\n").unwrap();
    let ids = |path: &Path| read_item_ids(&Input::path(path), &expected(false));
    assert_eq!(ids(&path).unwrap(), ["a", "b", "c"]);
    std::fs::write(&path, "a\nb\n").unwrap();
    assert!(
        ids(&path)
            .unwrap_err()
            .to_string()
            .contains("3 items, found 2 ids")
    );
}
