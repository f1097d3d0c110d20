//! Reading runs: formats, lines, errors.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;

use mrmr_core::{DuplicatePolicy, Error, RankingPolicy, Run};
use mrmr_formats::run::{RankDisagreement, RunFileNotes, RunOptions, read_run};
use mrmr_formats::{Format, Input};

fn read(name: &str, text: impl AsRef<[u8]>) -> Result<(Run, RunFileNotes), Error> {
    read_run(&Input::memory(name, text.as_ref()), &RunOptions::default())
}

fn rows(run: &Run) -> Vec<(String, String, f64)> {
    let mut rows = Vec::new();
    for query in run.queries().keys() {
        for entry in run.entries(query) {
            rows.push((
                run.queries().name(query).to_owned(),
                run.documents().name(entry.document).to_owned(),
                entry.score,
            ));
        }
    }
    rows
}

fn owned(rows: &[(&str, &str, f64)]) -> Vec<(String, String, f64)> {
    let row = |(query, document, score): &(&str, &str, f64)| {
        ((*query).to_owned(), (*document).to_owned(), *score)
    };
    rows.iter().map(row).collect()
}

/// The message and the hints, one a line.
fn error(name: &str, text: impl AsRef<[u8]>) -> String {
    told(&read(name, text).unwrap_err())
}

fn told(error: &Error) -> String {
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

const BM25: [(&str, &str, f64); 3] = [("q1", "d1", 2.5), ("q1", "d2", 1e-3), ("q2", "d1", -4.0)];

#[test]
fn every_format_of_one_run_reads_alike() {
    for (text, format) in [
        (
            "q1 Q0 d1 1 2.5 t\nq1 Q0 d2 2 1e-3 t\nq2 Q0 d1 1 -4 t\n",
            Format::Trec,
        ),
        (
            "q1\tQ0\td1\t1\t2.5\tt\nq1\tQ0\td2\t2\t1e-3\tt\nq2\tQ0\td1\t1\t-4\tt",
            Format::Trec,
        ),
        (
            "q1\tQ0 d1 1 2.5 t\nq1\tQ0 d2 2 1e-3 t\nq2 Q0 d1 1 -4 t",
            Format::Trec,
        ),
        (
            "qid\tdocid\tscore\nq1\td1\t2.5\nq1\td2\t1e-3\nq2\td1\t-4\n",
            Format::Tsv,
        ),
        (
            "Sim;x;DocNo;Query-ID\n2.5;;d1;q1\n1e-3;;d2;q1\n-4;;d1;q2\n",
            Format::Csv,
        ),
        (
            "\"score\",\"qid\",\"docid\"\n2.5,q1,\"d1\"\n1e-3,\"q1\",d2\n-4,q2,d1\n",
            Format::Csv,
        ),
        (
            "{\"q1\": {\"d1\": 2.5, \"d2\": 1e-3},\n\"q2\": {\"d1\": -4}}",
            Format::Json,
        ),
        (
            "[{\"q1\": {\"d1\": 2.5, \"d2\": 1e-3}}, {\"q2\": {\"d1\": -4}}]",
            Format::Json,
        ),
        (
            "{\"q1\": {\"d1\": 2.5, \"d2\": 1e-3}}\n{\"q2\": {\"d1\": -4}}\n",
            Format::Json,
        ),
        (
            "[{\"qid\":\"q1\",\"docid\":\"d1\",\"score\":2.5},{\"qid\":\"q1\",\"docid\":\"d2\",\"score\":1e-3},\
             {\"x\":[1,{\"y\":[]}],\"qid\":\"q2\",\"docid\":\"d1\",\"score\":-4}]",
            Format::Json,
        ),
        (
            "{\"qid\":\"q1\",\"docid\":\"d1\",\"score\":2.5}\n\n{\"qid\":\"q1\",\"docid\":\"d2\",\"score\":1e-3}\n\
             {\"query\":\"a text\",\"qid\":\"q2\",\"docid\":\"d1\",\"score\":-4}",
            Format::Jsonl,
        ),
    ] {
        // The ending of the name says nothing.
        let (run, notes) = read("run.json", text).unwrap();
        assert_eq!(rows(&run), owned(&BM25), "{text}");
        assert_eq!(notes.file.format, Some(format), "{text}");
    }
}

#[test]
fn compression_is_found_by_the_first_bytes() {
    for name in ["run.txt", "run.txt.gz", "run.txt.zst", "members.gz"] {
        let (run, notes) = read_run(&fixture(name), &RunOptions::default()).unwrap();
        assert_eq!(rows(&run), owned(&BM25), "{name}");
        assert_eq!((run.name(), notes.file.lines), ("bm25", 3), "{name}");
    }
}

#[test]
fn a_compressed_file_that_is_cut_off_is_an_error() {
    let error = read_run(&fixture("cut.gz"), &RunOptions::default()).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("cut.gz: the gzip data are broken: "),
        "{error}"
    );
    assert_eq!(
        error.hints(),
        ["the file is cut off; copy or download it again"]
    );
}

