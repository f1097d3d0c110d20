//! `mrmr search`: what is written, and what stays of it when the work is broken off.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod support;

use std::process::Command;

use support::{mrmr, vectors};

const VECTORS: &str =
    "--corpus-vectors d.npy --corpus-ids d.txt --query-vectors q.npy --query-ids q.txt";

#[test]
fn a_run_in_parquet_is_read_as_one_in_trec() {
    let folder = vectors();
    let at = folder.path();
    std::fs::write(at.join("qrels.txt"), "q1 0 east 1\nq2 0 slope 1\n").unwrap();
    for form in ["trec", "parquet"] {
        let said = mrmr(at, &format!("search -q {VECTORS} -o run.{form}"));
        assert_eq!((said.code, said.stdout.as_str()), (Some(0), ""), "{said}");
        let said = mrmr(
            at,
            &format!("score qrels.txt run.{form} -m RR --format csv"),
        );
        assert!(said.stdout.contains("0.75"), "{said}");
    }
    let piped = mrmr(at, &format!("search -q {VECTORS} --format parquet"));
    assert!(piped.stdout.starts_with("PAR1"), "{}", piped.stderr);
}

#[test]
fn pyarrow_reads_a_run_in_parquet() {
    let python = std::env::var("PYTHON").unwrap_or("python3".to_owned());
    let tried = Command::new(&python)
        .args(["-c", "import pyarrow.parquet"])
        .output();
    if !tried.is_ok_and(|output| output.status.success()) {
        println!("skipped: {python} has no pyarrow; PYTHON names one that has");
        return;
    }
    let folder = vectors();
    let said = mrmr(
        folder.path(),
        &format!("search -q {VECTORS} -k 2 -o run.parquet"),
    );
    assert_eq!(said.code, Some(0), "{said}");
    let program = "import pyarrow.parquet as p; t = p.read_table('run.parquet'); print(t.schema.to_string(show_field_metadata=False, show_schema_metadata=False)); print(t.to_pylist()[:2])";
    let output = Command::new(python)
        .args(["-c", program])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "query: string not null\ndocument: string not null\nrank: int32 not null\nscore: double not null\n\
         [{'query': 'q1', 'document': 'east', 'rank': 1, 'score': 1.0}, {'query': 'q1', 'document': 'slope', 'rank': 2, 'score': 0.6}]\n"
    );
}

#[cfg(unix)]
#[test]
fn an_interrupted_search_ends_with_130_and_leaves_what_was_there() {
    let folder = vectors();
    let at = folder.path();
    std::fs::write(at.join("run.trec"), "before\n").unwrap();
    let made = Command::new("mkfifo").arg(at.join("slow.npy")).status();
    assert!(made.unwrap().success());
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("mrmr"))
        .current_dir(at)
        .args(["search", "-q", "--query-vectors", "slow.npy"])
        .args(["--corpus-vectors", "d.npy", "-o", "run.trec"])
        .spawn()
        .unwrap();
    // Opening waits until the program reads.
    let writer = std::fs::File::options()
        .write(true)
        .open(at.join("slow.npy"))
        .unwrap();
    let killed = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    drop(writer);
    assert_eq!(
        std::fs::read_to_string(at.join("run.trec")).unwrap(),
        "before\n"
    );
    let files = std::fs::read_dir(at).unwrap();
    let left = files.filter(|file| {
        let name = file.as_ref().unwrap().file_name();
        name.to_string_lossy().ends_with(".part")
    });
    assert_eq!(left.count(), 0);
}

#[test]
fn an_id_that_trec_lines_cannot_hold_ends_it_before_the_search() {
    let folder = vectors();
    let at = folder.path();
    std::fs::write(at.join("tab.txt"), "slope\nea\tst\nnowhere\nnorth\n").unwrap();
    std::fs::write(
        at.join("c.jsonl"),
        "{\"_id\": \"a\\tb\", \"text\": \"one two\"}\n{\"_id\": \"c\", \"text\": \"three\"}\n",
    )
    .unwrap();
    std::fs::write(
        at.join("t.jsonl"),
        "{\"_id\": \"q\", \"text\": \"three\"}\n",
    )
    .unwrap();
    let by_vectors = "search --corpus-vectors d.npy --corpus-ids tab.txt --query-vectors q.npy --query-ids q.txt -k 1";
    let by_words = "search --corpus c.jsonl --queries t.jsonl --save-index words.index -k 1";
    for options in [by_vectors, by_words] {
        let said = mrmr(at, options);
        assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""), "{said}");
        assert!(
            said.stderr
                .contains("error: the id of a document holds a tab or a line end"),
            "{said}"
        );
        // The work had not begun.
        assert!(!said.stderr.contains("search: "), "{said}");
        assert!(!at.join("words.index").exists());
        let json = mrmr(at, &format!("{options} --format json"));
        assert_eq!(json.code, Some(0), "{json}");
    }
}
