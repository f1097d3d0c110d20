//! `mrmr check`: whole outputs for files with one of each fault.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use assert_cmd::Command;
use mrmr_formats::findings::Code;
use serde_json::Value;

/// Judgements with one of each fault.
const QRELS: &[u8] = b"# judged by hand
q1 0 d1 1
q1 0 d2 abc
q1 0 d3
q2 0 d1 0
q2 0 d\xff 1
q1 0 d1 1
q1 0 d1 2
q3 0 d9 1
q4 0 d1 2
q5 0 d1 1
";

/// A run with one of each fault, behind a byte order mark.
const RUN: &[u8] = b"\xef\xbb\xbf# made by hand
q1 Q0 d1 1 2.5 bm25
q1 Q0 d2 2 0,9 bm25
q1 Q0 d3 3 nan bm25
q1 Q0 d4 4 1.5
q1 Q0 d1 5 1.0 bm25
q1 Q0 q1 6 0.5 bm25
q2 Q0 d2 1 1.0 bm25
q2 Q0 d1 2 3.0 bm25
q\xff Q0 d1 1 1.0 bm25
q3 Q0 d8 1 1 bm25
q3 Q0 d9 2 1 bm25
q4 Q0 d1 1 16777217 bm25
q4 Q0 d2 2 16777216 bm25
q9 Q0 d1 1 1 bm25
q1 Q0 d7 7 0.1 dense
";

struct Folder(tempfile::TempDir);

impl Folder {
    fn new(files: &[(&str, &[u8])]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        Folder(folder)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::cargo_bin("mrmr").unwrap();
        command
            .current_dir(self.path())
            .arg("check")
            .args(arguments);
        command
    }