#[test]
fn utf_16_is_an_error_that_says_so() {
    let error = read_run(&fixture("utf16.txt"), &RunOptions::default()).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("utf16.txt: the text is UTF-16LE; expected UTF-8"),
        "{error}"
    );
}

#[test]
fn parquet_is_read_from_disk_and_from_a_stream() {
    let expected = owned(&[("7", "a", 0.25), ("7", "b c", 1.5), ("8", "a", -3.0)]);
    let path = fixture("run.parquet");
    let bytes = std::fs::read(path.as_path().unwrap()).unwrap();
    for input in [path, Input::memory("answers", bytes)] {
        let (run, notes) = read_run(&input, &RunOptions::default()).unwrap();
        assert_eq!(rows(&run), expected);
        assert_eq!(notes.file.format, Some(Format::Parquet));
        assert_eq!(notes.rank_disagreements, 1);
    }
}

#[test]
fn parquet_with_ranks_alone_scores_by_them() {
    let (run, notes) = read_run(&fixture("ranks.parquet"), &RunOptions::default()).unwrap();
    assert_eq!(
        rows(&run),
        owned(&[("7", "a", -1.0), ("7", "b c", -2.0), ("8", "a", -1.0)])
    );
    assert!(notes.scores_from_ranks);
    assert_eq!(run.name(), "ranks");
}

#[test]
fn a_wrong_value_in_parquet_names_its_row() {
    let bytes = std::fs::read(fixture("nan.parquet").as_path().unwrap()).unwrap();
    assert_eq!(
        error("nan.parquet", bytes),
        "nan.parquet: row 1: expected a number as score for document 'b c' of query '7', found NaN"
    );
}

#[test]
fn ms_marco_ranks_become_scores() {
    let (run, notes) = read("run.tsv", "q1\td9\t1\nq1\td8\t2\n").unwrap();
    assert_eq!(rows(&run), owned(&[("q1", "d9", -1.0), ("q1", "d8", -2.0)]));
    assert_eq!(notes.file.format, Some(Format::Msmarco));
    assert!(notes.scores_from_ranks);
}

#[test]
fn a_table_with_ranks_alone_scores_by_them() {
    let (run, notes) = read("run.csv", "qid,docid,rank\nq1,d9,1\n").unwrap();
    assert_eq!(rows(&run), owned(&[("q1", "d9", -1.0)]));
    assert!(notes.scores_from_ranks);
}

#[test]
fn infinite_scores_are_an_order_like_any_other() {
    for text in [
        "q Q0 a 1 1e-3 t\nq Q0 b 1 inf t\nq Q0 c 1 -inf t\n",
        "{\"q\": {\"a\": 1e-3, \"b\": Infinity, \"c\": -Infinity}}",
    ] {
        let (run, _) = read("run", text).unwrap();
        let query = run.queries().get("q").unwrap();
        let ranking = run.ranking(query, RankingPolicy::default());
        let names = ranking
            .entries()
            .iter()
            .map(|entry| run.documents().name(entry.document));
        assert_eq!(names.collect::<Vec<_>>(), ["b", "a", "c"]);
    }
}

#[test]
fn an_empty_file_is_an_empty_run() {
    for text in [
        "",
        "\n \t\r\n\n",
        "# made by x\n",
        "{}",
        "[]",
        "{}\n",
        "\u{feff}",
    ] {
        let (run, _) = read("run.txt", text).unwrap();
        assert!(run.is_empty() && run.queries().is_empty(), "{text:?}");
    }
    let (_, notes) = read("run.txt", "# made by x\n\n").unwrap();
    assert_eq!(
        (
            notes.file.comments,
            notes.file.blank_lines,
            notes.file.lines
        ),
        (1, 1, 2)
    );
    assert_eq!(notes.file.format, None);
}

