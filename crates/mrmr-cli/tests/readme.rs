//! What the README shows is what the program prints.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::path::{Path, PathBuf};

use assert_cmd::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The blocks of text of the README.
fn blocks() -> Vec<String> {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let parts = readme.split("```text\n").skip(1);
    parts
        .map(|part| part.split("```").next().unwrap().to_owned())
        .collect()
}

fn mrmr(folder: &Path, arguments: &[&str]) -> (String, String) {
    let mut command = Command::cargo_bin("mrmr").unwrap();
    let output = command
        .current_dir(folder)
        .args(arguments)
        .output()
        .unwrap();
    (
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

#[test]
fn the_demo_prints_the_readmes_table_and_warning() {
    let folder = tempfile::tempdir().unwrap();
    let (stdout, stderr) = mrmr(folder.path(), &["demo"]);
    assert!(stdout.contains(&blocks()[0]), "{stdout}");
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let warning = stderr
        .lines()
        .find(|line| line.contains("RR@10 depends"))
        .unwrap();
    assert!(
        readme.contains(warning.trim_start_matches("warning: ")),
        "{warning}"
    );
    // A second time the folder is found again, and the numbers are the same.
    let (again, stderr) = mrmr(folder.path(), &["demo"]);
    assert_eq!(stdout, again);
    assert!(stderr.contains("found 1644 emoji pictures"), "{stderr}");
    assert!(
        stderr.contains("hashing + pixels: reuse 6 of 6 shards"),
        "{stderr}"
    );
}

#[test]
fn what_the_demo_says_to_try_next_works() {
    let folder = tempfile::tempdir().unwrap();
    let (_, stderr) = mrmr(folder.path(), &["demo"]);
    let next = stderr
        .lines()
        .filter_map(|line| line.trim().strip_prefix("mrmr "));
    let mut tried = 0;
    for line in next {
        let line = line.replace("results/*.trec", "results/mrmr-demo.bm25.trec");
        let arguments: Vec<&str> = line.split_whitespace().collect();
        let mut command = Command::cargo_bin("mrmr").unwrap();
        command
            .current_dir(folder.path())
            .args(arguments)
            .assert()
            .success();
        tried += 1;
    }
    assert_eq!(tried, 3, "{stderr}");
}

#[test]
fn a_broken_file_gives_the_readmes_error() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("qrels.txt"), "q1 0 d1 1\n").unwrap();
    std::fs::write(
        folder.path().join("broken.run"),
        "q1 Q0 d1 1 2 t\nq1 Q0 d2 2 0,9 t\n",
    )
    .unwrap();
    let (_, stderr) = mrmr(folder.path(), &["score", "qrels.txt", "broken.run"]);
    let shown = &blocks()[1];
    assert_eq!(stderr, shown.split_once('\n').unwrap().1);
}

#[test]
fn theoremqa_gives_the_readmes_table() {
    let data = root().join("../shared/data/theoremqa");
    if !data.is_dir() {
        println!("skipped: there is no ../shared/data/theoremqa beside the repository");
        return;
    }
    let arguments = [
        "bench",
        data.to_str().unwrap(),
        "--task",
        "theorem",
        "--system",
        "bm25",
    ];
    let (stdout, _) = mrmr(&root(), &arguments);
    let shown = &blocks()[2];
    assert!(
        stdout.contains(shown.split_once('\n').unwrap().1),
        "{stdout}"
    );
}
