//! `mrmr trec` prints what trec_eval prints: its whole output, its messages, its exit codes.

#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;

const PARAMETERS: &str = "-N 4001 -m utility.2,-1,-0.5,0.01 -m P.1,3,7 -m ndcg.1=3,2=9,3=27 \
    -m ndcg_cut.1,3,7 -m success.1,3 -m set_F.0.5 -m iprec_at_recall.0,.25,.5,.75,1 \
    -m Rprec_mult.0.5,1,1.5 -m 11pt_avg.0.2,0.5,0.8 -m relstring.20 -m map_cut.3,7 \
    -m recall.3,7 -m relative_P.3,7 -m yaap";

fn trec(arguments: &str, qrels: &Path, run: &Path) -> Output {
    let mut command = Command::cargo_bin("mrmr").unwrap();
    command.arg("trec").args(arguments.split_whitespace());
    command.arg(qrels).arg(run).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// `rbp` and `rbp_resid` of version 10 read memory that was never set.
fn without_rbp(text: &str) -> String {
    let lines = text.split_inclusive('\n');
    lines.filter(|line| !line.starts_with("rbp")).collect()
}

/// What version 9 or 10 prints for a small table, given as `;`-separated lines.
fn small(arguments: &str, qrels: &str, run: &str) -> (i32, String, String) {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, lines: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, lines.replace("; ", "\n") + "\n").unwrap();
        path
    };
    let output = trec(arguments, &write("qrels", qrels), &write("run", run));
    let code = output.status.code().unwrap();
    (code, text(&output.stdout), text(&output.stderr))
}

fn lines(rows: &[(&str, &str, &str)]) -> String {
    let line = |row: &(&str, &str, &str)| format!("{:<22}\t{}\t{}\n", row.0, row.1, row.2);
    rows.iter().map(line).collect()
}

#[test]
fn the_outputs_of_both_versions_beside_the_repository_come_out_byte_for_byte() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/trec-golden");
    if !folder.is_dir() {
        println!("skipped: there is no ../shared/data/trec-golden beside the repository");
        return;
    }
    let parameters = format!("-q -c {PARAMETERS}");
    let options = [
        ("q", "-m all_trec -q"),
        ("qc", "-m all_trec -q -c"),
        ("qcl2", "-m all_trec -q -c -l2"),
        ("qcM10", "-m all_trec -q -c -M10"),
        ("qcJ", "-m all_trec -q -c -J"),
        ("params", parameters.as_str()),
        ("c", "-c"),
        ("n", "-n -q -m map -m num_rel"),
    ];
    for (version, full) in [("9", "9.0.8"), ("10", "10.0")] {
        for (name, options) in options {
            let arguments = format!("--compat {version} {options}");
            let output = trec(&arguments, &folder.join("g.qrels"), &folder.join("g.run"));
            let read = |path: PathBuf| std::fs::read_to_string(path);
            let expected = read(folder.join(format!("out.v{full}.{name}.txt"))).unwrap();
            let found = text(&output.stdout);
            assert!(
                without_rbp(&found) == without_rbp(&expected),
                "{arguments}: {}",
                first_difference(&found, &expected)
            );
            let errors = read(folder.join(format!("err.v{full}.{name}.txt")));
            assert_eq!(
                text(&output.stderr),
                errors.unwrap_or_default(),
                "{arguments}"
            );
            let code = if version == "10" && matches!(name, "q" | "n") {
                4
            } else {
                0
            };
            assert_eq!(output.status.code(), Some(code), "{arguments}");
        }
    }
}

#[test]
fn the_outputs_kept_in_the_repository_come_out_byte_for_byte() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/trec");
    let level = "-l2 -m official -m ndcg -m infAP -m Rprec_mult";
    for (version, name, options) in [
        ("9", "all", "-q -c -m all_trec"),
        ("9", "missing", "-q -m official"),
        ("9", "level", &format!("-q -c {level}")),
        ("9", "depth", "-q -c -M10 -m set -m recip_rank -m ndcg_cut"),
        (
            "9",
            "judged",
            "-q -c -J -m official -m 11pt_avg -m relstring",
        ),
        ("9", "parameters", &format!("-q -c {PARAMETERS}")),
        ("10", "all", "-q -c -n -m all_trec"),
        ("10", "level", &format!("-q -c -n {level}")),
        (
            "10",
            "depth",
            "-q -c -n -M10 -m set -m recip_rank -m ndcg_cut",
        ),
        (
            "10",
            "judged",
            "-q -c -n -J -m official -m 11pt_avg -m relstring",
        ),
        ("10", "parameters", &format!("-q -c -n {PARAMETERS}")),
    ] {
        let arguments = format!("--compat {version} {options}");
        let output = trec(
            &arguments,
            &folder.join("small.qrels"),
            &folder.join("small.run"),
        );
        let expected =
            std::fs::read_to_string(folder.join(format!("{version}.{name}.txt"))).unwrap();
        let found = without_rbp(&text(&output.stdout));
        assert!(
            found == expected,
            "{arguments}: {}",
            first_difference(&found, &expected)
        );
        assert_eq!(text(&output.stderr), "", "{arguments}");
        assert_eq!(output.status.code(), Some(0), "{arguments}");
    }
}

