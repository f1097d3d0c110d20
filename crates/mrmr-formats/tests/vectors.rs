//! NumPy's files and the ids beside them.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use mrmr_core::Result;
use mrmr_formats::input::Input;
use mrmr_formats::vectors::{VectorBlocks, VectorFile, VectorOptions, read_ids};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/vectors")
        .join(name)
}

fn read(path: &Path) -> Result<VectorFile> {
    mrmr_formats::vectors::read_vectors(path, &VectorOptions::default())
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
        let vectors = read(&fixture(&format!("{name}.npy"))).unwrap();
        let expected = VectorFile {
            rows: 2,
            dimension: 3,
            data: vec![1.0, -2.5, 0.125, 0.0, 0.0, 0.0],
            zero_rows: vec![1],
            ids: None,
        };
        assert_eq!(vectors, expected, "{name}");
    }
    let empty = read(&fixture("empty.npy")).unwrap();
    assert_eq!((empty.rows, empty.dimension), (0, 3));
}

fn message(path: &Path) -> String {
    let error = read(path).unwrap_err().to_string();
    let place = path.display().to_string();
    error.strip_prefix(&place).expect(&error).to_owned()
}

#[test]
fn other_arrays_are_refused() {
    for (name, expected) in [
        (
            "objects",
            ": expected floats of 2, 4 or 8 bytes ('<f2', '<f4', '<f8') or integers of 1 ('|i1', '|u1'), found '|O'",
        ),
        (
            "integers",
            ": expected floats of 2, 4 or 8 bytes ('<f2', '<f4', '<f8') or integers of 1 ('|i1', '|u1'), found '<i8'",
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
        assert!(read(&path).is_err(), "cut at {length}");
    }
}

fn ids(text: &str, rows: usize) -> Result<Vec<String>> {
    let vectors = VectorFile {
        rows,
        dimension: 1,
        data: vec![1.0; rows],
        zero_rows: Vec::new(),
        ids: None,
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

fn numbers(name: &str) -> (VectorFile, Vec<f32>) {
    let vectors = read(&fixture(name)).unwrap();
    assert_eq!((vectors.rows, vectors.dimension), (2, 3), "{name}");
    assert_eq!(vectors.zero_rows, [1], "{name}");
    let first = vectors.row(0).to_vec();
    (vectors, first)
}

#[test]
fn tensors_of_every_type_are_read() {
    for name in ["f16", "bf16", "f32", "f64"] {
        let (vectors, first) = numbers(&format!("{name}.safetensors"));
        assert_eq!(first, [1.0, -2.5, 0.125], "{name}");
        assert_eq!(vectors.ids, None);
    }
    assert_eq!(numbers("i8.safetensors").1, [1.0, -2.0, 127.0]);
}

fn named(file: &str, name: &str) -> Result<VectorFile> {
    let options = VectorOptions {
        name: Some(name.to_owned()),
        ..VectorOptions::default()
    };
    mrmr_formats::vectors::read_vectors(fixture(file), &options)
}

#[test]
fn one_of_several_tensors_or_columns_is_named() {
    let tensor = named("several.safetensors", "b").unwrap();
    assert_eq!(tensor.row(0), [1.0, -2.5, 0.125]);
    let tensor = named("several.safetensors", "a").unwrap();
    assert_eq!(tensor.row(0), [2.0, -5.0, 0.25]);
    let column = named("two-columns.parquet", "other").unwrap();
    assert_eq!(column.row(0), [1.0, -2.5, 0.125]);
    for (file, name, message) in [
        (
            "several.safetensors",
            "c",
            "there is no tensor 'c'; found a, b, bias",
        ),
        (
            "several.safetensors",
            "bias",
            "tensor 'bias': expected two axes, vectors and components; found the shape [3]",
        ),
        (
            "list-f32.parquet",
            "id",
            "column 'id': expected lists of floats, found the type Utf8",
        ),
        (
            "little-f4.npy",
            "x",
            "a file of this kind has no column or tensor to name",
        ),
    ] {
        assert_eq!(named(file, name).unwrap_err().message(), message);
    }
}

#[test]
fn parquets_lists_are_read_with_their_ids() {
    for kind in ["f16", "f32", "f64"] {
        let (vectors, first) = numbers(&format!("list-{kind}.parquet"));
        assert_eq!(first, [1.0, -2.5, 0.125]);
        assert_eq!(vectors.ids.unwrap(), ["a", "b"]);
        let (vectors, first) = numbers(&format!("fixed-{kind}.parquet"));
        assert_eq!(first, [1.0, -2.5, 0.125]);
        assert_eq!(vectors.ids.unwrap(), ["7", "8"]);
    }
    assert_eq!(numbers("no-ids.parquet").0.ids, None);
}

#[test]
fn the_formats_of_texmex_are_read() {
    assert_eq!(numbers("x.fvecs").1, [1.0, -2.5, 0.125]);
    assert_eq!(numbers("x.bvecs").1, [1.0, 2.0, 255.0]);
    assert_eq!(numbers("x.ivecs").1, [1.0, -2.0, 300.0]);
}

#[test]
fn what_is_wrong_with_a_row_names_it() {
    for (name, expected) in [
        (
            "infinite.safetensors",
            ": row 1: expected finite numbers, found inf in component 0",
        ),
        (
            "i32.safetensors",
            ": tensor 'vectors': expected numbers of the type F16, BF16, F32, F64, I8 or U8, found I32",
        ),
        (
            "several.safetensors",
            ": expected one tensor of two axes, found several: a, b, bias",
        ),
        (
            "ragged.parquet",
            ": row 1: column 'embedding': expected a vector of 2 numbers as the first, found 1",
        ),
        (
            "null-vector.parquet",
            ": row 1: column 'embedding': expected a vector, found null",
        ),
        (
            "null-number.parquet",
            ": row 1: column 'embedding': expected a number, found null in component 1",
        ),
        (
            "null-id.parquet",
            ": row 1: column 'id': expected an id, found null",
        ),
        (
            "not-a-number.parquet",
            ": row 1: expected finite numbers, found NaN in component 1",
        ),
        (
            "no-vectors.parquet",
            ": expected a column of lists of floats; found the columns id, text",
        ),
        (
            "two-columns.parquet",
            ": expected one column of lists of floats, found several: embedding, other",
        ),
        (
            "README.md",
            ": expected vectors as .npy, safetensors, Parquet, .fvecs, .bvecs or .ivecs; found none of them",
        ),
    ] {
        assert_eq!(message(&fixture(name)), expected, "{name}");
    }
    let path = fixture("same-id.parquet").display().to_string();
    assert_eq!(
        message(&fixture("same-id.parquet")),
        format!(": row 1: id 'a' is there already ({path}: row 0); one vector a record")
    );
}

#[test]
fn no_file_that_is_cut_off_is_read() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["f32.safetensors", "several.safetensors", "list-f32.parquet"] {
        let whole = std::fs::read(fixture(name)).unwrap();
        let path = folder.path().join(name);
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            assert!(read(&path).is_err(), "{name} cut at {length}");
        }
    }
    let whole = std::fs::read(fixture("x.fvecs")).unwrap();
    let path = folder.path().join("x.fvecs");
    for length in 0..whole.len() {
        std::fs::write(&path, &whole[..length]).unwrap();
        // Between two vectors nothing tells that there were more.
        assert_eq!(read(&path).is_err(), length != 16, "cut at {length}");
    }
    let mut other = whole.clone();
    other[16] = 2;
    std::fs::write(&path, &other).unwrap();
    assert_eq!(
        message(&path),
        ": row 1: expected a vector of 3 numbers as the first, found 2"
    );
}

#[test]
fn a_header_that_lies_is_refused_and_takes_no_memory() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.safetensors");
    let data = [0u8; 24];
    for (entry, part) in [
        (
            r#"{"dtype":"F32","shape":[2,3],"data_offsets":[0,23]}"#,
            "bytes of numbers by the header",
        ),
        (
            r#"{"dtype":"F32","shape":[2,4],"data_offsets":[0,24]}"#,
            "expected 32 bytes for 2 x 4 of F32, found 24",
        ),
        (
            r#"{"dtype":"F32","shape":[2,3],"data_offsets":[24,0]}"#,
            "expected dtype, shape and data_offsets",
        ),
        (
            r#"{"dtype":"F32","shape":[9223372036854775807,3],"data_offsets":[0,24]}"#,
            "expected a size that memory can hold",
        ),
        (
            r#"{"dtype":"F32","shape":[-1,3],"data_offsets":[0,24]}"#,
            "expected dtype, shape and data_offsets",
        ),
        (
            r#"{"dtype":"F32","shape":[2,3],"data_offsets":[0,18446744073709551615]}"#,
            "bytes of numbers by the header",
        ),
        ("7", "expected dtype, shape and data_offsets"),
    ] {
        let header = format!("{{\"v\":{entry}}}");
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend(header.bytes());
        bytes.extend(data);
        std::fs::write(&path, bytes).unwrap();
        let found = message(&path);
        assert!(found.contains(part), "{found}");
    }
    std::fs::write(&path, [&99_999_999u64.to_le_bytes()[..], b"{"].concat()).unwrap();
    let found = message(&path);
    assert!(found.contains("the file ends after 1 of them"), "{found}");
}

