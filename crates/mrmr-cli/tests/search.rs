//! `mrmr search`: vectors or texts in, a run out.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use assert_cmd::Command;
use serde_json::{Value, json};

fn mrmr(folder: &Path, arguments: &str) -> (Option<i32>, String, String) {
    let output = Command::cargo_bin("mrmr")
        .unwrap()
        .current_dir(folder)
        .args(arguments.split_whitespace())
        .output()
        .unwrap();
    (
        output.status.code(),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

/// What is found, as JSON, and what is said.
fn found(folder: &Path, arguments: &str) -> (Value, String) {
    let (code, stdout, stderr) = mrmr(folder, &format!("search --format json {arguments}"));
    assert_eq!(code, Some(0), "{stderr}");
    (serde_json::from_str(&stdout).unwrap(), stderr)
}

fn npy<const N: usize>(folder: &Path, name: &str, rows: &[[f32; N]]) {
    let mut header = format!(
        "{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {N}), }}",
        rows.len()
    );
    header += &" ".repeat(63 - (10 + header.len()) % 64);
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.bytes());
    bytes.extend(rows.iter().flatten().flat_map(|x| x.to_le_bytes()));
    std::fs::write(folder.join(name), bytes).unwrap();
}

/// Two queries and four documents, one of them without a direction.
fn vectors() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    npy(at, "q.npy", &[[1.0, 0.0], [0.0, 2.0]]);
    npy(
        at,
        "d.npy",
        &[[3.0, 4.0], [1.0, 0.0], [0.0, 0.0], [0.0, 5.0]],
    );
    std::fs::write(at.join("q.txt"), "q1\nq2\n").unwrap();
    std::fs::write(at.join("d.txt"), "slope\neast\nnowhere\nnorth\n").unwrap();
    std::fs::write(at.join("qrels.txt"), "q1 0 east 1\nq2 0 north 1\n").unwrap();
    folder
}

const VECTORS: &str =
    "--corpus-vectors d.npy --corpus-ids d.txt --query-vectors q.npy --query-ids q.txt";

#[test]
fn cosine_divides_by_the_lengths_and_dot_does_not() {
    let folder = vectors();
    let (cosine, stderr) = found(folder.path(), &format!("{VECTORS} -k 2 --metric cosine"));
    assert_eq!(
        cosine,
        json!({"q1": {"east": 1, "slope": 0.6}, "q2": {"north": 1, "slope": 0.8}})
    );
    for part in [
        "q.npy: 2 queries x 2 numbers x 4 bytes, 16 bytes in memory\n",
        "d.npy: 4 documents x 2 numbers x 4 bytes, 32 bytes in memory\n",
        "warning: d.npy: the zero vector of row 2 has similarity 0 to every query\n",
        "memory: about 600 bytes (vectors 48 bytes, rows 128 bytes, ids 192 bytes, codes 8 bytes, results 224 bytes)\n",
        "exact search by cosine: 2 queries x 2 results\n",
        "search: 2 queries\n",
        "4 documents for 2 queries\n",
    ] {
        assert!(stderr.contains(part), "{part} not in {stderr}");
    }
    let (dot, _) = found(folder.path(), &format!("{VECTORS} -k 1 --metric dot"));
    assert_eq!(dot, json!({"q1": {"slope": 3}, "q2": {"north": 10}}));
    let (euclidean, stderr) = found(folder.path(), &format!("{VECTORS} -k 1 --metric euclidean"));
    assert_eq!(euclidean, json!({"q1": {"east": 0}, "q2": {"nowhere": -4}}));
    assert!(!stderr.contains("warning"), "{stderr}");
}

#[test]
fn a_k_past_the_corpus_returns_the_corpus() {
    let folder = vectors();
    for k in ["5", "18446744073709551615"] {
        let (run, _) = found(folder.path(), &format!("{VECTORS} -k {k}"));
        assert_eq!(run["q1"].as_object().unwrap().len(), 4);
        assert_eq!(run["q1"]["nowhere"], json!(0));
    }
}

#[test]
fn the_run_is_one_that_score_reads_and_the_same_for_any_number_of_threads() {
    let folder = vectors();
    let at = folder.path();
    let mut runs = Vec::new();
    for (threads, file) in [("1", "one.trec"), ("4", "four.trec"), ("2", "two.json")] {
        let (code, stdout, stderr) = mrmr(
            at,
            &format!("search {VECTORS} --threads {threads} --name mine -o {file}"),
        );
        assert_eq!(code, Some(0), "{stderr}");
        assert_eq!(stdout, "");
        let (code, scored, stderr) =
            mrmr(at, &format!("score qrels.txt {file} -m RR --format json"));
        assert_eq!(code, Some(0), "{stderr}");
        let scored: Value = serde_json::from_str(&scored).unwrap();
        assert_eq!(scored["runs"][0]["measures"][0]["value"], 1.0, "{file}");
        runs.push(std::fs::read_to_string(at.join(file)).unwrap());
    }
    assert_eq!(runs[0], runs[1]);
    assert!(
        runs[0].starts_with("q1 Q0 east 1 1 mine\nq1 Q0 slope 2 0.6 mine\n"),
        "{}",
        runs[0]
    );
    let (_, stdout, _) = mrmr(at, &format!("search -q {VECTORS} --name mine -o -"));
    assert_eq!(stdout, runs[0]);
}