fn first_difference(found: &str, expected: &str) -> String {
    let mut pairs = found.lines().zip(expected.lines());
    match pairs.find(|(found, expected)| found != expected) {
        Some((found, expected)) => format!("found {found:?}, expected {expected:?}"),
        None => format!(
            "{} lines, expected {}",
            found.lines().count(),
            expected.lines().count()
        ),
    }
}

#[test]
fn a_missing_query_is_skipped_by_version_9_and_stops_version_10_unless_all_are_asked_for() {
    let (qrels, run) = ("q1 0 a 1; q2 0 b 1", "q1 Q0 a 1 1 t");
    let measures = "-m num_q -m recip_rank";
    let printed =
        |queries, value| lines(&[("num_q", "all", queries), ("recip_rank", "all", value)]);
    let nothing = String::new;
    assert_eq!(
        small(&format!("--compat 9 {measures}"), qrels, run),
        (0, printed("1", "1.0000"), nothing())
    );
    assert_eq!(
        small(&format!("--compat 10 {measures}"), qrels, run),
        (
            4,
            nothing(),
            "trec_eval: result qid 'q2' not found in qrels\n".to_owned()
        )
    );
    for version in ["9", "10"] {
        assert_eq!(
            small(&format!("--compat {version} -c {measures}"), qrels, run),
            (0, printed("2", "0.5000"), nothing())
        );
    }
}

#[test]
fn a_query_left_without_documents_is_not_a_number_as_in_trec_eval() {
    let (qrels, run) = ("q1 0 a 1", "q1 Q0 x 1 2 t; q1 Q0 y 2 1 t");
    for version in ["9", "10"] {
        let arguments =
            format!("--compat {version} -J -m map -m iprec_at_recall.0,1 -m 11pt_avg -m P.1");
        let expected = lines(&[
            ("map", "all", "0.0000"),
            ("iprec_at_recall_0.00", "all", "  -nan"),
            ("iprec_at_recall_1.00", "all", "0.0000"),
            ("P_1", "all", "0.0000"),
            ("11pt_avg", "all", "  -nan"),
        ]);
        assert_eq!(small(&arguments, qrels, run), (0, expected, String::new()));
    }
}

#[test]
fn a_negative_grade_is_no_judgement_under_judged_only() {
    let (qrels, run) = ("Q1 0 D1 -1; Q1 0 D2 1", "Q1 Q0 D1 1 2 t; Q1 Q0 D2 2 1 t");
    for version in ["9", "10"] {
        let found = small(&format!("--compat {version} -J -m P.1"), qrels, run);
        assert_eq!(found.1, lines(&[("P_1", "all", "1.0000")]));
    }
}

#[test]
fn a_level_above_all_grades_leaves_nothing_relevant_but_ndcg_as_it_is() {
    let (qrels, run) = ("q1 0 a 1", "q1 Q0 b 1 2 t; q1 Q0 a 2 1 t");
    for version in ["9", "10"] {
        let arguments = format!("--compat {version} -q -n -l2 -m num_rel -m map -m ndcg");
        let expected = lines(&[
            ("num_rel", "q1", "0"),
            ("map", "q1", "0.0000"),
            ("ndcg", "q1", "0.6309"),
        ]);
        assert_eq!(small(&arguments, qrels, run).1, expected);
    }
}

#[test]
fn version_9_compares_scores_in_32_bits_and_version_10_in_64() {
    let (qrels, run) = ("q 0 a 1", "q Q0 a 1 16777217 t; q Q0 b 2 16777216 t");
    for (version, value) in [("9", "0.5000"), ("10", "1.0000")] {
        let found = small(&format!("--compat {version} -m recip_rank"), qrels, run);
        assert_eq!(found.1, lines(&[("recip_rank", "all", value)]));
    }
}

