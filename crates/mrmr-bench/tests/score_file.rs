//! Measuring a run file query by query gives the bits that measuring the whole run gives.

#![allow(clippy::unwrap_used)]

use std::io::Write;
use std::path::Path;

use mrmr_bench::{ScoreOptions, score_file};
use mrmr_core::{DuplicatePolicy, RankingPolicy, ScorePrecision, TiePolicy, UnjudgedPolicy};
use mrmr_formats::Input;
use mrmr_formats::qrels::{QrelsOptions, read_qrels};
use mrmr_formats::run::{RunOptions, read_run};
use mrmr_measures::{Evaluation, Evaluator, MeasureSpec, Policies};
use proptest::prelude::*;

const QRELS: &str =
    "q1 0 d1 1\nq1 0 d2 0\nq1 0 d3 2\nq2 0 d1 -1\nq2 0 d9 3\nq3 0 d4 1\nq3 0 d5 1\nq9 0 d1 1\n";

fn measures() -> Vec<MeasureSpec> {
    let texts = [
        "nDCG@10", "RR@2", "R@100", "AP", "P@1", "Judged@3", "NumRet", "NumQ",
    ];
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

/// Both ways of measuring a run.
fn both(
    input: &Input,
    policies: Policies,
) -> (Result<Evaluation, String>, Result<Evaluation, String>) {
    let (qrels, _) = read_qrels(
        &Input::memory("qrels", QRELS.as_bytes()),
        &QrelsOptions::default(),
    )
    .unwrap();
    let evaluator = Evaluator::new(&qrels, measures(), policies).unwrap();
    let whole =
        read_run(input, &RunOptions::default()).and_then(|(run, _)| evaluator.evaluate(&run));
    let parts = score_file(&evaluator, input, &ScoreOptions::default());
    (
        whole.map_err(|error| error.to_string()),
        parts
            .map(|scored| scored.evaluation)
            .map_err(|error| error.to_string()),
    )
}

fn line() -> impl Strategy<Value = String> {
    let score = prop_oneof![
        (0u8..4).prop_map(|n| n.to_string()),
        any::<f32>()
            .prop_filter("a number", |x| !x.is_nan())
            .prop_map(|x| x.to_string()),
        (0i64..1_000_000).prop_map(|n| format!("{}.{:06}", n % 7, n)),
        Just("16777217".to_owned()),
        Just("16777216".to_owned()),
        Just("1e-3".to_owned()),
        Just("-inf".to_owned()),
    ];
    (1u8..6, 1u8..12, score).prop_map(|(q, d, score)| format!("q{q} Q0 d{d} 1 {score} tag"))
}

/// Lines with each document once a query, in the order of the queries or in none.
fn run_file() -> impl Strategy<Value = Vec<String>> {
    (proptest::collection::vec(line(), 0..40), any::<bool>()).prop_map(|(mut lines, grouped)| {
        let key = |line: &String| {
            let fields: Vec<&str> = line.split(' ').collect();
            (fields[0].to_owned(), fields[2].to_owned())
        };
        let mut seen = std::collections::HashSet::new();
        lines.retain(|line| seen.insert(key(line)));
        if grouped {
            lines.sort_by_key(|line| key(line).0);
        }
        lines
    })
}

fn policies() -> impl Strategy<Value = Policies> {
    (0..4usize, any::<bool>(), any::<bool>()).prop_map(|(ties, single, drop)| Policies {
        ranking: RankingPolicy {
            ties: TiePolicy::ALL[ties],
            precision: if single {
                ScorePrecision::F32
            } else {
                ScorePrecision::F64
            },
        },
        unjudged: if drop {
            UnjudgedPolicy::Drop
        } else {
            UnjudgedPolicy::NonRelevant
        },
        ..Policies::default()
    })
}

proptest! {
    #[test]
    fn the_bits_are_those_of_the_whole_run(lines in run_file(), policies in policies(), end in "(\n|\r\n)?") {
        let text = lines.join("\n") + &end;
        let (whole, parts) = both(&Input::memory("run.txt", text.into_bytes()), policies);
        prop_assert_eq!(whole, parts);
    }

    #[test]
    fn what_is_wrong_is_said_in_the_same_words(lines in run_file(), at in any::<prop::sample::Index>(), fault in 0..6usize) {
        let mut lines = lines;
        let faults = ["q1 Q0 d1 1 nan tag", "q1 Q0 d1 1 2", "q1 Q0 d1 1 0,9 tag", "# a comment", "q1 Q0 d2 1 1 tag", "q1\tQ0 d7 1 1 tag"];
        let at = at.index(lines.len() + 1);
        lines.insert(at, faults[fault].to_owned());
        let (whole, parts) = both(&Input::memory("run.txt", lines.join("\n").into_bytes()), Policies::default());
        prop_assert_eq!(whole, parts);
    }
}

/// A run of many queries: larger than several parts of a file.
fn large(queries: usize, depth: usize) -> (String, String) {
    let (mut run, mut qrels) = (String::new(), String::new());
    let mut state = 1u64;
    for q in 0..queries {
        for d in 0..depth {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let score = (state >> 40) as f64 / 1024.0;
            run += &format!(
                "query{q} Q0 D{:07} {d} {score} large\n",
                (q * 31 + d * 7) % 100_000
            );
            if state.is_multiple_of(41) {
                qrels += &format!(
                    "query{q} 0 D{:07} {}\n",
                    (q * 31 + d * 7) % 100_000,
                    state % 3
                );
            }
        }
    }
    (run, qrels)
}

fn evaluate(evaluator: &Evaluator<'_>, path: &Path) -> Evaluation {
    score_file(evaluator, &Input::path(path), &ScoreOptions::default())
        .unwrap()
        .evaluation
}

#[test]
fn parts_threads_compression_and_pipes_change_nothing() {
    let (run, qrels) = large(2600, 100);
    let folder = tempfile::tempdir().unwrap();
    let plain = folder.path().join("run.txt");
    std::fs::write(&plain, &run).unwrap();
    assert!(run.len() > 8 << 20, "more than one part");
    let (qrels, _) = read_qrels(
        &Input::memory("qrels", qrels.into_bytes()),
        &QrelsOptions::default(),
    )
    .unwrap();
    let evaluator = Evaluator::new(&qrels, measures(), Policies::default()).unwrap();
    let (whole, _) = read_run(&Input::path(&plain), &RunOptions::default()).unwrap();
    let expected = evaluator.evaluate(&whole).unwrap();
    assert!(expected.measures[0].value > 0.0);
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        assert_eq!(
            pool.install(|| evaluate(&evaluator, &plain)),
            expected,
            "{threads} threads"
        );
    }

    let packed = folder.path().join("run.txt.gz");
    let mut encoder = flate2::write::GzEncoder::new(
        std::fs::File::create(&packed).unwrap(),
        flate2::Compression::fast(),
    );
    encoder.write_all(run.as_bytes()).unwrap();
    encoder.finish().unwrap();
    assert_eq!(evaluate(&evaluator, &packed), expected);

    // A query that comes back at the end of the file.
    let first = run.find("query1 ").unwrap();
    let shuffled = folder.path().join("shuffled.txt");
    std::fs::write(
        &shuffled,
        format!(
            "{}{}",
            &run[first / 2 + 1..].split_once('\n').unwrap().1,
            ""
        ),
    )
    .unwrap();
    let tail = &run[..run[..first / 2 + 1 + run[first / 2 + 1..].find('\n').unwrap() + 1].len()];
    let mut file = std::fs::OpenOptions::new()
        .append(true)
        .open(&shuffled)
        .unwrap();
    file.write_all(tail.as_bytes()).unwrap();
    assert_eq!(evaluate(&evaluator, &shuffled), expected);
}