    /// Exit code, stdout and stderr.
    fn check(&self, arguments: &[&str]) -> String {
        whole(&self.command(arguments).output().unwrap())
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let mut command = self.command(arguments);
        let output = command.args(["--format", "json"]).output().unwrap();
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// `code place: message` of every finding.
    fn found(&self, arguments: &[&str]) -> Vec<String> {
        let json = self.json(arguments);
        let sources = json["sources"].as_array().unwrap().iter();
        let findings = sources.flat_map(|source| source["findings"].as_array().unwrap());
        findings
            .map(|finding| {
                let place = finding["place"].as_object().unwrap();
                let place: Vec<String> = place
                    .iter()
                    .filter(|(key, _)| *key != "source")
                    .map(|(key, value)| format!(" {key} {value}"))
                    .collect();
                let text = |key: &str| finding[key].as_str().unwrap().to_owned();
                format!("{}{}: {}", text("code"), place.concat(), text("message"))
            })
            .collect()
    }
}

fn whole(output: &std::process::Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!(
        "exit code: {}\n--- stdout\n{}--- stderr\n{}",
        output.status.code().unwrap(),
        text(&output.stdout),
        text(&output.stderr)
    )
}

fn both() -> Folder {
    Folder::new(&[("qrels.txt", QRELS), ("run.txt", RUN)])
}

#[test]
fn every_fault_of_judgements_and_a_run_is_found_at_once() {
    insta::assert_snapshot!(both().check(&["qrels.txt", "run.txt"]));
}

#[test]
fn every_fault_is_in_the_json() {
    let output = both().check(&["qrels.txt", "run.txt", "--format", "json"]);
    insta::assert_snapshot!(output);
}

#[test]
fn a_run_on_its_own_is_checked_without_judgements() {
    let ties: String = (0..12)
        .map(|n| {
            format!(
                "q1 Q0 d{n} {} {} t\n",
                n + 1,
                if n < 8 { 20 - n } else { 5 }
            )
        })
        .collect();
    let folder = Folder::new(&[("run.txt", ties.as_bytes())]);
    insta::assert_snapshot!(folder.check(&["--run", "run.txt"]));
}

#[test]
fn what_is_right_ends_with_exit_code_0_and_notes_change_nothing() {
    let folder = Folder::new(&[
        ("qrels.txt", b"q1 0 d1 1\n"),
        ("run.txt", b"# by hand\nq1 Q0 d1 1 2 t\nq1 Q0 d2 2 1 t\n"),
    ]);
    insta::assert_snapshot!(folder.check(&["qrels.txt", "run.txt"]));
}

#[test]
fn what_cannot_be_read_at_all_ends_with_exit_code_2_and_the_rest_is_checked() {
    let folder = Folder::new(&[("run.txt", b"q1 Q0 d1 1 2 t\nq1 Q0 d2 2\n")]);
    insta::assert_snapshot!(folder.check(&["qrles.txt", "run.txt"]));
}

#[test]
fn twenty_places_of_a_kind_are_shown_and_all_of_them_if_asked() {
    let lines: String = (0..30).map(|n| format!("q1 Q0 d{n}\n")).collect();
    let text = format!("q1 Q0 x 1 2 t\nq1 Q0 y 2 1 t\n{}", lines);
    let good: String = (0..40)
        .map(|n| format!("q1 Q0 g{n} {} {} t\n", n + 3, -n))
        .collect();
    let folder = Folder::new(&[("run.txt", (text + &good).as_bytes())]);
    let short = folder.check(&["--run", "run.txt"]);
    assert_eq!(short.matches("expected 6 fields, found 3").count(), 20);
    assert!(short.contains("error: field-count (30): "), "{short}");
    assert!(
        short.contains("    and 10 more (--all lists them)\n"),
        "{short}"
    );
    assert_eq!(short.matches("hint: a TREC run has").count(), 1);
    let all = folder.check(&["--run", "run.txt", "--all"]);
    assert_eq!(all.matches("expected 6 fields, found 3").count(), 30);
    assert!(!all.contains(" more"), "{all}");
}

#[test]
fn ten_thousand_of_a_kind_are_listed_and_all_are_counted() {
    let lines: String = (0..12_000).map(|n| format!("q1 Q0 d{n} 1 x t\n")).collect();
    let folder = Folder::new(&[("run.txt", lines.as_bytes())]);
    let json = folder.json(&["--run", "run.txt"]);
    let source = &json["sources"][0];
    assert_eq!(source["codes"][0]["code"], "bad-score");
    assert_eq!(source["codes"][0]["count"], 12_000);
    assert_eq!(source["codes"][0]["listed"], 10_000);
    assert_eq!(source["findings"].as_array().unwrap().len(), 10_000);
    assert_eq!(source["findings"][9_999]["place"]["line"], 10_000);
}

#[test]
fn a_first_line_that_is_no_record_does_not_decide_the_format() {
    let folder = Folder::new(&[(
        "run.txt",
        b"Loading model ...\nq1 Q0 d1 1 2 t\nq1 Q0 d2 2 1 t\n",
    )]);
    insta::assert_debug_snapshot!(folder.found(&["--run", "run.txt"]));
}

#[test]
fn tables_json_and_json_lines_are_read_over_their_faults() {
    let folder = Folder::new(&[
        (
            "run.csv",
            b"qid,docid,score\nq1,d1,1\nq1,d2,1_000\nq1,\"d3,2\nq1,d4\nq1,,3\n",
        ),
        (
            "run.json",
            br#"{"q1": {"d1": 1, "d2": NaN, "d3": "x", "": 2, "d4": {"d": 1}},
                "q2": {}, "q3": 7, "q1": {"d1": 2}}"#,
        ),
        ("broken.json", b"{\"q1\": {\"d1\": 1, \"d2\" 2}}\n"),
        (
            "run.jsonl",
            b"{\"qid\": \"q1\", \"docid\": \"d1\", \"score\": 1}\n{\"qid\": \"q1\", \"docid\": \"d2\"}\n\
              {\"qid\": \"q1\", \"docid\": \"d3\", \"score\": NaN}\n{\"qid\": \"q1\",\n\
              {\"qid\": \"\", \"docid\": \"d3\", \"score\": 2}\n",
        ),
        ("empty.txt", b"\n"),
        ("ranks.txt", b"q1 d1 1\nq1 d2 x\nq1 d3 3\n"),
        ("columns.tsv", b"qid\tscore\nq1\t1\n"),
        ("unknown.txt", b"some text\nmore text\n"),
        ("wide.txt", b"\xff\xfeq\x001\x00"),
    ]);
    for (name, path) in [
        ("csv", "run.csv"),
        ("json", "run.json"),
        ("broken_json", "broken.json"),
        ("jsonl", "run.jsonl"),
        ("empty", "empty.txt"),
        ("utf16", "wide.txt"),
        ("ranks", "ranks.txt"),
        ("columns", "columns.tsv"),
        ("unknown", "unknown.txt"),
    ] {
        insta::assert_debug_snapshot!(name, folder.found(&["--run", path]));
    }
}

#[test]
fn standard_input_is_checked_and_read_once_only() {
    let folder = Folder::new(&[]);
    let mut command = folder.command(&["--run", "-"]);
    let output = command
        .write_stdin("q1 Q0 d1 1 2 t\nq1 Q0\n")
        .output()
        .unwrap();
    let output = whole(&output);
    assert!(
        output.contains("standard input:2: expected 6 fields"),
        "{output}"
    );
    let twice = folder.check(&["-", "-"]);
    assert!(
        twice.contains("standard input (-) can be read once only"),
        "{twice}"
    );
    assert!(twice.starts_with("exit code: 2"), "{twice}");
}

