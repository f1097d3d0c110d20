//! Vectors that are written are read back, by this program and by others.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::path::Path;
use std::process::Command;

use mrmr_formats::multi_vectors::{MultiVectorFile, read_multi_vectors, write_noted_multi_vectors};
use mrmr_formats::vectors::{
    Dtype, VectorFailure, VectorNotes, VectorOptions, VectorsToWrite, read_vector_notes,
    read_vectors, write_vectors,
};

const DIMENSION: usize = 5;

fn data() -> Vec<f32> {
    let number = |at: usize| ((at * 7919) % 251) as f32 / 61.0 - 2.0;
    let mut data: Vec<f32> = (0..7 * DIMENSION).map(number).collect();
    data[2 * DIMENSION..3 * DIMENSION].fill(0.0);
    data
}

fn ids() -> Vec<String> {
    let odd = ["d1", "a \"b\"", "猫", "x,y", "5", " blank ", "d7"];
    odd.map(str::to_owned).to_vec()
}

fn notes(dtype: Dtype) -> VectorNotes {
    VectorNotes {
        model: "some/model".to_owned(),
        role: "document".to_owned(),
        settings: vec![
            ("content".to_owned(), "captions".to_owned()),
            ("prompt".to_owned(), "passage: ".to_owned()),
        ],
        dtype,
        records: 8,
        truncated: 2,
        failures: vec![VectorFailure {
            id: "d8".to_owned(),
            reason: "expected a text, found an image".to_owned(),
        }],
    }
}

fn write(path: &Path, dtype: Dtype) {
    let data = data();
    let vectors = VectorsToWrite {
        dimension: DIMENSION,
        ids: &ids(),
        // Blocks of three rows.
        blocks: &|take| data.chunks(3 * DIMENSION).try_for_each(&mut *take),
        notes: &notes(dtype),
    };
    write_vectors(path, &vectors).unwrap();
}

/// How far a number may be off.
fn allowed(dtype: Dtype, row: &[f32], number: f32) -> f32 {
    let largest = row.iter().fold(0f32, |most, number| most.max(number.abs()));
    match dtype {
        Dtype::F32 => 0.0,
        Dtype::F16 => number.abs() / 2048.0,
        Dtype::Bf16 => number.abs() / 256.0,
        Dtype::Int8 => largest / 127.0 * 0.500_01,
    }
}

const FORMS: &[(&str, &[Dtype])] = &[
    ("x.npy", &[Dtype::F32, Dtype::F16]),
    ("x.parquet", &[Dtype::F32, Dtype::F16]),
    ("x.safetensors", Dtype::ALL),
];

#[test]
fn every_form_and_type_gives_back_vectors_ids_and_notes() {
    let folder = tempfile::tempdir().unwrap();
    let data = data();
    for (name, dtypes) in FORMS {
        for dtype in *dtypes {
            let path = folder.path().join(name);
            write(&path, *dtype);
            let bytes = std::fs::read(&path).unwrap();
            write(&path, *dtype);
            assert_eq!(bytes, std::fs::read(&path).unwrap(), "{name} {dtype}");

            let back = read_vectors(&path, &VectorOptions::default()).unwrap();
            assert_eq!((back.rows, back.dimension), (7, DIMENSION));
            assert_eq!(back.ids, Some(ids()), "{name} {dtype}");
            assert_eq!(back.zero_rows, [2]);
            for (row, own) in back.data.chunks(DIMENSION).zip(data.chunks(DIMENSION)) {
                for (number, expected) in row.iter().zip(own) {
                    let off = (number - expected).abs();
                    assert!(
                        off <= allowed(*dtype, own, *expected),
                        "{name} {dtype}: {number} {expected}"
                    );
                }
            }
            let found = read_vector_notes(&path).unwrap().unwrap();
            assert_eq!(found, notes(*dtype));
            assert!(!found.is_complete());
        }
    }
}

#[test]
fn a_form_without_a_type_says_which_has_it() {
    let folder = tempfile::tempdir().unwrap();
    for (name, dtype) in [("x.npy", Dtype::Bf16), ("x.parquet", Dtype::Int8)] {
        let vectors = VectorsToWrite {
            dimension: 1,
            ids: &[],
            blocks: &|_| Ok(()),
            notes: &notes(dtype),
        };
        let error = write_vectors(&folder.path().join(name), &vectors).unwrap_err();
        assert!(error.message().contains("holds f32 or f16"), "{error}");
        assert!(error.hints()[0].contains(".safetensors"));
    }
    let vectors = VectorsToWrite {
        dimension: 1,
        ids: &[],
        blocks: &|_| Ok(()),
        notes: &notes(Dtype::F32),
    };
    let error = write_vectors(Path::new("x.txt"), &vectors).unwrap_err();
    assert!(
        error
            .message()
            .contains("expected .safetensors, .parquet or .npy")
    );
}