#[test]
fn an_empty_object_is_a_query_with_an_empty_list() {
    let (run, notes) = read("run.json", "{\"q1\": {}, \"q2\": {\"d\": 1}}").unwrap();
    assert_eq!(run.queries().names().collect::<Vec<_>>(), ["q1", "q2"]);
    assert_eq!((run.len(), notes.empty_queries), (1, 1));
}

#[test]
fn a_byte_order_mark_line_ends_and_blank_lines_are_fine() {
    let (run, notes) = read(
        "run",
        "\u{feff}q1 Q0 d1 1 2.5 t\r\n\r\n  q1\tQ0 d2 2 1e-3 t  \r\nq2 Q0 d1 1 -4 t",
    )
    .unwrap();
    assert_eq!(rows(&run), owned(&BM25));
    assert!(notes.file.bom_stripped);
    assert_eq!((notes.file.lines, notes.file.blank_lines), (4, 1));
}

#[test]
fn other_white_space_is_part_of_an_id() {
    let (run, _) = read("run", "q\u{a0}1 Q0 d\u{2003}1 1 2.5 t\n").unwrap();
    assert_eq!(rows(&run), owned(&[("q\u{a0}1", "d\u{2003}1", 2.5)]));
}

#[test]
fn a_file_with_tabs_has_ids_with_spaces() {
    let (run, _) = read(
        "run",
        "q 1\tQ0\ta \"b\" | c\t1\t2.5\tt\nq 1\tQ0\td\t2\t 2 \tt\n",
    )
    .unwrap();
    assert_eq!(
        rows(&run),
        owned(&[("q 1", "a \"b\" | c", 2.5), ("q 1", "d", 2.0)])
    );
}

#[test]
fn a_number_sign_starts_an_id_or_else_a_comment() {
    let (run, notes) = read("run", "# made by x\n#q Q0 #d 1 2.5 t\n# end").unwrap();
    assert_eq!(rows(&run), owned(&[("#q", "#d", 2.5)]));
    assert_eq!(notes.file.comments, 2);
    let (run, notes) = read("run", "# \"open\nqid,docid,score\nq,d,1\n#,\"x\n").unwrap();
    assert_eq!((run.len(), notes.file.comments), (1, 2));
}

#[test]
fn records_behind_too_many_comments_are_no_comments() {
    let comments = "# made by a very talkative system\n".repeat(40_000);
    assert_eq!(
        error("run.txt", format!("{comments}q Q0 d 1 2.5 t\n")),
        "run.txt:40001: the first record stands behind more than a megabyte of comments\n\
         hint: remove the comments"
    );
    let (run, notes) = read("run.txt", &comments).unwrap();
    assert_eq!((run.len(), notes.file.comments), (0, 40_000));
}

#[test]
fn odd_first_ids_do_not_mislead_the_detection() {
    for id in [
        "PAR1", "{", "{\"", "[1]", "BZh9", "\"q\"", "#", "//", "query-id", "-", "é",
    ] {
        let (run, _) = read("run", format!("{id} Q0 {id} 1 2.5 t\n")).unwrap();
        assert_eq!(rows(&run), owned(&[(id, id, 2.5)]));
    }
}

#[test]
fn quoted_fields_may_hold_anything() {
    let text = "qid,docid,score\r\n\"q,1\",\"a \"\"b\"\"\nc\",1\r\n\r\nq2,\"d\",2\r\n";
    let (run, notes) = read("run.csv", text).unwrap();
    assert_eq!(
        rows(&run),
        owned(&[("q,1", "a \"b\"\nc", 1.0), ("q2", "d", 2.0)])
    );
    assert_eq!((notes.file.lines, notes.file.blank_lines), (5, 1));
}

#[test]
fn tabs_have_quotes_only_if_the_header_has() {
    let (run, _) = read("run.tsv", "qid\tdocid\tscore\n\"q\"\td\t1\n").unwrap();
    assert_eq!(rows(&run), owned(&[("\"q\"", "d", 1.0)]));
    let (run, _) = read("run.tsv", "\"qid\"\t\"docid\"\t\"score\"\n\"q\"\td\t1\n").unwrap();
    assert_eq!(rows(&run), owned(&[("q", "d", 1.0)]));
}