#[test]
fn a_number_that_32_bits_would_make_0_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.npy");
    let mut header = "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 2), }".to_owned();
    header += &" ".repeat(63 - (10 + header.len()) % 64);
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.bytes());
    bytes.extend(
        [0.0f64, 1e-50]
            .iter()
            .flat_map(|number| number.to_le_bytes()),
    );
    std::fs::write(&path, bytes).unwrap();
    let options = mrmr_formats::vectors::VectorOptions::default();
    let error = mrmr_formats::vectors::read_vectors(&path, &options).unwrap_err();
    assert!(
        error
            .message()
            .contains("the number 1e-50 is too small for 4 bytes"),
        "{error}"
    );
}

#[test]
fn a_number_of_a_parquet_list_that_32_bits_would_make_0_names_its_row() {
    let options = mrmr_formats::vectors::VectorOptions::default();
    let path = fixture("too-small.parquet");
    let error = mrmr_formats::vectors::read_vectors(&path, &options).unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("row 1: the number 1e-50 is too small for 4 bytes"),
        "{text}"
    );
}

/// What the blocks of a file hold together.
fn in_blocks(path: &Path, options: &VectorOptions, most: usize) -> Result<VectorFile> {
    let mut blocks = VectorBlocks::open(path, options)?;
    let mut whole = VectorFile {
        rows: 0,
        dimension: blocks.shape().dimension,
        data: Vec::new(),
        zero_rows: Vec::new(),
        ids: blocks.has_ids().then(Vec::new),
    };
    while let Some(block) = blocks.next_block(most)? {
        assert!((1..=most).contains(&block.rows));
        assert_eq!(block.first_row, whole.rows);
        assert_eq!(block.dimension, whole.dimension);
        whole.rows += block.rows;
        whole.data.extend(block.data);
        whole.zero_rows.extend(block.zero_rows);
        if let (Some(all), Some(ids)) = (&mut whole.ids, block.ids) {
            all.extend(ids);
        }
    }
    assert_eq!(blocks.next_block(most)?, None);
    Ok(whole)
}