#[test]
fn ids_that_do_not_meet_are_told_with_a_guess() {
    let folder = Folder::new(&[
        ("qrels.txt", b"1 0 d1 1\n"),
        ("queries.txt", b"1.0 Q0 d1 1 2 t\n"),
        ("documents.txt", b"1 Q0 d1.png 1 2 t\n"),
    ]);
    let found = folder.found(&["qrels.txt", "queries.txt", "documents.txt"]);
    insta::assert_debug_snapshot!(found);
}

#[test]
fn judgements_without_one_are_told() {
    let folder = Folder::new(&[
        ("qrels.json", b"{\"q1\": {}}"),
        ("run.txt", b"q1 Q0 d1 1 2 t\n"),
    ]);
    insta::assert_snapshot!(folder.check(&["qrels.json", "run.txt"]));
}

#[test]
fn the_prefixes_of_the_authors_are_taken_off_and_lines_stay_known() {
    let folder = Folder::new(&[
        ("qrels.txt", b"1 0 a 1\n2 0 b 1\n"),
        (
            "run.json",
            br#"{"query-test-1": {"corpus-test-a": 1}, "query-test-3": {"corpus-test-a": 1}}"#,
        ),
    ]);
    let found = folder.found(&["qrels.txt", "run.json"]);
    insta::assert_debug_snapshot!(found);
}

#[test]
fn a_data_set_is_read_over_its_faults() {
    let folder = Folder::new(&[
        (
            "set/corpus.jsonl",
            b"{\"_id\": \"d1\", \"text\": \"a\", \"extra\": true}\n{\"_id\": \"d1\", \"text\": \"b\"}\n\
              {\"_id\": \"d2\"\n{\"text\": \"c\"}\n{\"_id\": \"d4\", \"text\": \" \"}\n{\"_id\": \"\", \"text\": \"e\"}\n",
        ),
        (
            "set/queries.jsonl",
            b"{\"_id\": \"q1\", \"text\": \"a\"}\n{\"_id\": \"q2\", \"text\": \"b\"}\n",
        ),
        (
            "set/qrels/test.tsv",
            b"query-id\tcorpus-id\tscore\nq1\td1\t1\nq1\td9\t1\nq1\td1\t2\nq1\td9\t1\nq7\td1\tx\nq8\td1\t1\n",
        ),
        ("run.txt", b"q1 Q0 d1 1 2 t\nq5 Q0 d1 1 2 t\n"),
    ]);
    insta::assert_snapshot!(folder.check(&["set", "run.txt"]));
}

#[test]
fn a_data_set_that_lacks_a_part_is_checked_without_it() {
    let folder = Folder::new(&[
        ("set/corpus.jsonl", b"{\"_id\": \"d1\", \"text\": \"a\"}\n"),
        (
            "set/qrels/test.tsv",
            b"query-id\tcorpus-id\tscore\nq1\td1\t1\n",
        ),
    ]);
    insta::assert_snapshot!(folder.check(&["set"]));
}

#[test]
fn files_that_a_data_set_names_and_that_are_not_there_are_found() {
    let folder = Folder::new(&[
        (
            "set/corpus.jsonl",
            b"{\"_id\": \"d1\", \"image\": [\"there.png\", \"gone.png\"]}\n{\"_id\": \"d2\", \"image\": \"../out.png\"}\n",
        ),
        (
            "set/queries.jsonl",
            b"{\"_id\": \"q1\", \"audio\": \"gone.ogg\"}\n",
        ),
        (
            "set/qrels/test.tsv",
            b"query-id\tcorpus-id\tscore\nq1\td1\t1\n",
        ),
        ("set/there.png", b"not read"),
    ]);
    insta::assert_snapshot!(folder.check(&["set"]));
}

#[test]
fn the_documentation_has_every_code() {
    let mut table = String::from("| code | severity | found: |\n|---|---|---|\n");
    for code in Code::ALL {
        table += &format!("| `{code}` | {} | {} |\n", code.severity(), code.meaning());
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/check.md");
    let text = std::fs::read_to_string(path).unwrap();
    assert!(
        text.contains(&table),
        "docs/check.md needs this table:\n\n{table}"
    );
}

#[test]
fn every_code_is_in_a_snapshot() {
    let snapshots = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    let mut seen = String::new();
    for entry in std::fs::read_dir(snapshots).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.starts_with("check__") && name.ends_with(".snap") {
            seen += &std::fs::read_to_string(path).unwrap();
        }
    }
    // These need binary files, which the tests of the reader make.
    let elsewhere = [Code::BrokenFile, Code::ModalityMismatch];
    let unseen: Vec<&Code> = Code::ALL
        .iter()
        .filter(|code| !seen.contains(code.name()) && !elsewhere.contains(code))
        .collect();
    assert_eq!(unseen, Vec::<&Code>::new());
}
