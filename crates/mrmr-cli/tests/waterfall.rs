//! `mrmr score --waterfall` through the binary: stdout, stderr and exit code whole.

#![allow(clippy::unwrap_used)]

use assert_cmd::Command;
use insta::assert_snapshot;

/// Rankings by query; `answer` is the relevant document.
const EXACT: &[&str] = &[
    "answer x y z",
    "x answer y z",
    "answer x y z",
    "x y z answer",
];
const ANN: &[&str] = &["answer x y z", "x answer z w", "x y z w", "x y z answer"];
const RERANKED: &[&str] = &["x answer y", "answer x z", "x y z", "z y x"];

fn run(name: &str, rankings: &[&str]) -> String {
    let mut text = String::new();
    for (query, ranking) in rankings.iter().enumerate() {
        for (at, document) in ranking.split(' ').enumerate() {
            text += &format!("q{query} Q0 {document} {} {} {name}\n", at + 1, 9 - at);
        }
    }
    text
}

/// Runs a command line over the files of a pipeline, and shows everything that came of it.
fn shown(line: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let qrels: String = (0..4).map(|q| format!("q{q} 0 answer 1\n")).collect();
    for (name, text) in [
        ("qrels.txt", qrels),
        ("exact.run", run("exact", EXACT)),
        ("hnsw.run", run("hnsw", ANN)),
        ("final.run", run("final", RERANKED)),
        ("tied.run", run("tied", ANN).replace(" 9 ", " 8 ")),
        ("short.run", run("short", &RERANKED[..2])),
        (
            "wide.run",
            run("final", &["answer v", "answer", "answer", "x"]),
        ),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let output = Command::cargo_bin("mrmr")
        .unwrap()
        .current_dir(folder.path())
        .args(line.split_whitespace())
        .output()
        .unwrap();
    format!(
        "exit code {}\n--- stdout\n{}--- stderr\n{}",
        output.status.code().unwrap(),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap()
    )
}

const PIPELINE: &str = "score qrels.txt --waterfall reranked=final.run --waterfall exact=exact.run --waterfall ann=hnsw.run --depth 3";

#[test]
fn a_pipeline_is_shown_stage_by_stage_with_the_queries_behind_each_loss() {
    assert_snapshot!(shown(PIPELINE));
    assert_snapshot!(shown(&format!(
        "{PIPELINE} -m nDCG@10 -m P@1 --format markdown"
    )));
    assert_snapshot!(shown(&format!("{PIPELINE} --format tsv")));
    assert_snapshot!(shown(&format!("{PIPELINE} -m RR --format json")));
}

#[test]
fn every_form_of_results_holds_it() {
    let forms = ["csv", "jsonl", "latex", "html", "github"];
    let all = forms.map(|form| shown(&format!("{PIPELINE} --format {form}")));
    assert_snapshot!(all.join("\n"));
}

#[test]
fn ties_across_the_depth_are_told() {
    assert_snapshot!(shown(
        "score qrels.txt -q --waterfall ann=tied.run --waterfall reranked=final.run --depth 1"
    ));
}

#[test]
fn two_stages_are_enough() {
    assert_snapshot!(shown(
        "score qrels.txt --waterfall exact=exact.run --waterfall ann=hnsw.run -m Success@3"
    ));
}

#[test]
fn identical_stages_change_nothing() {
    assert_snapshot!(shown(
        "score qrels.txt --waterfall ann=hnsw.run --waterfall candidates=hnsw.run --waterfall reranked=hnsw.run"
    ));
}

#[test]
fn a_reranked_run_with_documents_beyond_the_candidates_is_told() {
    assert_snapshot!(shown(
        "score qrels.txt --waterfall ann=hnsw.run --waterfall reranked=wide.run --depth 2"
    ));
}

#[test]
fn queries_that_a_stage_lacks_count_by_the_policy() {
    let line = "score qrels.txt --waterfall ann=hnsw.run --waterfall reranked=short.run";
    assert_snapshot!(shown(line));
    assert_snapshot!(shown(&format!("{line} --missing skip")));
}

#[test]
fn what_makes_no_waterfall_is_an_error() {
    let lines = [
        "score qrels.txt --waterfall ann=hnsw.run",
        "score qrels.txt --waterfall ann=hnsw.run --waterfall ann=final.run",
        "score qrels.txt --waterfall an=hnsw.run --waterfall reranked=final.run",
        "score qrels.txt --waterfall hnsw.run",
        "score qrels.txt --waterfall ann=hnsw.run --waterfall reranked=final.run -m Judged@10",
        "score qrels.txt --waterfall ann=hnsw.run --waterfall reranked=final.run -m GMAP",
        "score qrels.txt hnsw.run --depth 3",
        "score qrels.txt --waterfall ann=hnsw.run --waterfall reranked=final.run final.run",
        "score qrels.txt --waterfall ann=- --waterfall reranked=-",
        "score qrels.txt --waterfall ann=hnsw.run --waterfall reranked=final.run --format json -o final.run",
    ];
    let all = lines.map(|line| format!("$ mrmr {line}\n{}", shown(line)));
    assert_snapshot!(all.join("\n"));
}

#[test]
fn a_waterfall_has_no_gate_for_junit() {
    let output = assert_cmd::Command::cargo_bin("mrmr")
        .unwrap()
        .args([
            "score",
            "q",
            "--waterfall",
            "ann=a",
            "--waterfall",
            "reranked=b",
            "--format",
            "junit",
        ])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        stderr.contains("a waterfall has no gate that junit could report"),
        "{stderr}"
    );
}