#[test]
fn blocks_of_any_size_hold_what_the_file_holds_and_find_the_same_faults() {
    let folder = tempfile::tempdir().unwrap();
    let mut paths: Vec<PathBuf> = std::fs::read_dir(fixture(""))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    // More rows than a batch of Parquet or a step of the reader has, with two columns of which one is Fortran's.
    let numbers = |count: usize| (0..count).map(|x| (x * 7919 % 1009) as f32);
    let header = |fortran: &str| {
        let text = format!("{{'descr': '<f4', 'fortran_order': {fortran}, 'shape': (9000, 40), }}");
        let mut bytes = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
        bytes.extend(format!("{text:<117}\n").bytes());
        bytes.extend(numbers(360_000).flat_map(f32::to_le_bytes));
        bytes
    };
    for (name, fortran) in [("rows.npy", "False"), ("columns.npy", "True")] {
        paths.push(folder.path().join(name));
        std::fs::write(folder.path().join(name), header(fortran)).unwrap();
    }
    paths.push(folder.path().join("lists.parquet"));
    write_lists(&folder.path().join("lists.parquet"), 9000);
    let (mut good, mut bad) = (0, 0);
    for path in &paths {
        let options = VectorOptions::default();
        let whole = read(path);
        let sizes: &[usize] = match &whole {
            Ok(whole) if whole.rows > 100 => &[997, 4096, 5000, 1 << 30],
            _ => &[1, 2, 3, 100],
        };
        for most in sizes {
            match (&whole, in_blocks(path, &options, *most)) {
                (Ok(whole), Ok(blocks)) => {
                    assert!(*whole == blocks, "{} by {most}", path.display());
                    good += 1;
                }
                (Err(whole), Err(blocks)) => {
                    assert_eq!(whole.to_string(), blocks.to_string());
                    bad += 1;
                }
                (whole, blocks) => panic!("{}: {whole:?}, {blocks:?}", path.display()),
            }
        }
    }
    assert!(good > 60 && bad > 40, "{good} {bad}");
}