#[test]
fn a_run_is_named_by_its_only_tag_or_by_its_file() {
    assert_eq!(
        read("a/b.txt", "q Q0 d 1 2 t1\nq Q0 e 2 1 t1\n")
            .unwrap()
            .0
            .name(),
        "t1"
    );
    assert_eq!(
        read("b.txt", "q Q0 d 1 2 t1\nq Q0 e 2 1 t2\n")
            .unwrap()
            .0
            .name(),
        "b"
    );
    let options = RunOptions {
        name: Some("mine".into()),
        ..RunOptions::default()
    };
    let input = Input::memory("b.txt", &b"q Q0 d 1 2 t1\n"[..]);
    assert_eq!(read_run(&input, &options).unwrap().0.name(), "mine");
}

#[test]
fn the_prefixes_of_prediction_files_are_taken_off_where_all_ids_have_them() {
    let text = "{\"query-test-7\": {\"corpus-test-7_3\": 0.5}, \"query-test-8\": {}}";
    let (run, notes) = read("run.json", text).unwrap();
    assert_eq!(rows(&run), owned(&[("7", "7_3", 0.5)]));
    assert_eq!(run.queries().names().collect::<Vec<_>>(), ["7", "8"]);
    assert!(notes.file.prefixes_stripped);
    let (run, notes) = read(
        "run.json",
        "{\"query-test-7\": {\"corpus-test-7\": 0.5, \"x\": 1}}",
    )
    .unwrap();
    assert_eq!(run.queries().names().collect::<Vec<_>>(), ["query-test-7"]);
    assert!(!notes.file.prefixes_stripped);
}

#[test]
fn ranks_that_contradict_the_scores_are_counted() {
    let (_, notes) = read(
        "run",
        "q1 Q0 a 1 2 t\nq1 Q0 b 2 3 t\nq2 Q0 a 1 2 t\nq2 Q0 b 2 2 t\n",
    )
    .unwrap();
    assert_eq!(notes.rank_disagreements, 1);
    let first = RankDisagreement {
        query: "q1".into(),
        number: 2,
    };
    assert_eq!(notes.first_rank_disagreement, Some(first));
}

#[test]
fn a_document_twice_follows_the_policy() {
    let trec = "q Q0 d 1 3 t\nq Q0 e 2 2 t\nq Q0 d 3 1 t\n";
    assert_eq!(
        error("run.txt", trec),
        "run.txt:3: query 'q': document 'd' is there twice, with score 1 here and 3 at line 1\n\
         hint: --duplicates first, best or last says which one counts"
    );
    let json = "{\"q\": {\"d\": 3, \"d\": 1}}";
    assert_eq!(
        error("run.json", json),
        "run.json: row 1: query 'q': document 'd' is there twice, with score 1 here and 3 at row 0\n\
         hint: --duplicates first, best or last says which one counts"
    );
    for (duplicates, score) in [
        (DuplicatePolicy::First, 3.0),
        (DuplicatePolicy::Best, 3.0),
        (DuplicatePolicy::Last, 1.0),
    ] {
        for text in [trec, json] {
            let options = RunOptions {
                duplicates,
                ..RunOptions::default()
            };
            let (run, notes) = read_run(&Input::memory("run", text.as_bytes()), &options).unwrap();
            let found = rows(&run).into_iter().find(|row| row.1 == "d").unwrap();
            assert_eq!((found.2, notes.duplicates_dropped), (score, 1));
        }
    }
}

#[test]
fn json_numbers_come_back_bit_for_bit() {
    let (run, _) = read(
        "run.json",
        "{\"q\": {\"\\u0061\\ud83d\\ude00\": 0.8213297128677368, \"b\": 1, \"c\": -2E-3}}",
    )
    .unwrap();
    assert_eq!(
        rows(&run),
        owned(&[
            ("q", "a😀", 0.8213297128677368),
            ("q", "b", 1.0),
            ("q", "c", -0.002)
        ])
    );
}

#[test]
fn integer_ids_are_text() {
    let (run, _) = read("run.jsonl", "{\"qid\": 7, \"docid\": -12, \"score\": 1}\n").unwrap();
    assert_eq!(rows(&run), owned(&[("7", "-12", 1.0)]));
}

