//! `mrmr compare`, `diff`, `explain`, slices and gates through the binary: stdout, stderr and exit code whole.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use assert_cmd::Command;
use insta::assert_snapshot;

/// Runs a command line over files, and shows everything that came of it.
fn shown(files: &[(&str, &str)], line: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    shown_in(folder.path(), line)
}

fn shown_in(folder: &Path, line: &str) -> String {
    let output = Command::cargo_bin("mrmr")
        .unwrap()
        .current_dir(folder)
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

/// Judgements of ten queries, one relevant document each, and a run that has it at these ranks.
fn qrels() -> String {
    (0..10)
        .map(|q| format!("q{q} 0 r{q} 1\nq{q} 0 n{q} 0\n"))
        .collect()
}

fn run(name: &str, ranks: &[usize]) -> String {
    let mut text = String::new();
    for (q, relevant) in ranks.iter().enumerate() {
        for rank in 1..=5 {
            let document = match rank {
                _ if rank == *relevant => format!("r{q}"),
                1 => format!("n{q}"),
                _ => format!("x{rank}"),
            };
            text += &format!("q{q} Q0 {document} {rank} {} {name}\n", 10 - rank);
        }
    }
    text
}

const BASE: &[usize] = &[1, 2, 1, 3, 1, 2, 1, 1, 2, 1];
const WORSE: &[usize] = &[2, 3, 2, 4, 2, 3, 2, 2, 3, 1];

fn files() -> Vec<(&'static str, String)> {
    vec![
        ("qrels.txt", qrels()),
        ("base.run", run("base", BASE)),
        ("same.run", run("base", BASE)),
        ("worse.run", run("worse", WORSE)),
        ("short.run", run("short", &BASE[..7])),
        (
            "slices.tsv",
            (0..8)
                .map(|q| format!("q{q}\t{}\n", ["even", "odd"][q % 2]))
                .collect(),
        ),
    ]
}

fn with_files(line: &str) -> String {
    let files = files();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(name, text)| (*name, text.as_str()))
        .collect();
    shown(&files, line)
}

#[test]
fn identical_runs_of_one_name_are_told_apart_and_show_no_difference() {
    assert_snapshot!(with_files("compare qrels.txt base.run same.run -m RR"));
}

#[test]
fn a_reference_is_named_by_run_or_file_and_a_regression_fails() {
    let by_file = with_files(
        "compare qrels.txt worse.run --reference base.run -m RR -m P@1 --fail-on-regression",
    );
    let by_name = with_files(
        "compare qrels.txt worse.run base.run --reference base -m RR -m P@1 --fail-on-regression",
    );
    assert_eq!(by_file, by_name);
    assert_snapshot!(by_file);
}

#[test]
fn a_fall_within_the_tolerance_passes() {
    let shown = with_files(
        "compare qrels.txt base.run worse.run -m RR --fail-on-regression --tolerance 0.5 --format junit",
    );
    assert_snapshot!(shown);
}

#[test]
fn a_reference_that_is_not_there_is_an_error() {
    assert_snapshot!(with_files(
        "compare qrels.txt base.run worse.run --reference bets"
    ));
    assert_snapshot!(with_files(
        "compare qrels.txt base.run same.run --reference base"
    ));
}

#[test]
fn runs_over_different_queries_are_refused_unless_told() {
    assert_snapshot!(with_files("compare qrels.txt base.run short.run -m RR"));
    assert_snapshot!(with_files(
        "compare -q qrels.txt base.run short.run -m RR --different-queries common"
    ));
    assert_snapshot!(with_files(
        "compare -q qrels.txt base.run short.run -m RR --different-queries zero"
    ));
    assert_snapshot!(with_files(
        "compare qrels.txt base.run short.run -m RR --different-queries zero --missing skip"
    ));
}

#[test]
fn a_count_has_no_mean_to_compare() {
    assert_snapshot!(with_files(
        "compare qrels.txt base.run worse.run -m NumRelRet"
    ));
}

