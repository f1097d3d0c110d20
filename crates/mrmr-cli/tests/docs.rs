//! What the pages under `docs` show is what the program prints.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

/// A copy of the example files.
fn examples() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(docs().join("examples")).unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), folder.path().join(entry.file_name())).unwrap();
    }
    folder
}

fn shell(line: &str, folder: &Path) -> Output {
    let bin = assert_cmd::cargo::cargo_bin("mrmr");
    let path = format!(
        "{}:{}",
        bin.parent().unwrap().display(),
        std::env::var("PATH").unwrap()
    );
    Command::new("sh")
        .args(["-c", line])
        .current_dir(folder)
        .env("PATH", path)
        .env("GITHUB_STEP_SUMMARY", folder.join("summary.md"))
        .output()
        .unwrap()
}

/// The blocks of a kind, by page.
fn blocks(page: &str, kind: &str) -> Vec<String> {
    let text = std::fs::read_to_string(docs().join(page)).unwrap();
    let start = format!("```{kind}\n");
    let parts = text.split(&start).skip(1);
    parts
        .map(|part| part.split("```").next().unwrap().to_owned())
        .collect()
}

/// What a block shows when its commands are run again; failures that are told on stderr are shown, warnings not.
fn replay(block: &str, folder: &Path) -> String {
    let mut out = String::new();
    let mut code = 0;
    for line in block.lines().filter_map(|line| line.strip_prefix("$ ")) {
        out += &format!("$ {line}\n");
        if line == "echo $?" {
            out += &format!("{code}\n");
            continue;
        }
        let output = shell(line, folder);
        code = output.status.code().unwrap();
        out += &String::from_utf8(output.stdout).unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        for told in stderr.lines().filter(|told| !told.starts_with("warning: ")) {
            out += &format!("{told}\n");
        }
    }
    out
}

fn check(page: &str) {
    let folder = examples();
    let blocks = blocks(page, "console");
    assert!(!blocks.is_empty());
    let mut text = std::fs::read_to_string(docs().join(page)).unwrap();
    for block in blocks {
        let found = replay(&block, folder.path());
        if std::env::var_os("UPDATE_DOCS").is_some() {
            text = text.replace(
                &format!("```console\n{block}"),
                &format!("```console\n{found}"),
            );
        } else {
            assert_eq!(
                block, found,
                "{page}: UPDATE_DOCS=1 writes what is printed now"
            );
        }
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(docs().join(page), text).unwrap();
    }
}

#[test]
fn a_papers_table_is_what_the_page_shows() {
    check("paper-table.md");
}

#[test]
fn a_regression_fails_as_the_page_shows() {
    check("regression-in-ci.md");
}

#[test]
fn a_query_that_fell_is_explained_as_the_page_shows() {
    check("why-a-query-fell.md");
}

#[test]
fn a_pipeline_loses_as_the_page_shows() {
    check("waterfall.md");
}

#[test]
fn runs_are_fused_as_the_page_shows() {
    check("fusion.md");
}

#[test]
fn systems_of_a_file_are_run_as_the_page_shows() {
    check("systems.md");
}

#[test]
fn a_document_becomes_a_picture_as_the_page_shows() {
    check("pages.md");
}

#[test]
fn judgements_are_made_as_the_page_shows() {
    check("judge.md");
}

#[test]
fn the_jobs_steps_write_a_summary_and_fail() {
    let folder = examples();
    let yaml = blocks("regression-in-ci.md", "yaml").concat();
    let steps: Vec<&str> = yaml
        .lines()
        .map(str::trim)
        .filter(|line| line.starts_with("mrmr "))
        .collect();
    let codes: Vec<Option<i32>> = steps
        .iter()
        .map(|step| shell(step, folder.path()).status.code())
        .collect();
    assert_eq!(codes, [Some(0), Some(1)]);
    let summary = std::fs::read_to_string(folder.path().join("summary.md")).unwrap();
    assert!(
        summary.contains("steep has a lower nDCG@10 than bm25"),
        "{summary}"
    );
    let gates = std::fs::read_to_string(folder.path().join("gates.xml")).unwrap();
    assert!(gates.contains("failures=\"2\""), "{gates}");
}

#[test]
fn each_system_searches_as_the_page_shows() {
    check("search.md");
}

#[test]
fn records_are_encoded_and_reranked_as_the_page_shows() {
    check("encode.md");
}