const TREC: &str = "\nhint: a TREC run has: query Q0 document rank score tag";

#[test]
fn a_wrong_number_of_fields_is_told_with_the_line() {
    let line = "q1 Q0 d1 1 2.5 t\n";
    assert_eq!(
        error("run.txt", format!("{}q1 Q0 d1 1 2.5\n", line.repeat(16))),
        format!("run.txt:17: expected 6 fields, found 5: \"q1 Q0 d1 1 2.5\"{TREC}")
    );
    assert_eq!(
        error("run.txt", format!("{line}{}\n", "x ".repeat(50))),
        format!(
            "run.txt:2: expected 6 fields, found 50: \"{}...\"{TREC}",
            "x ".repeat(40)
        )
    );
    assert_eq!(
        error("run.txt", "q1 0 d1 1\n"),
        format!(
            "run.txt:1: expected 6 fields, found 4: \"q1 0 d1 1\"{TREC}\nhint: four fields are those of judgements; are the two files swapped?"
        )
    );
    assert_eq!(
        error("run.txt", "q1\tQ0\ta b\t1\t2.5\tt\nq1\tQ0\ta b\t1\t2.5\n"),
        format!(
            "run.txt:2: expected 6 fields, found 5: \"q1\\tQ0\\ta b\\t1\\t2.5\"{TREC}\nhint: the line is split at its tabs alone; separate all fields by tabs, or all by spaces"
        )
    );
    assert_eq!(
        error("run.txt", "q1 Q0 d 1 2.5 t\rq1 Q0 d 1 2.5 t\r"),
        format!(
            "run.txt:1: expected 6 fields, found 12: \"q1 Q0 d 1 2.5 t\\rq1 Q0 d 1 2.5 t\"{TREC}\nhint: the lines seem to end in CR alone; convert them: tr '\\r' '\\n'"
        )
    );
    assert_eq!(
        error("run.csv", "qid,docid,score\nq,d\n"),
        "run.csv:2: expected 3 fields, found 2: \"q,d\""
    );
}

#[test]
fn an_id_is_never_split_silently() {
    // At white space these are six fields, and a part of the id or the rank would be the score.
    for line in ["q1\tQ0\tdoc one\t1\t2.5", "q1\tQ0\tdoc 7\t1\t2.5"] {
        let shown = line.replace('\t', "\\t");
        for (before, number) in [
            ("", 1),
            ("q1 Q0 d 1 2 t\n", 2),
            ("q1\tQ0\td e\t1\t2\tt\n", 2),
        ] {
            assert_eq!(
                error("run.txt", format!("{before}{line}\n")),
                format!(
                    "run.txt:{number}: expected 6 fields, found 5: \"{shown}\"{TREC}\n\
                     hint: the line is split at its tabs alone; separate all fields by tabs, or all by spaces"
                )
            );
        }
    }
}

#[test]
fn lines_with_and_without_tabs_may_stand_in_one_file() {
    for text in [
        "q Q0 a 1 2 t\nq\tQ0\tb c\t2\t1\tt\n",
        "q\tQ0\tb c\t2\t1\tt\nq Q0 a 1 2 t\n",
    ] {
        let (run, _) = read("run", text).unwrap();
        let mut found = rows(&run);
        found.sort_by(|a, b| a.1.cmp(&b.1));
        assert_eq!(found, owned(&[("q", "a", 2.0), ("q", "b c", 1.0)]));
    }
    assert_eq!(
        error("run.txt", "q1\tQ0\td1 1 2.5 t\n"),
        "run.txt:1: expected a rank (a whole number from 0), found \"d1 1 2.5 t\"\n\
         hint: the line is split at its tabs alone; separate all fields by tabs, or all by spaces"
    );
}

