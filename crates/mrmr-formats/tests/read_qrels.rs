//! Reading judgements: formats, grades, errors.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use mrmr_core::{Error, Interned, Qrels};
use mrmr_formats::qrels::{QrelsFileNotes, QrelsOptions, read_qrels};
use mrmr_formats::{Format, Input};

fn read(name: &str, text: impl AsRef<[u8]>) -> Result<(Qrels, QrelsFileNotes), Error> {
    read_qrels(
        &Input::memory(name, text.as_ref()),
        &QrelsOptions::default(),
    )
}

fn rows(qrels: &Qrels) -> Vec<(&str, &str, f64)> {
    let mut rows = Vec::new();
    for query in qrels.queries().keys() {
        for judgement in qrels.judgements(query) {
            let document = qrels.documents().name(judgement.document);
            rows.push((qrels.queries().name(query), document, judgement.grade));
        }
    }
    rows
}

fn error(name: &str, text: impl AsRef<[u8]>) -> String {
    let error = read(name, text).unwrap_err();
    let mut told = error.to_string();
    for hint in error.hints() {
        told.push_str("\nhint: ");
        told.push_str(hint);
    }
    told
}

fn fixture(name: &str) -> Input {
    Input::path(
        PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("tests/fixtures/runs")
            .join(name),
    )
}

#[test]
fn every_format_of_the_same_judgements_reads_alike() {
    for (text, format) in [
        ("q1 0 a 1\nq1 0 b 0.5\nq2 0 a -1\n", Format::Trec),
        ("q1\t0\ta\t1\nq1\t0\tb\t0.5\nq2\t0\ta\t-1\n", Format::Trec),
        ("q1\ta\t1.0\nq1\tb\t.5\nq2\ta\t-1\n", Format::Msmarco),
        ("q1 0 a 1 3\nq1 0 b 0.5 3\nq2 0 a -1 3\n", Format::Mbeir),
        (
            "query-id\tcorpus-id\tscore\nq1\ta\t1\nq1\tb\t0.5\nq2\ta\t-1\n",
            Format::Tsv,
        ),
        (
            "topic iter docno rel\nq1 0 a 1\nq1 0 b 0.5\nq2 0 a -1\n",
            Format::Tsv,
        ),
        (
            "Query,Doc,Label,note\nq1,a,1,\"x,y\"\nq1,b,0.5,\nq2,a,-1,\n",
            Format::Csv,
        ),
        (
            "{\"q1\": {\"a\": 1, \"b\": 0.5}, \"q2\": {\"a\": -1}}",
            Format::Json,
        ),
        (
            "[{\"q1\": {\"a\": 1, \"b\": 0.5}, \"q2\": {\"a\": -1}}]",
            Format::Json,
        ),
        (
            "{\"query_id\": \"q1\", \"pid\": \"a\", \"grade\": 1}\n{\"query_id\": \"q1\", \"pid\": \"b\", \"grade\": 0.5}\n\
             {\"query_id\": \"q2\", \"pid\": \"a\", \"relevance\": -1}\n",
            Format::Jsonl,
        ),
    ] {
        let (qrels, notes) = read("qrels.tsv", text).unwrap();
        assert_eq!(
            rows(&qrels),
            [("q1", "a", 1.0), ("q1", "b", 0.5), ("q2", "a", -1.0)],
            "{text}"
        );
        assert_eq!(notes.file.format, Some(format), "{text}");
    }
}

#[test]
fn parquet_ids_may_be_integers_and_dictionaries() {
    let (qrels, notes) = read_qrels(&fixture("qrels.parquet"), &QrelsOptions::default()).unwrap();
    assert_eq!(
        rows(&qrels),
        [("7", "a", 1.0), ("7", "b c", 0.5), ("8", "a", 2.0)]
    );
    assert_eq!(notes.file.format, Some(Format::Parquet));
}

#[test]
fn tabs_crlf_a_blank_line_and_a_missing_last_newline_are_read_alike() {
    let (qrels, notes) = read(
        "qrels",
        "q1\t0\tIPCC_report,_1992\t1\r\n\r\nq1\t0\ta \"b\" |\t2",
    )
    .unwrap();
    assert_eq!(
        rows(&qrels),
        [("q1", "IPCC_report,_1992", 1.0), ("q1", "a \"b\" |", 2.0)]
    );
    assert_eq!((notes.file.lines, notes.file.blank_lines), (3, 1));
}

#[test]
fn no_judgement_at_all_is_an_error() {
    for text in [
        "",
        "\n\n",
        "# nothing\n",
        "{}",
        "{\"q\": {}}",
        "query-id\tcorpus-id\tscore\n",
    ] {
        assert_eq!(error("qrels.txt", text), "qrels.txt: no judgements");
    }
}

#[test]
fn a_query_without_judgements_is_left_out_and_named() {
    let (qrels, notes) = read("qrels", "{\"q1\": {\"a\": 1}, \"q2\": {}}").unwrap();
    assert_eq!(qrels.queries().len(), 1);
    assert_eq!(notes.empty_queries, ["q2"]);
}

#[test]
fn identical_rows_are_counted_and_different_grades_are_an_error() {
    let (qrels, notes) = read("qrels", "q 0 a 1\nq 0 a 1.0\n").unwrap();
    assert_eq!((qrels.len(), notes.identical_rows), (1, 1));
    assert_eq!(
        error("qrels.txt", "q 0 a 1\nq 0 a 2\n"),
        "qrels.txt:2: query 'q', document 'a': grade 2 here, but 1 at line 1; one pair has one grade"
    );
}

