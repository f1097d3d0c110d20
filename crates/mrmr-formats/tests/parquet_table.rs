//! Tables of named columns: types, nulls, missing columns, damaged files.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use arrow_array::builder::{Int32Builder, ListBuilder, StringBuilder};
use arrow_array::{
    ArrayRef, BinaryArray, BooleanArray, Decimal128Array, Float16Array, Float32Array, Int64Array,
    NullArray, RecordBatch, StringArray, UInt8Array,
};
use mrmr_formats::parquet_table::{ColumnKind, Table, Want};
use parquet::arrow::ArrowWriter;

fn table(columns: Vec<(&str, ArrayRef)>) -> Table {
    Table::from_bytes("table.parquet", file(columns)).unwrap()
}

fn file(columns: Vec<(&str, ArrayRef)>) -> Vec<u8> {
    let batch =
        RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(n, c)| (n, c, true)))
            .unwrap();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.into_inner().unwrap()
}

fn texts(table: &Table, column: &str) -> Vec<Option<String>> {
    let mut texts = Vec::new();
    for batch in table.read(&[Want::Text(column)]).unwrap() {
        let batch = batch.unwrap();
        texts.extend((0..batch.rows()).map(|row| batch.text(0, row).map(str::to_owned)));
    }
    texts
}

fn numbers(table: &Table, column: &str) -> Vec<Option<f64>> {
    let mut numbers = Vec::new();
    for batch in table.read(&[Want::Number(column)]).unwrap() {
        let batch = batch.unwrap();
        numbers.extend((0..batch.rows()).map(|row| batch.number(0, row)));
    }
    numbers
}

#[test]
fn integers_and_bytes_read_as_text_and_nulls_stay() {
    let table = table(vec![
        ("text", Arc::new(StringArray::from(vec![Some("a"), None]))),
        ("integer", Arc::new(Int64Array::from(vec![None, Some(-12)]))),
        (
            "bytes",
            Arc::new(BinaryArray::from_opt_vec(vec![Some("é".as_bytes()), None])),
        ),
        ("null", Arc::new(NullArray::new(2))),
    ]);
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(texts(&table, "text"), [some("a"), None]);
    assert_eq!(texts(&table, "integer"), [None, some("-12")]);
    assert_eq!(texts(&table, "bytes"), [some("é"), None]);
    assert_eq!(texts(&table, "null"), [None, None]);
    assert_eq!(table.kind("integer"), Some(ColumnKind::Integer));
    assert_eq!(table.kind("nothing"), None);
}

#[test]
fn every_number_type_and_texts_that_are_numbers_read_as_numbers() {
    let half = Float32Array::from(vec![Some(0.5), None]);
    let half = arrow_cast::cast(&half, &arrow_schema::DataType::Float16).unwrap();
    assert!(half.as_any().is::<Float16Array>());
    let decimal = Decimal128Array::from(vec![Some(125), None])
        .with_precision_and_scale(5, 2)
        .unwrap();
    let table = table(vec![
        ("byte", Arc::new(UInt8Array::from(vec![Some(255), None]))),
        ("half", half),
        ("decimal", Arc::new(decimal)),
        (
            "text",
            Arc::new(StringArray::from(vec![Some(" 2.5 "), None])),
        ),
        ("null", Arc::new(NullArray::new(2))),
    ]);
    for (column, value) in [
        ("byte", 255.0),
        ("half", 0.5),
        ("decimal", 1.25),
        ("text", 2.5),
    ] {
        assert_eq!(numbers(&table, column), [Some(value), None], "{column}");
    }
    assert_eq!(numbers(&table, "null"), [None, None]);
}

