//! NumPy's files and the ids beside them.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use mrmr_core::Result;
use mrmr_formats::input::Input;
use mrmr_formats::vectors::{VectorFile, read_ids, read_vectors};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/vectors")
        .join(name)
}

#[test]
fn every_float_type_byte_order_axis_order_and_version_reads_the_same() {
    for name in [
        "little-f2",
        "little-f4",
        "little-f8",
        "big-f4",
        "big-f8",
        "fortran",
        "version-2",
        "version-3",
    ] {
        let vectors = read_vectors(fixture(&format!("{name}.npy"))).unwrap();
        let expected = VectorFile {
            rows: 2,
            dimension: 3,
            data: vec![1.0, -2.5, 0.125, 0.0, 0.0, 0.0],
            zero_rows: vec![1],
        };
        assert_eq!(vectors, expected, "{name}");
    }
    let empty = read_vectors(fixture("empty.npy")).unwrap();
    assert_eq!((empty.rows, empty.dimension), (0, 3));
}

fn message(path: &Path) -> String {
    let error = read_vectors(path).unwrap_err().to_string();
    let place = path.display().to_string();
    error.strip_prefix(&place).expect(&error).to_owned()
}

#[test]
fn other_arrays_are_refused() {
    for (name, expected) in [
        (
            "objects",
            ": expected floats of 2, 4 or 8 bytes ('<f2', '<f4', '<f8'), found '|O'",
        ),
        (
            "integers",
            ": expected floats of 2, 4 or 8 bytes ('<f2', '<f4', '<f8'), found '<i8'",
        ),
        (
            "one-axis",
            ": expected two axes, vectors and components; found 1: shape (3)",
        ),
        (
            "nan",
            ": row 1: expected finite numbers, found NaN in component 1",
        ),
        (
            "too-large",
            ": row 0: expected finite numbers, found inf in component 0",
        ),
    ] {
        assert_eq!(
            message(&fixture(&format!("{name}.npy"))),
            expected,
            "{name}"
        );
    }
}

#[test]
fn a_file_of_another_size_says_how_many_bytes_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cut.npy");
    let whole = std::fs::read(fixture("little-f4.npy")).unwrap();
    std::fs::write(&path, &whole[..whole.len() - 5]).unwrap();
    assert_eq!(
        message(&path),
        ": expected 24 bytes of numbers (6 of '<f4'), found 19"
    );
    std::fs::write(&path, [&whole[..], b"x"].concat()).unwrap();
    assert_eq!(
        message(&path),
        ": expected 24 bytes of numbers (6 of '<f4'), found more"
    );
    std::fs::write(&path, &whole[..50]).unwrap();
    assert_eq!(
        message(&path),
        ": expected a whole header, 118 bytes; the file ends after 40 of them"
    );
    std::fs::write(&path, b"PK\x03\x04 and more").unwrap();
    assert_eq!(
        message(&path),
        ": expected a .npy file, which starts with \\x93NUMPY"
    );
    for length in 0..whole.len() {
        std::fs::write(&path, &whole[..length]).unwrap();
        assert!(read_vectors(&path).is_err(), "cut at {length}");
    }
}

fn ids(text: &str, rows: usize) -> Result<Vec<String>> {
    let vectors = VectorFile {
        rows,
        dimension: 1,
        data: vec![1.0; rows],
        zero_rows: Vec::new(),
    };
    read_ids(&Input::memory("ids.txt", text.as_bytes()), &vectors)
}

#[test]
fn ids_stand_one_a_line_or_in_a_json_list() {
    assert_eq!(ids("a\nb c\r\n\n7", 3).unwrap(), ["a", "b c", "7"]);
    assert_eq!(ids("[\"a\", 7]", 2).unwrap(), ["a", "7"]);
    assert!(ids("", 0).unwrap().is_empty());
}

#[test]
fn ids_that_do_not_fit_the_vectors_are_an_error() {
    for (text, message) in [
        (
            "a\nb\n",
            "ids.txt: expected an id for each of the 3 vectors, found 2 ids",
        ),
        (
            "a\nb\na\n",
            "ids.txt:3: id 'a' is there already (ids.txt:1); one vector a record",
        ),
        (
            "[\"a\", \"b\", null]",
            "ids.txt: entry 2: expected an id, a text or an integer; found null",
        ),
        (
            "[\"a\",",
            "ids.txt:1: expected a JSON list of ids: EOF while parsing a value at line 1 column 5",
        ),
    ] {
        assert_eq!(ids(text, 3).unwrap_err().to_string(), message);
    }
}