#[test]
fn a_wrong_score_is_told_with_the_line() {
    let line = "q1 Q0 d1 1 2.5 t\n";
    let with = |score: &str| error("run.txt", format!("{line}{line}q1 Q0 d2 2 {score} t\n"));
    assert_eq!(
        with("0,9"),
        "run.txt:3: expected a number as score, found \"0,9\"\nhint: a decimal comma? write 0.9"
    );
    assert_eq!(
        with("nan"),
        "run.txt:3: expected a number as score, found \"nan\"\nhint: NaN has no place in an order; find out why the system gave it"
    );
    assert_eq!(
        with("abc"),
        "run.txt:3: expected a number as score, found \"abc\""
    );
    assert_eq!(
        with("1_0"),
        "run.txt:3: expected a number as score, found \"1_0\"\nhint: separators between digits? write 10"
    );
    assert_eq!(
        error("run.txt", "q1 Q0 d1 1 0x1 t\n"),
        "run.txt:1: expected a number as score, found \"0x1\""
    );
}

#[test]
fn a_score_where_ms_marco_has_a_rank_is_told() {
    assert_eq!(
        error("run.txt", "q1 d1 0.9\n"),
        "run.txt:1: expected a rank (a whole number from 0), found \"0.9\"\n\
         hint: a file of scores in three columns needs a header: query-id, corpus-id, score"
    );
    assert_eq!(
        error("run.txt", "q1 d1 1\nq1 d2 -2\n"),
        "run.txt:2: expected a rank (a whole number from 0), found \"-2\"\n\
         hint: a file of scores in three columns needs a header: query-id, corpus-id, score"
    );
}

#[test]
fn an_id_that_is_empty_or_no_text_is_told() {
    assert_eq!(
        error("run.txt", b"q1 Q0 d1 1 2.5 t\nq1 Q0 caf\xe9 2 1 t\n"),
        "run.txt:2: the id of the document is not UTF-8: \"caf\u{fffd}\"\n\
         hint: convert the file, for example: iconv -f LATIN1 -t UTF-8"
    );
    assert_eq!(
        error("run.csv", "qid,docid,score\nq,,1\n"),
        "run.csv:2: expected the id of a document, found nothing: \"q,,1\""
    );
}

#[test]
fn a_header_without_a_needed_column_lists_what_was_found() {
    assert_eq!(
        error("run.csv", "query-id,passage,score\nq,d,1\n"),
        "run.csv:1: no column for the document; found query-id, passage, score; \
         expected one of corpus-id, corpus_id, docid, doc_id, docno, pid, doc, document"
    );
    assert_eq!(
        error("run.tsv", "qid\tdocid\tvalue\nq\td\t1\n"),
        "run.tsv:1: no column for the score; found qid, docid, value; \
         expected one of score, sim, similarity, or rank"
    );
    assert_eq!(
        error("run.csv", "qid,docid,docno,score\nq,1,d,1\n"),
        "run.csv:1: columns 'docid' and 'docno' both name the document\nhint: rename or remove one of them"
    );
}

#[test]
fn an_unknown_format_says_what_was_looked_at() {
    assert_eq!(
        error("run.csv", "# x\nq1,d1,0.5\n"),
        "run.csv:2: expected a run in a known format, found \"q1,d1,0.5\"\n\
         hint: the first line that is no comment decides; known are: TREC (query Q0 document rank score tag); \
         MS MARCO (query document rank); TSV or CSV with a header (query-id, corpus-id, score); \
         JSON {query: {document: score}}; JSONL; Parquet\n\
         hint: a table with commas needs a header: query-id,corpus-id,score"
    );
    assert!(
        error("run", "\u{1}\u{2}")
            .starts_with("run:1: expected a run in a known format, found \"\\u{1}\\u{2}\"")
    );
    assert!(read("run", "x".repeat(3 << 20)).is_err());
}

#[test]
fn a_quote_that_is_never_closed_is_told_where_it_opens() {
    assert_eq!(
        error("run.csv", "qid,docid,score\nq,\"d,1\nq,e,2\n"),
        "run.csv:2: a quote is opened here and never closed\n\
         hint: a quote within a quoted field is written twice: \"\""
    );
}

#[test]
fn a_wrong_value_in_json_names_query_and_document() {
    let with = |value: &str| {
        error(
            "run.json",
            format!("{{\"q1\": {{\"d0\": 1, \"d1\": {value}}}}}"),
        )
    };
    let expected =
        "run.json: q1 / d1: expected a number as score of document 'd1' of query 'q1', found";
    for (value, found) in [
        ("\"abc\"", "\"abc\""),
        ("null", "null"),
        ("true", "true"),
        ("NaN", "NaN"),
        ("[1]", "an array"),
    ] {
        assert_eq!(with(value), format!("{expected} {found}"));
    }
    assert_eq!(
        with("{}"),
        format!(
            "{expected} an object\nhint: the file nests deeper than query, document, value; extract the inner object first"
        )
    );
    assert_eq!(
        error("run.json", "{\"q1\": {\"d1\": 1}, \"q2\": [\"d1\"]}"),
        "run.json: q2: expected an object of documents for query 'q2', found an array"
    );
}