#[test]
fn thirty_runs_fit_the_table() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("qrels.txt"), qrels()).unwrap();
    let mut line = "compare qrels.txt".to_owned();
    for at in 0..30 {
        let ranks: Vec<usize> = BASE
            .iter()
            .enumerate()
            .map(|(q, rank)| 1 + (rank + at * q / 9) % 5)
            .collect();
        let name = format!("run{at}.run");
        std::fs::write(folder.path().join(&name), run("same-name", &ranks)).unwrap();
        line += &format!(" {name}");
    }
    assert_snapshot!(
        "thirty_runs",
        shown_in(folder.path(), &format!("{line} -m RR"))
    );
    assert_snapshot!(
        "thirty_runs_tukey",
        shown_in(folder.path(), &format!("{line} -m RR --tukey"))
    );
}

#[test]
fn differences_are_listed_by_contrast() {
    assert_snapshot!(with_files(
        "diff qrels.txt base.run worse.run -m RR --top 4"
    ));
    assert_snapshot!(with_files(
        "diff qrels.txt base.run short.run -m RR --missing skip --format tsv"
    ));
}

#[test]
fn two_rankings_stand_side_by_side() {
    assert_snapshot!(with_files(
        "diff qrels.txt base.run worse.run --query q3 -m nDCG@3"
    ));
    assert_snapshot!(with_files(
        "diff -q qrels.txt base.run short.run --query q9 -m nDCG@3"
    ));
}

#[test]
fn a_value_is_explained() {
    assert_snapshot!(with_files("explain qrels.txt worse.run q3 nDCG@5"));
    assert_snapshot!(with_files("explain qrels.txt short.run q9 RR"));
    assert_snapshot!(with_files("explain qrels.txt worse.run q33 RR"));
}

#[test]
fn a_query_that_is_left_out_is_not_explained() {
    let left_out = |line| with_files(&format!("explain qrels.txt short.run q9 RR {line}"));
    assert_eq!(
        left_out("--missing skip"),
        "exit code 2\n--- stdout\n--- stderr\n\
         error: query 'q9' is missing from the run and left out (--missing skip): there is no value to explain\n\
         hint: --missing zero counts it 0\n"
    );
    assert!(left_out("--missing error").starts_with("exit code 2\n--- stdout\n--- stderr\n"));
}

#[test]
fn slices_are_measured_with_their_number_of_queries() {
    assert_snapshot!(with_files("score qrels.txt base.run -m RR --by slices.tsv"));
    assert_snapshot!(with_files("score qrels.txt base.run -m RR --by slices.tvs"));
}

#[test]
fn a_value_under_its_bound_fails() {
    assert_snapshot!(with_files(
        "score qrels.txt base.run worse.run -m P@1 --no-intervals --fail-under RR=0.7 --fail-under P(rel=1)@1=0"
    ));
    assert_snapshot!(with_files("score qrels.txt base.run --fail-under RR"));
}

#[test]
fn the_form_is_that_of_the_files_ending() {
    let files = files();
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in &files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    for (ending, start) in [
        ("tex", "% Runs against base"),
        ("md", "- reference base"),
        ("csv", "run,reference,"),
        ("tsv", "run\treference\t"),
        ("json", "{\n  \"schema\": \"mrmr.compare/1\""),
        ("jsonl", "{\"run\":\"worse\""),
        ("html", "<section class=\"mrmr\">"),
        ("xml", "<?xml "),
        ("txt", "reference base;"),
    ] {
        let line = format!("compare -q qrels.txt base.run worse.run -m RR -o out.{ending}");
        assert_eq!(
            shown_in(folder.path(), &line),
            "exit code 0\n--- stdout\n--- stderr\n"
        );
        let text = std::fs::read_to_string(folder.path().join(format!("out.{ending}"))).unwrap();
        assert!(text.starts_with(start), "{ending}: {text}");
    }
}

#[test]
fn every_measure_is_listed() {
    let shown = with_files("score --list-measures");
    for definition in mrmr_measures::definitions() {
        assert!(
            shown.contains(&format!("\n{} ", definition.name)),
            "{}",
            definition.name
        );
    }
}