#[test]
fn other_formats_bring_their_ids_or_have_row_numbers() {
    let folder = vectors();
    let at = folder.path();
    let fixtures =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../mrmr-formats/tests/fixtures/vectors");
    for file in [
        "list-f16.parquet",
        "fixed-f64.parquet",
        "bf16.safetensors",
        "several.safetensors",
        "x.fvecs",
    ] {
        std::fs::copy(fixtures.join(file), at.join(file)).unwrap();
    }
    npy(at, "three.npy", &[[1.0, -2.5, 0.125]]);
    for (options, best) in [
        ("--corpus-vectors list-f16.parquet", "a"),
        ("--corpus-vectors fixed-f64.parquet", "7"),
        ("--corpus-vectors bf16.safetensors", "0"),
        (
            "--corpus-vectors several.safetensors --corpus-column b",
            "0",
        ),
        ("--corpus-vectors x.fvecs --corpus-ids q.txt", "q1"),
    ] {
        let (run, stderr) = found(at, &format!("{options} --query-vectors three.npy -k 1"));
        assert_eq!(run, json!({"0": {best: 1}}), "{options}");
        assert!(
            stderr.contains("note: three.npy: row numbers, from 0, are the ids"),
            "{stderr}"
        );
    }
}

/// Documents and queries as BEIR has them.
fn texts() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, lines: &[Value]| {
        let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
        std::fs::write(folder.path().join(name), lines.join("\n")).unwrap();
    };
    write(
        "corpus.jsonl",
        &[
            json!({"_id": "d1", "title": "Fruit", "text": "red apples"}),
            json!({"_id": "d2", "title": "", "text": "green pears, ripe, and some apples"}),
            json!({"_id": "d3", "text": ""}),
        ],
    );
    write(
        "queries.jsonl",
        &[
            json!({"_id": "q1", "text": "apples"}),
            json!({"_id": "q2", "text": "pears"}),
            json!({"_id": "q3", "text": "plums"}),
        ],
    );
    std::fs::write(folder.path().join("qrels.txt"), "q1 0 d1 1\nq2 0 d2 1\n").unwrap();
    folder
}

fn ids(run: &Value, query: &str) -> Vec<String> {
    run[query].as_object().unwrap().keys().cloned().collect()
}

#[test]
fn texts_are_searched_by_bm25_from_files_or_a_folder() {
    let folder = texts();
    let at = folder.path();
    let (run, stderr) = found(
        at,
        "--corpus corpus.jsonl --queries queries.jsonl --system bm25",
    );
    assert_eq!(ids(&run, "q1"), ["d1", "d2"]);
    assert_eq!(ids(&run, "q2"), ["d2"]);
    assert!(ids(&run, "q3").is_empty());
    for part in [
        "3 documents with 50 bytes of text; k1 0.9, b 0.4, norms lucene",
        "warning: 1 of 3 documents has no words under the content rule 'text': BM25 cannot find it\n",
        "warning: 1 of 3 queries found no document\n",
    ] {
        assert!(stderr.contains(part), "{part} not in {stderr}");
    }
    assert_eq!(found(at, "--corpus . --queries .").0, run);
    let (first, _) = found(
        at,
        "--corpus . --queries queries.jsonl -k 1 --k1 1.2 --b 0.75",
    );
    assert_eq!(ids(&first, "q1"), ["d1"]);
    let (code, _, stderr) = mrmr(at, "search --corpus . --queries . -o run.trec");
    assert_eq!(code, Some(0), "{stderr}");
    let (code, scored, _) = mrmr(at, "score qrels.txt run.trec -m RR --format json");
    assert_eq!(code, Some(0));
    let scored: Value = serde_json::from_str(&scored).unwrap();
    assert_eq!(scored["runs"][0]["measures"][0]["value"], 1.0);
}