#[test]
fn broken_json_is_told_with_line_and_column() {
    let with = |text: &str| error("run.json", text);
    assert_eq!(
        with("{\"q1\": {\"d1\": 1,\n \"d2\" 2}}"),
        "run.json:2: broken JSON at column 7: expected ':', found '2'"
    );
    assert_eq!(
        with("{\"q1\": {\"d1\": 1,}}"),
        "run.json:1: broken JSON at column 17: expected a key in double quotes, found '}'"
    );
    assert_eq!(
        with("{\"q1\": {\"d1\": 1\n"),
        "run.json:2: the JSON ends too early; expected ',' or '}'\nhint: the file may be cut off"
    );
    assert_eq!(
        with("{\"q1\": {\"d1\": 1_0}}"),
        "run.json:1: broken JSON: expected a value, found \"1_0\""
    );
    assert_eq!(
        with("{\"q1\": {\"d\\ud800\": 1}}"),
        "run.json:1: broken JSON at column 17: expected the second half of a surrogate pair, found '\"'"
    );
    assert_eq!(
        with("{\"q1\": {\"\": 1}}"),
        "run.json:1: expected the id of a document, found an empty key"
    );
}

#[test]
fn a_wrong_record_in_jsonl_names_its_line() {
    let with = |text: &str| {
        error(
            "run.jsonl",
            format!("{{\"qid\":\"q\",\"docid\":\"d\",\"score\":1}}\n{text}\n"),
        )
    };
    assert_eq!(
        with("{\"qid\":\"q\",\"docid\":\"e\"}"),
        "run.jsonl:2: no column for the score; found qid, docid; expected one of score, sim, similarity, or rank"
    );
    assert_eq!(
        with("{\"qid\":\"q\",\"docid\":\"e\",\"score\":\"0.5\"}"),
        "run.jsonl:2: expected a number as score of document 'e' of query 'q', found \"0.5\""
    );
    assert_eq!(
        with("{\"qid\":1.5,\"docid\":\"e\",\"score\":1}"),
        "run.jsonl:2: expected a text or a whole number as id of a query, found 1.5"
    );
    assert_eq!(
        with("{\"qid\":\"q\",\"docid\":\"e\",\"score\":1} x"),
        "run.jsonl:2: broken JSON at column 35: expected the end of the line, found 'x'"
    );
    assert_eq!(
        with("{}"),
        "run.jsonl:2: no column for the query; found nothing; expected one of query-id, query_id, qid, query, topic"
    );
}

#[test]
fn a_given_format_is_the_one_that_is_read() {
    let with = |text: &str, format| {
        let options = RunOptions {
            format: Some(format),
            ..RunOptions::default()
        };
        read_run(&Input::memory("run", text.as_bytes()), &options)
    };
    assert_eq!(
        told(&with("q1 d1 1\n", Format::Trec).unwrap_err()),
        format!("run:1: expected 6 fields, found 3: \"q1 d1 1\"{TREC}")
    );
    assert_eq!(
        with("q1 d1 1\n", Format::Parquet).unwrap_err().to_string(),
        "run: expected a Parquet file, found text"
    );
    assert_eq!(
        with("q1 d1 1\n", Format::Mbeir).unwrap_err().to_string(),
        "run: a run cannot have the format mbeir"
    );
    let bytes = std::fs::read(fixture("run.parquet").as_path().unwrap()).unwrap();
    let options = RunOptions {
        format: Some(Format::Json),
        ..RunOptions::default()
    };
    assert_eq!(
        read_run(&Input::memory("run", bytes), &options)
            .unwrap_err()
            .to_string(),
        "run: expected the format json, found a Parquet file"
    );
    let (run, _) = with("qid;docid;score\nq;d,e;1\n", Format::Csv).unwrap();
    assert_eq!(rows(&run), owned(&[("q", "d,e", 1.0)]));
}