#[test]
fn lists_keep_the_places_of_their_items() {
    let mut texts = ListBuilder::new(StringBuilder::new());
    texts.append_value([Some("a"), None, Some("c")]);
    texts.append_null();
    texts.append(true);
    let mut integers = ListBuilder::new(Int32Builder::new());
    integers.append_value([Some(1), Some(2)]);
    integers.append_null();
    integers.append_null();
    let table = table(vec![
        ("texts", Arc::new(texts.finish())),
        ("integers", Arc::new(integers.finish())),
    ]);
    let wants = [Want::TextList("integers"), Want::TextList("texts")];
    let batch = table.read(&wants).unwrap().next().unwrap().unwrap();
    assert_eq!(batch.list(1, 0).unwrap(), ["a", "", "c"]);
    assert_eq!(batch.list(1, 1), None);
    assert!(batch.list(1, 2).unwrap().is_empty());
    assert_eq!(batch.list(0, 0).unwrap(), ["1", "2"]);
}

#[test]
fn rows_are_counted_through_all_batches() {
    let rows = 10_000;
    let table = table(vec![("n", Arc::new(Int64Array::from_iter_values(0..rows)))]);
    for wants in [&[][..], &[Want::Number("n"), Want::Text("n")]] {
        let mut seen = 0;
        for batch in table.read(wants).unwrap() {
            let batch = batch.unwrap();
            assert_eq!(batch.first_row(), seen);
            if !wants.is_empty() {
                assert_eq!(batch.number(0, 0), Some(seen as f64));
                assert_eq!(batch.text(1, 0), Some(seen.to_string().as_str()));
            }
            seen += batch.rows() as u64;
        }
        assert_eq!(seen, rows as u64);
    }
}

#[test]
fn a_missing_column_names_those_there_are() {
    let table = table(vec![
        ("query-id", Arc::new(Int64Array::from(vec![1]))),
        ("b", Arc::new(Int64Array::from(vec![1]))),
    ]);
    let error = table.require(&["query_id", "qid"]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "table.parquet: expected a column named 'query_id' or 'qid'; found 'query-id', 'b'"
    );
    assert_eq!(error.hints(), ["rename 'query-id' if it holds that"]);
    assert_eq!(table.find(&["qid", "b"]), Some("b"));
}

fn first_error(table: &Table, want: Want<'_>) -> String {
    match table.read(&[want]) {
        Err(error) => error.to_string(),
        Ok(mut batches) => match batches.next() {
            Some(Err(error)) => {
                assert!(batches.next().is_none());
                error.to_string()
            }
            _ => String::new(),
        },
    }
}

#[test]
fn a_column_of_another_type_or_value_is_named_with_its_row() {
    let table = table(vec![
        ("truth", Arc::new(BooleanArray::from(vec![true, false]))),
        ("float", Arc::new(Float32Array::from(vec![1.0, 2.0]))),
        ("text", Arc::new(StringArray::from(vec!["1", "0,9"]))),
        (
            "bytes",
            Arc::new(BinaryArray::from_vec(vec![b"fine", b"\xff"])),
        ),
    ]);
    for (want, message) in [
        (
            Want::Text("truth"),
            "table.parquet: column 'truth': expected text or integers, found the type Boolean",
        ),
        (
            Want::Text("float"),
            "table.parquet: column 'float': expected text or integers, found the type Float32",
        ),
        (
            Want::TextList("text"),
            "table.parquet: column 'text': expected lists of texts, found the type Utf8",
        ),
        (
            Want::Number("text"),
            "table.parquet: row 1: column 'text': expected a number, found \"0,9\"",
        ),
    ] {
        assert_eq!(first_error(&table, want), message);
    }
    assert_eq!(
        first_error(&table, Want::Text("bytes")),
        "table.parquet: row 1: column 'bytes': expected text in UTF-8: invalid utf-8 sequence of 1 bytes from index 0"
    );
}

#[test]
fn a_file_of_another_kind_is_an_error() {
    for bytes in [&b""[..], b"PAR1", b"query-id\tcorpus-id\tscore\n"] {
        let error = Table::from_bytes("qrels.tsv", bytes.to_vec())
            .err()
            .unwrap()
            .to_string();
        assert!(
            error.starts_with("qrels.tsv: expected a sound Parquet file: "),
            "{error}"
        );
    }
    let whole = file(vec![("n", Arc::new(Int64Array::from(vec![1])))]);
    for length in 0..whole.len() {
        assert!(
            Table::from_bytes("cut", whole[..length].to_vec()).is_err(),
            "cut at {length}"
        );
    }
}