#[test]
fn gains_that_differ_by_less_than_1_are_equal_in_the_ideal_order() {
    // As printed by trec_eval 9.0.4.
    let (qrels, run) = (
        "q 0 a 1; q 0 b 2; q 0 c 0",
        "q Q0 c 1 3 t; q Q0 b 2 2 t; q Q0 a 3 1 t",
    );
    let found = small("-m ndcg.0=1.5,1=1,2=0.5", qrels, run);
    assert_eq!(found.1, lines(&[("ndcg_0=1.5,1=1,2=0.5", "all", "1.2310")]));
}

#[test]
fn the_run_is_called_by_the_tag_of_its_last_line() {
    let found = small("-m runid", "q 0 a 1", "q Q0 a 1 2 first; q Q0 b 2 1 last");
    assert_eq!(found.1, lines(&[("runid", "all", "last")]));
}

#[test]
fn what_cannot_be_done_ends_with_the_words_and_the_code_of_trec_eval() {
    let (qrels, run) = ("q 0 a 1", "q Q0 a 1 1 t");
    for (arguments, code, words) in [
        ("-m nonsense", 1, "trec_eval: illegal measure 'nonsense'\n"),
        (
            "-m ndgc",
            1,
            "trec_eval: illegal measure 'ndgc'\nhint: did you mean ndcg?\n",
        ),
        (
            "-m P.",
            1,
            "trec_eval: improper measure in parameter 'P'\ntrec_eval: illegal measure 'P'\n",
        ),
        ("--compat 9 -m unj", 1, "trec_eval: illegal measure 'unj'\n"),
        (
            "-m P.5,5",
            2,
            "trec_eval: duplicate cutoffs detected\ntrec_eval: Cannot initialize measure 'P'\n",
        ),
        (
            "-m P.0",
            2,
            "trec_eval: Negative cutoff detected\ntrec_eval: Cannot initialize measure 'P'\n",
        ),
        (
            "-m G.1",
            2,
            "trec_eval: malformed pair parameters in '1'\ntrec_eval: Cannot initialize measure 'G'\n",
        ),
        (
            "-m utility.1,2",
            4,
            "trec_eval.calc_utility: improper number of coefficients\ntrec_eval: Can't calculate measure 'utility'\n",
        ),
    ] {
        assert_eq!(
            small(arguments, qrels, run),
            (code, String::new(), words.to_owned()),
            "{arguments}"
        );
    }
    assert_eq!(
        small("--compat 9", qrels, "other Q0 a 1 1 t"),
        (
            7,
            String::new(),
            "trec_eval: No queries with both results and relevance info\n".to_owned()
        )
    );
    assert_eq!(
        small("-m map", "q 0 a -1", run),
        (
            4,
            String::new(),
            "trec_eval: Can't calculate measure 'map'\n".to_owned()
        )
    );
}

#[test]
fn a_grade_that_is_no_whole_number_is_cut_with_a_warning() {
    let (code, output, errors) =
        small("-m num_rel -m ndcg", "q 0 a 1.7; q 0 b 0.5", "q Q0 a 1 1 t");
    assert_eq!(code, 0);
    assert_eq!(
        output,
        lines(&[("num_rel", "all", "1"), ("ndcg", "all", "1.0000")])
    );
    assert!(errors.contains("cut to whole numbers"), "{errors}");
}

#[test]
fn a_file_that_cannot_be_read_is_exit_code_2() {
    let missing = Path::new("no-such-file");
    let output = trec("", missing, missing);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("no-such-file"));
}

#[test]
fn the_global_quiet_is_not_the_option_q() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/trec");
    let run = |before: &[&str], after: &[&str]| {
        let mut command = Command::cargo_bin("mrmr").unwrap();
        command.args(before).arg("trec").args(after);
        command.args(["-c", "-m", "map"]);
        command
            .arg(folder.join("small.qrels"))
            .arg(folder.join("small.run"));
        text(&command.output().unwrap().stdout).lines().count()
    };
    assert_eq!(run(&["--quiet"], &[]), 1);
    assert_eq!(run(&["-q"], &[]), 1);
    assert_eq!(run(&[], &["--quiet"]), 1);
    assert_eq!(run(&[], &["-q"]), 5);
}
