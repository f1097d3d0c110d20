//! `mrmr fuse` and `mrmr tune`: what they refuse, warn of and write.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output};

fn mrmr(folder: &Path, line: &str) -> Output {
    Command::new(assert_cmd::cargo::cargo_bin("mrmr"))
        .args(line.split(' '))
        .current_dir(folder)
        .output()
        .unwrap()
}

fn files() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("a.run", "q1 Q0 x 1 3 a\nq1 Q0 y 2 1 a\nq2 Q0 z 1 1 a\n");
    write("b.run", "q1 Q0 y 1 9 b\nq3 Q0 w 1 inf b\n");
    write("other.run", "t1 Q0 x 1 3 a\nt1 Q0 y 2 1 a\n");
    write("qrels.txt", "q1 0 y 1\nq2 0 z 1\n");
    write("train.txt", "t1 0 y 1\n");
    folder
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn a_run_is_fused_and_what_was_accepted_is_told() {
    let folder = files();
    let out = mrmr(
        folder.path(),
        "fuse a.run b.run --method combsum --keep 1 --name both",
    );
    assert_eq!(
        String::from_utf8(out.stdout.clone()).unwrap(),
        "q1 Q0 x 1 1 both\nq2 Q0 z 1 0 both\nq3 Q0 w 1 0 both\n"
    );
    let told = stderr(&out);
    assert!(
        told.contains("warning: a.run lacks 1 query that another run has"),
        "{told}"
    );
    assert!(
        told.contains("warning: 1 infinite score was taken for finite"),
        "{told}"
    );
    let out = mrmr(
        folder.path(),
        "fuse a.run b.run --method wrrf --weights 0,1 --k 0 -o f.json",
    );
    assert!(out.status.success(), "{}", stderr(&out));
    let json = std::fs::read_to_string(folder.path().join("f.json")).unwrap();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["q1"], serde_json::json!({"y": 1, "x": 0}));
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let folder = files();
    for (line, expected) in [
        (
            "fuse a.run b.run --method rff",
            "error: unknown method of fusion 'rff'\nhint: did you mean rrf?",
        ),
        (
            "fuse a.run b.run --method wsum --weights 1,2,3",
            "error: wsum: expected a weight for each of 2 runs, found 3: 1,2,3",
        ),
        (
            "fuse a.run b.run --method isr --k 3",
            "error: isr takes no parameter 'k'; it takes no parameters",
        ),
        (
            "fuse a.run b.run --norm zmuv",
            "error: rrf reads ranks alone: --norm zmuv has no effect",
        ),
        (
            "fuse a.run b.run --method wsum --norm minmax",
            "hint: did you mean min-max?",
        ),
        (
            "fuse a.run b.run --method posfuse",
            "error: posfuse learns from judgements first; expected --qrels",
        ),
        (
            "fuse a.run b.run --qrels qrels.txt",
            "error: rrf learns nothing from judgements: --qrels has no effect",
        ),
        ("fuse a.run", "error: fusion needs two runs, found one"),
        (
            "fuse - -",
            "error: standard input (-) can be read once only",
        ),
        (
            "fuse a.run b.run --method posfuse --qrels train.txt --train other.run",
            "error: expected a --train for each of 2 runs, in their order, found 1",
        ),
        (
            "tune qrels.txt a.run b.run --method combsum",
            "error: combsum has nothing to choose",
        ),
        (
            "tune qrels.txt a.run b.run",
            "error: 5 folds need as many queries, found 2",
        ),
        (
            "tune qrels.txt a.run b.run -o -",
            "error: -: what was found goes to standard output; expected a file",
        ),
    ] {
        let out = mrmr(folder.path(), line);
        assert_eq!(out.status.code(), Some(2), "{line}");
        assert!(stderr(&out).contains(expected), "{line}: {}", stderr(&out));
    }
}

#[test]
fn what_is_learnt_from_the_fused_queries_is_not_held_out() {
    let folder = files();
    let warns = |line: &str| {
        let out = mrmr(folder.path(), line);
        assert!(out.status.success(), "{}", stderr(&out));
        stderr(&out).contains("not held out")
    };
    assert!(warns("fuse a.run b.run --method mapfuse --qrels qrels.txt"));
    assert!(!warns(
        "fuse a.run b.run --method mapfuse --qrels train.txt --train other.run --train other.run"
    ));
}

#[test]
fn parameters_are_found_and_written_with_their_doubts() {
    let folder = files();
    let line =
        "tune qrels.txt a.run b.run --method wsum --measure RR --folds 2 -o p.toml --run-out h.run";
    let out = mrmr(folder.path(), line);
    let told = stderr(&out);
    assert!(out.status.success(), "{told}");
    assert!(
        told.contains("warning: a.run lacks 1 query that another run has"),
        "{told}"
    );
    assert!(
        told.contains("warning: a gain over a is not shown"),
        "{told}"
    );
    let toml = std::fs::read_to_string(folder.path().join("p.toml")).unwrap();
    assert!(
        toml.starts_with("[fuse]\nruns = [\"a\", \"b\"]\nmethod = \"wsum\"\n"),
        "{toml}"
    );
    let run = std::fs::read_to_string(folder.path().join("h.run")).unwrap();
    assert_eq!(run.lines().count(), 4, "{run}");
}

#[test]
fn methods_are_listed_without_runs() {
    let out = mrmr(Path::new("."), "fuse --list-methods");
    let text = String::from_utf8(out.stdout).unwrap();
    for definition in mrmr_search::fusion::definitions() {
        assert!(text.contains(&format!("{}: {}", definition.name, definition.summary)));
    }
}
