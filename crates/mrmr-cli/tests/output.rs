//! Where results go, and what reaches the terminal.

#![allow(clippy::unwrap_used)]

use assert_cmd::Command;

fn mrmr(folder: &std::path::Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::cargo_bin("mrmr").unwrap();
    let output = command
        .current_dir(folder)
        .args(arguments)
        .output()
        .unwrap();
    (
        output.status.code(),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

fn files() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("q"), "1 0 a 1\n").unwrap();
    std::fs::write(folder.path().join("r"), "1 Q0 a 1 2 t\n").unwrap();
    folder
}

#[test]
fn results_are_never_written_over_an_input() {
    let folder = files();
    for arguments in [
        vec!["score", "q", "r", "--format", "json", "-o", "r"],
        vec!["score", "q", "r", "--format", "json", "-o", "./q"],
        vec![
            "explain", "q", "r", "1", "RR", "--format", "json", "-o", "r",
        ],
    ] {
        let (code, _, stderr) = mrmr(folder.path(), &arguments);
        assert_eq!(code, Some(2), "{stderr}");
        assert!(
            stderr.contains("the results would be written over a file that is read"),
            "{stderr}"
        );
    }
    assert_eq!(
        std::fs::read_to_string(folder.path().join("r")).unwrap(),
        "1 Q0 a 1 2 t\n"
    );
}

#[test]
fn an_unknown_ending_is_an_error_and_a_dash_is_stdout() {
    let folder = files();
    let (code, _, stderr) = mrmr(folder.path(), &["score", "q", "r", "-o", "x.foo"]);
    assert_eq!(code, Some(2));
    assert!(
        stderr.starts_with(
            "error: x.foo: the ending says no form of results; expected one of .txt, .tsv"
        ),
        "{stderr}"
    );
    let (code, stdout, _) = mrmr(folder.path(), &["score", "q", "r", "-o", "-"]);
    assert_eq!(code, Some(0));
    assert!(stdout.starts_with("run"), "{stdout}");
    assert!(!folder.path().join("-").exists());
}

#[test]
fn control_characters_of_an_id_do_not_reach_the_terminal() {
    let folder = files();
    std::fs::write(folder.path().join("evil"), "\x1b[31mred 0 a 1\n").unwrap();
    let (code, stdout, stderr) = mrmr(folder.path(), &["score", "evil", "r"]);
    assert_eq!(code, Some(2));
    assert!(
        !stdout.contains('\x1b') && !stderr.contains('\x1b'),
        "{stderr}"
    );
    assert!(stderr.contains("\\u{1b}[31mred"), "{stderr}");
}

#[test]
fn too_many_threads_are_refused() {
    let folder = files();
    let (code, _, stderr) = mrmr(folder.path(), &["score", "q", "r", "--threads", "20000"]);
    assert_eq!(code, Some(2), "{stderr}");
    let (code, _, _) = mrmr(folder.path(), &["score", "q", "r", "--threads", "3"]);
    assert_eq!(code, Some(0));
}

#[test]
fn a_bound_or_tolerance_in_percent_is_refused() {
    let folder = files();
    std::fs::write(folder.path().join("s"), "1 Q0 z 1 2 s\n1 Q0 a 2 1 s\n").unwrap();
    let (code, _, stderr) = mrmr(folder.path(), &["score", "q", "r", "--fail-under", "RR=75"]);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(
        stderr.contains("hint: a percentage? write RR=0.75"),
        "{stderr}"
    );
    let gate = [
        "compare",
        "q",
        "r",
        "s",
        "-m",
        "RR",
        "--fail-on-regression",
        "--tolerance",
    ];
    for (tolerance, message) in [
        ("1", "no run could be worse by more"),
        ("-1", "from 0 up, not -1"),
    ] {
        let (code, _, stderr) = mrmr(folder.path(), &[&gate[..], &[tolerance]].concat());
        assert_eq!(code, Some(2), "{stderr}");
        assert!(stderr.contains(message), "{stderr}");
    }
}

#[test]
fn slices_of_other_queries_are_an_error() {
    let folder = files();
    for (slices, message) in [
        (
            "q1.0\tA\n",
            "error: slices.tsv: no query is in a slice: the slices have 'q1.0'; the queries are '1'",
        ),
        ("", "error: slices.tsv: "),
    ] {
        std::fs::write(folder.path().join("slices.tsv"), slices).unwrap();
        let (code, _, stderr) = mrmr(folder.path(), &["score", "q", "r", "--by", "slices.tsv"]);
        assert_eq!(code, Some(2), "{stderr}");
        assert!(stderr.contains(message), "{stderr}");
    }
}

#[test]
fn a_difference_over_no_query_is_an_error() {
    let folder = files();
    std::fs::write(folder.path().join("q"), "1 0 a 1\n2 0 a 1\n").unwrap();
    std::fs::write(folder.path().join("s"), "2 Q0 a 1 2 s\n").unwrap();
    let (code, _, stderr) = mrmr(
        folder.path(),
        &["diff", "q", "r", "s", "-m", "RR", "--missing", "skip"],
    );
    assert_eq!(code, Some(2), "{stderr}");
    assert!(
        stderr.contains("no query is left to compare: 2 judged queries are left out"),
        "{stderr}"
    );
    let one = [
        "diff",
        "q",
        "r",
        "s",
        "-m",
        "RR",
        "--missing",
        "skip",
        "--query",
        "2",
    ];
    let (code, _, stderr) = mrmr(folder.path(), &one);
    assert_eq!(code, Some(2), "{stderr}");
    assert!(
        stderr.contains("query '2' is missing from the run and left out"),
        "{stderr}"
    );
}

#[test]
fn grades_beyond_what_err_can_hold_are_an_error() {
    let folder = files();
    for measure in ["ERR(max_rel=2000)@5", "nERR(max_rel=2000)@5"] {
        let (code, _, stderr) = mrmr(folder.path(), &["score", "q", "r", "-m", measure]);
        assert_eq!(code, Some(2), "{stderr}");
        assert!(stderr.contains("too small for a number"), "{stderr}");
    }
}

#[test]
fn the_list_of_measures_goes_where_it_is_told_to() {
    let folder = files();
    let (code, stdout, _) = mrmr(
        folder.path(),
        &["score", "--list-measures", "-o", "list.md"],
    );
    assert_eq!((code, stdout.as_str()), (Some(0), ""));
    assert!(
        std::fs::read_to_string(folder.path().join("list.md"))
            .unwrap()
            .contains("| nDCG |")
    );
}