#[test]
fn rows_that_are_not_as_many_as_the_ids_leave_no_file() {
    let folder = tempfile::tempdir().unwrap();
    for (name, _) in FORMS {
        let path = folder.path().join(name);
        for data in [&[1.0f32, 2.0, 3.0, 4.0][..], &[1.0], &[1.0, 2.0, 3.0]] {
            let vectors = VectorsToWrite {
                dimension: 2,
                ids: &["d1".to_owned()],
                blocks: &|take| take(data),
                notes: &notes(Dtype::F32),
            };
            assert!(write_vectors(&path, &vectors).is_err(), "{name} {data:?}");
            assert!(!path.exists());
        }
    }
}

#[test]
fn the_ids_beside_a_npy_file_must_be_those_of_its_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.npy");
    write(&path, Dtype::F32);
    let beside = folder.path().join("x.npy.json");
    let text = std::fs::read_to_string(&beside).unwrap();
    std::fs::write(&beside, text.replace("\"d1\",", "")).unwrap();
    let error = read_vectors(&path, &VectorOptions::default()).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("each of the 7 vectors, found 6 ids"),
        "{error}"
    );
    // As many rows, other numbers: the array was written anew.
    std::fs::write(&beside, text).unwrap();
    let mut bytes = std::fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let error = read_vectors(&path, &VectorOptions::default()).unwrap_err();
    assert!(error.to_string().contains("another array"), "{error}");
    // A file of somebody else is none of ours.
    std::fs::write(&beside, "{\"ids\": 3}").unwrap();
    assert_eq!(
        read_vectors(&path, &VectorOptions::default()).unwrap().ids,
        None
    );
    assert_eq!(read_vector_notes(&path).unwrap(), None);
}

#[test]
fn items_of_many_vectors_keep_their_notes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.safetensors");
    let items = MultiVectorFile {
        dimension: 2,
        data: vec![1.0, 0.0, 0.6, 0.8, 0.0, 1.0],
        offsets: vec![0, 2, 3],
        padding: 0,
        ids: Some(vec!["d1".into(), "d2".into()]),
    };
    write_noted_multi_vectors(&path, &items, &notes(Dtype::F32)).unwrap();
    assert_eq!(
        read_multi_vectors(&path, &VectorOptions::default()).unwrap(),
        items
    );
    assert_eq!(read_vector_notes(&path).unwrap(), Some(notes(Dtype::F32)));
    // As vectors of their own they have no ids.
    let rows = read_vectors(&path, &VectorOptions::default()).unwrap();
    assert_eq!((rows.rows, rows.ids), (3, None));
}

/// Runs a program of Python; none where what it needs is not installed.
fn python(folder: &Path, needs: &str, program: &str) -> Option<String> {
    let has = Command::new("python3").args(["-c", needs]).output();
    if !has.is_ok_and(|output| output.status.success()) {
        println!("skipped: {needs} does not work here");
        return None;
    }
    let output = Command::new("python3")
        .args(["-c", program])
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Some(String::from_utf8(output.stdout).unwrap())
}

fn expected() -> String {
    let rows: Vec<String> = data()
        .iter()
        .map(|number| format!("{:.4}", f64::from(*number)))
        .collect();
    rows.join(" ")
}

const PRINT: &str = "print(' '.join('%.4f' % x for x in array.reshape(-1)), end='')";

#[test]
fn numpy_reads_npy() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("x.npy"), Dtype::F32);
    let program =
        format!("import numpy\narray = numpy.load('x.npy')\nassert array.shape == (7, 5)\n{PRINT}");
    if let Some(found) = python(folder.path(), "import numpy", &program) {
        assert_eq!(found, expected());
    }
}

#[test]
fn safetensors_reads_safetensors() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("x.safetensors"), Dtype::F32);
    write(&folder.path().join("y.safetensors"), Dtype::Int8);
    let program = format!(
        "import json, numpy\nfrom safetensors import safe_open\nfrom safetensors.numpy import load_file\n\
         array = load_file('x.safetensors')['vectors']\n\
         both = load_file('y.safetensors')\n\
         again = both['vectors'] * both['scales'][:, None]\n\
         assert abs(again - array).max() < 0.02, again\n\
         ids = json.loads(safe_open('y.safetensors', 'np').metadata()['ids'])\n\
         assert ids[2] == '猫'\n{PRINT}"
    );
    let needs = "import numpy, safetensors.numpy";
    if let Some(found) = python(folder.path(), needs, &program) {
        assert_eq!(found, expected());
    }
}

#[test]
fn pyarrow_reads_parquet() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join("x.parquet"), Dtype::F32);
    write(&folder.path().join("y.parquet"), Dtype::F16);
    let program = format!(
        "import numpy, pyarrow.parquet\n\
         half = pyarrow.parquet.read_table('y.parquet')\n\
         assert half.schema.field('vector').type.value_type == 'halffloat', half.schema\n\
         table = pyarrow.parquet.read_table('x.parquet')\n\
         assert table['id'].to_pylist()[2] == '猫'\n\
         assert b'mrmr' in table.schema.metadata\n\
         array = numpy.array(table['vector'].to_pylist())\n{PRINT}"
    );
    if let Some(found) = python(folder.path(), "import numpy, pyarrow.parquet", &program) {
        assert_eq!(found, expected());
    }
}