#[test]
fn candidates_and_exclusions_hold_for_words_and_vectors() {
    let folder = texts();
    let at = folder.path();
    std::fs::write(at.join("not.tsv"), "q1\td1\nq9\td1\n").unwrap();
    let (run, stderr) = found(at, "--corpus . --queries . --exclude not.tsv");
    assert_eq!(ids(&run, "q1"), ["d2"]);
    assert!(
        stderr.contains("warning: not.tsv: 1 of 2 queries is not asked, 'q9' among them"),
        "{stderr}"
    );

    let folder = vectors();
    let at = folder.path();
    std::fs::write(
        at.join("only.json"),
        r#"{"q1": ["north", "slope"], "q2": ["east"]}"#,
    )
    .unwrap();
    let (run, _) = found(at, &format!("{VECTORS} --candidates only.json"));
    assert_eq!(
        run,
        json!({"q1": {"slope": 0.6, "north": 0}, "q2": {"east": 0}})
    );
    std::fs::write(at.join("d.txt"), "q1\neast\nnowhere\nq2\n").unwrap();
    let (run, _) = found(at, &format!("{VECTORS} --drop-self -k 1"));
    assert_eq!(run, json!({"q1": {"east": 1}, "q2": {"q1": 0.8}}));
}

#[test]
fn what_does_not_fit_is_an_error_that_says_where() {
    let folder = vectors();
    let at = folder.path();
    npy(at, "three.npy", &[[1.0, 2.0, 3.0]]);
    npy(at, "nan.npy", &[[1.0, 2.0], [3.0, f32::NAN]]);
    std::fs::write(
        at.join("cut.npy"),
        &std::fs::read(at.join("d.npy")).unwrap()[..130],
    )
    .unwrap();
    std::fs::write(at.join("one.txt"), "a\n").unwrap();
    std::fs::write(at.join("twice.txt"), "a\na\n").unwrap();
    std::fs::write(at.join("few.tsv"), "q1\teast\n").unwrap();
    std::fs::write(at.join("other.tsv"), "q1\twest\nq2\teast\n").unwrap();
    std::fs::write(at.join("wide.tsv"), "q1 0 east 1\n").unwrap();
    for (arguments, message) in [
        (
            "--corpus-vectors three.npy --query-vectors q.npy",
            "three.npy: the vectors of q.npy have 2 numbers, those of three.npy have 3; expected the same",
        ),
        (
            "--corpus-vectors nan.npy --query-vectors q.npy",
            "nan.npy: row 1: expected finite numbers, found NaN in component 1",
        ),
        (
            "--corpus-vectors cut.npy --query-vectors q.npy",
            "cut.npy: expected 32 bytes of numbers (8 of '<f4'), found 2",
        ),
        (
            "--corpus-vectors q.npy --query-vectors q.npy --corpus-ids one.txt",
            "one.txt: expected an id for each of the 2 vectors, found 1 ids",
        ),
        (
            "--corpus-vectors q.npy --query-vectors q.npy --query-ids twice.txt",
            "twice.txt:2: id 'a' is there already (twice.txt:1); one vector a record",
        ),
        (
            "--corpus-vectors d.npy --query-vectors q.npy -k 0",
            "-k is 0; expected at least 1 document a query",
        ),
        ("--corpus-vectors d.npy", "exact needs --query-vectors"),
        ("", "expected what to search, found nothing"),
        (
            "--corpus-vectors d.npy --query-vectors q.npy --k1 2",
            "--k1 has no effect with exact",
        ),
        (
            "--corpus c.jsonl --queries q.jsonl --metric dot",
            "--metric has no effect with bm25",
        ),
        (
            "--corpus-vectors d.npy --query-vectors q.npy -o run.xyz",
            "run.xyz: the ending says no form of a run; expected .trec, .run, .txt, .json or .parquet",
        ),
        (
            "--corpus-vectors d.npy --query-vectors q.npy -o no/run.trec",
            "no: expected a folder for the results, found none",
        ),
        (
            "--corpus-vectors d.npy --query-vectors q.npy --format trec -o q.npy",
            "q.npy: the results would be written over a file that is read",
        ),
    ] {
        let (code, stdout, stderr) = mrmr(at, &format!("search -q {arguments}"));
        assert_eq!(
            stderr.lines().next(),
            Some(format!("error: {message}").as_str())
        );
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{arguments}");
    }
    for (list, message) in [
        (
            "few.tsv",
            "few.tsv: query 'q2' has no candidates; expected a list for each",
        ),
        (
            "other.tsv",
            "other.tsv:1: candidate 'west' of query 'q1' is not among the documents",
        ),
        (
            "wide.tsv",
            "wide.tsv:1: expected a query and a document, found 4 fields: \"q1 0 east 1\"",
        ),
    ] {
        let (code, _, stderr) = mrmr(at, &format!("search -q {VECTORS} --candidates {list}"));
        assert_eq!(code, Some(2));
        assert!(stderr.contains(message), "{stderr}");
    }
    let (_, _, stderr) = mrmr(at, "search --corpus-vectors d.np --query-vectors q.npy");
    assert!(stderr.contains("hint: did you mean 'd.npy'?"), "{stderr}");
}