#[cfg(unix)]
#[test]
fn a_pipe_is_measured_too_whatever_its_order() {
    for text in [
        "q1 Q0 d1 1 2 t\nq3 Q0 d4 1 2 t\n",
        "q1 Q0 d1 1 2 t\nq3 Q0 d4 1 2 t\nq1 Q0 d3 1 3 t\n",
    ] {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(
            std::process::Command::new("mkfifo")
                .arg(&pipe)
                .status()
                .unwrap()
                .success()
        );
        let writer = {
            let pipe = pipe.clone();
            std::thread::spawn(move || std::fs::write(pipe, text).unwrap())
        };
        let (qrels, _) = read_qrels(
            &Input::memory("qrels", QRELS.as_bytes()),
            &QrelsOptions::default(),
        )
        .unwrap();
        let evaluator = Evaluator::new(&qrels, measures(), Policies::default()).unwrap();
        let found = evaluate(&evaluator, &pipe);
        writer.join().unwrap();
        let (run, _) = read_run(
            &Input::memory("run", text.as_bytes()),
            &RunOptions::default(),
        )
        .unwrap();
        let expected = evaluator.evaluate(&run).unwrap();
        assert_eq!(found, expected);
    }
}

#[test]
fn a_repeated_document_follows_the_policy() {
    let text = "q1 Q0 d1 1 3 t\nq1 Q0 d2 2 2 t\nq1 Q0 d1 3 1 t\n";
    let (qrels, _) = read_qrels(
        &Input::memory("qrels", QRELS.as_bytes()),
        &QrelsOptions::default(),
    )
    .unwrap();
    let evaluator =
        Evaluator::new(&qrels, vec!["RR".parse().unwrap()], Policies::default()).unwrap();
    let options = |duplicates| ScoreOptions {
        run: RunOptions {
            duplicates,
            ..RunOptions::default()
        },
        ..ScoreOptions::default()
    };
    let input = Input::memory("run.txt", text.as_bytes());
    let error = score_file(&evaluator, &input, &options(DuplicatePolicy::Error)).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("run.txt:3: query 'q1': document 'd1' is there twice"),
        "{error}"
    );
    let last = score_file(&evaluator, &input, &options(DuplicatePolicy::Last)).unwrap();
    assert_eq!(last.notes.duplicates_dropped, 1);
}