fn by_subtopic(qrels: &Qrels) -> Vec<(&str, &str, &str, f64)> {
    let names: Vec<&str> = qrels.subtopics().map(|(_, name)| name).collect();
    let mut rows = Vec::new();
    for query in qrels.queries().keys() {
        for (at, judgement) in qrels.judgements(query).iter().enumerate() {
            let document = qrels.documents().name(judgement.document);
            for grade in qrels.subtopic_grades(query, at) {
                let subtopic = names[grade.subtopic.index()];
                rows.push((qrels.queries().name(query), subtopic, document, grade.grade));
            }
        }
    }
    rows
}

#[test]
fn the_second_column_of_trec_lines_names_the_subtopic() {
    let (qrels, notes) = read("qrels", "1 2 a 1\n1 1 a 2\n1 1 b 0\n1 1 a 2\n").unwrap();
    assert_eq!(rows(&qrels), [("1", "a", 2.0), ("1", "b", 0.0)]);
    assert_eq!(
        by_subtopic(&qrels),
        [
            ("1", "1", "a", 2.0),
            ("1", "2", "a", 1.0),
            ("1", "1", "b", 0.0)
        ]
    );
    assert_eq!(notes.identical_rows, 1);
    assert_eq!(
        error("qrels.txt", "1 1 a 1\n1 2 a 1\n1 1 a 2\n"),
        "qrels.txt:3: query '1', document 'a', subtopic '1': grade 2 here, but 1 at line 1; one pair has one grade a subtopic"
    );
    let prefixed = "query-test-1 x corpus-test-a 1\nquery-test-1 y corpus-test-a 2\n";
    assert_eq!(
        by_subtopic(&read("qrels", prefixed).unwrap().0),
        [("1", "x", "a", 1.0), ("1", "y", "a", 2.0)]
    );
}

#[test]
fn one_value_in_the_second_column_is_no_subtopic() {
    for text in [
        "1 Q0 a 1\n2 Q0 a 1\n",
        "1 a 1\n2 a 1\n",
        "1 0 a 1 5\n1 1 b 1 5\n",
    ] {
        assert!(!read("qrels", text).unwrap().0.has_subtopics(), "{text}");
    }
}

#[test]
fn a_grade_is_a_finite_decimal_number() {
    let with = |grade: &str| error("qrels.txt", format!("q 0 a 1\nq 0 b 1\nq 0 c {grade}\n"));
    assert_eq!(
        with("0,9"),
        "qrels.txt:3: expected a grade, found \"0,9\"\nhint: a decimal comma? write 0.9"
    );
    for grade in ["inf", "0x1", "1x", "abc"] {
        assert_eq!(
            with(grade),
            format!("qrels.txt:3: expected a grade, found \"{grade}\"")
        );
    }
    assert_eq!(
        rows(&read("qrels", "q 0 c +1\n").unwrap().0),
        [("q", "c", 1.0)]
    );
    assert_eq!(
        error("qrels.json", "{\"q\": {\"a\": \"1\"}}"),
        "qrels.json: q / a: expected a number as grade of document 'a' of query 'q', found \"1\""
    );
}

#[test]
fn a_table_without_grades_is_an_error() {
    assert_eq!(
        error("qrels.tsv", "query-id\tcorpus-id\nq\td\n"),
        "qrels.tsv:1: no column for the grade; found query-id, corpus-id; \
         expected one of score, grade, relevance, rel, label"
    );
}

#[test]
fn the_first_line_says_how_many_fields_there_are() {
    assert_eq!(
        error("qrels.txt", "q 0 a 1\nq b 1\n"),
        "qrels.txt:2: expected 4 fields, found 3: \"q b 1\"\n\
         hint: TREC judgements have: query iteration document grade"
    );
    assert_eq!(
        error("qrels.txt", "q Q0 a 1 2.5 bm25\n"),
        "qrels.txt:1: expected 4 fields, found 6: \"q Q0 a 1 2.5 bm25\"\n\
         hint: TREC judgements have: query iteration document grade\n\
         hint: six fields are those of a run; are the two files swapped?"
    );
}

#[test]
fn the_prefixes_of_prediction_files_are_taken_off() {
    let (qrels, notes) = read("qrels", "query-test-1 0 corpus-test-1_1 1\n").unwrap();
    assert_eq!(rows(&qrels), [("1", "1_1", 1.0)]);
    assert!(notes.file.prefixes_stripped);
}

#[test]
fn a_missing_file_is_named_with_what_may_have_been_meant() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("qrels.tsv");
    std::fs::write(&path, "q a 1\n").unwrap();
    let missing = folder.path().join("qrel.tsv");
    let error = read_qrels(&Input::path(&missing), &QrelsOptions::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "{}: No such file or directory (os error 2)",
            missing.display()
        )
    );
    assert_eq!(
        error.hints(),
        [format!("did you mean '{}'?", path.display())]
    );
    let nowhere = folder.path().join("no/qrels.tsv");
    let error = read_qrels(&Input::path(&nowhere), &QrelsOptions::default()).unwrap_err();
    let gone = folder.path().join("no");
    assert_eq!(
        error.hints(),
        [format!("the folder '{}' does not exist", gone.display())]
    );
}

#[test]
fn a_folder_is_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let error = read_qrels(&Input::path(folder.path()), &QrelsOptions::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "{}: expected a file, found a folder",
            folder.path().display()
        )
    );
}