/// A table of lists of 8-bit integers and 16-bit floats.
fn write_lists(path: &Path, rows: usize) {
    use arrow_array::builder::{FixedSizeListBuilder, Float32Builder, Int8Builder, ListBuilder};
    use arrow_array::{ArrayRef, RecordBatch};
    use std::sync::Arc;

    let mut floats = FixedSizeListBuilder::new(Float32Builder::new(), 3);
    let mut integers = ListBuilder::new(Int8Builder::new());
    for row in 0..rows {
        for column in 0..3 {
            floats
                .values()
                .append_value((row * 3 + column) as f32 / 8.0);
            integers.values().append_value((row + column) as u8 as i8);
        }
        floats.append(true);
        integers.append(true);
    }
    let columns: [(&str, ArrayRef); 2] = [
        ("embedding", Arc::new(floats.finish())),
        ("int8", Arc::new(integers.finish())),
    ];
    let rows = RecordBatch::try_from_iter(columns).unwrap();
    let file = std::fs::File::create(path).unwrap();
    let mut writer = parquet::arrow::ArrowWriter::try_new(file, rows.schema(), None).unwrap();
    writer.write(&rows).unwrap();
    writer.close().unwrap();
}

#[test]
fn integers_of_one_byte_are_vectors_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.npy");
    for (descr, expected) in [
        ("|i1", [1.0, -2.0, 127.0, -128.0]),
        ("<i1", [1.0, -2.0, 127.0, -128.0]),
        ("|u1", [1.0, 254.0, 127.0, 128.0]),
    ] {
        let text = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': (2, 2), }}");
        let mut bytes = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
        bytes.extend(format!("{text:<117}\n").bytes());
        bytes.extend([1i8, -2, 127, -128].map(|x| x as u8));
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(read(&path).unwrap().data, expected, "{descr}");
    }
    let path = folder.path().join("lists.parquet");
    write_lists(&path, 300);
    let options = VectorOptions {
        name: Some("int8".to_owned()),
        ..VectorOptions::default()
    };
    let integers = mrmr_formats::vectors::read_vectors(&path, &options).unwrap();
    assert_eq!(integers.row(127), [127.0, -128.0, -127.0]);
    assert_eq!(read(&path).unwrap().row(1), [0.375, 0.5, 0.625]);
}

#[test]
fn numbers_that_lose_digits_are_counted_in_any_order() {
    use mrmr_formats::vectors::VectorBlocks;
    let folder = tempfile::tempdir().unwrap();
    for (order, rounded) in [("False", 2), ("True", 2)] {
        let header = format!("{{'descr': '<f8', 'fortran_order': {order}, 'shape': (3, 2), }}");
        let mut bytes = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
        bytes.extend(format!("{header:<117}\n").bytes());
        for number in [0.1f64, 1.0, 0.5, 2.0, 0.2, 1e6] {
            bytes.extend(number.to_le_bytes());
        }
        let path = folder.path().join("wide.npy");
        std::fs::write(&path, bytes).unwrap();
        let mut blocks = VectorBlocks::open(&path, &VectorOptions::default()).unwrap();
        while blocks.next_block(1).unwrap().is_some() {}
        assert_eq!(blocks.rounded(), rounded, "{order}");
    }
    for file in ["little-f2.npy", "little-f8.npy", "list-f64.parquet"] {
        let mut blocks = VectorBlocks::open(fixture(file), &VectorOptions::default()).unwrap();
        while blocks.next_block(1).unwrap().is_some() {}
        assert_eq!(blocks.rounded(), 0, "{file}");
    }
}
