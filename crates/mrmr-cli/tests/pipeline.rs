//! `mrmr bench FILE.toml`: planned, run once, resumed to the same bytes.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use support::{Said, mrmr};

const SYSTEMS: &str = r#"
[dataset]
path = "data"

[[system]]
name = "bm25"
retrieve = { kind = "bm25" }

[[system]]
name = "dense"
encoder = { model = "hashing" }
retrieve = { kind = "exact" }

[[system]]
name = "ann"
encoder = { model = "hashing" }
retrieve = { kind = "hnsw", m = 4, ef = 8 }
depth = 20

[[system]]
name = "reranked"
retrieve = { kind = "bm25" }
rerank = { model = "hashing", depth = 10 }

[[system]]
name = "hybrid"
fuse = { runs = ["bm25", "dense"], method = "wsum", weights = [0.3, 0.7] }

[[system]]
name = "tuned"
fuse = { runs = ["bm25", "dense"], method = "wsum", tune = { measure = "RR@10", folds = 4 } }

[[system]]
name = "expanded"
expand = { file = "expansions.json" }
retrieve = { kind = "bm25" }
"#;

/// Queries whose answer shares some of their words.
fn data(folder: &Path, documents: usize) {
    let data = folder.join("data");
    std::fs::create_dir_all(data.join("qrels")).unwrap();
    let word = |n: usize| format!("w{}", n % 97);
    let text = |at: usize, words: usize| {
        let words: Vec<String> = (0..words).map(|i| word(at * 13 + i * i * 7)).collect();
        words.join(" ")
    };
    let (mut corpus, mut queries) = (String::new(), String::new());
    let mut qrels = String::from("query-id\tcorpus-id\tscore\n");
    for at in 0..documents {
        corpus += &format!(
            "{{\"_id\": \"d{at}\", \"title\": \"\", \"text\": \"{}\"}}\n",
            text(at, 30)
        );
    }
    for at in 0..documents / 4 {
        let answer = at * 3;
        queries += &format!(
            "{{\"_id\": \"q{at}\", \"text\": \"{}\"}}\n",
            text(answer, 6)
        );
        qrels += &format!("q{at}\td{answer}\t1\n");
    }
    std::fs::write(data.join("corpus.jsonl"), corpus).unwrap();
    std::fs::write(data.join("queries.jsonl"), queries).unwrap();
    std::fs::write(data.join("qrels/test.tsv"), qrels).unwrap();
    let expansions = r#"{"q0": "w1 w2 w3", "q1": "nothing of that"}"#;
    std::fs::write(folder.join("expansions.json"), expansions).unwrap();
    std::fs::write(folder.join("systems.toml"), SYSTEMS).unwrap();
}

fn prepared(documents: usize) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    data(folder.path(), documents);
    folder
}

/// Every file of a folder, by name; the run card has the clock in it.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.path().is_dir() {
            let inner = self::files(&entry.path()).into_iter();
            files.extend(inner.map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)));
        } else if name != "card.json" {
            files.insert(name, std::fs::read(entry.path()).unwrap());
        }
    }
    files
}

fn actions(said: &Said) -> Vec<(String, String)> {
    let lines = said.stdout.lines().map(|line| {
        let mut parts = line
            .split("  ")
            .map(str::trim)
            .filter(|part| !part.is_empty());
        let name = parts.next().unwrap_or_default().to_owned();
        (name, parts.last().unwrap_or_default().to_owned())
    });
    lines.collect()
}

fn plan(folder: &Path, more: &str) -> Vec<(String, String)> {
    let said = mrmr(folder, &format!("bench systems.toml --dry-run {more}"));
    assert_eq!(said.code, Some(0), "{said}");
    actions(&said)
}

fn of<'a>(plan: &'a [(String, String)], step: &str) -> &'a str {
    &plan.iter().find(|(name, _)| name == step).unwrap().1
}

#[test]
fn a_second_time_nothing_is_run_and_the_results_are_the_same() {
    let folder = prepared(80);
    let at = folder.path();
    let before = plan(at, "");
    assert!(
        before.iter().all(|(_, action)| action == "run"),
        "{before:?}"
    );
    assert_eq!(before.len(), 11);
    let first = mrmr(at, "bench systems.toml -o first");
    assert_eq!(first.code, Some(0), "{first}");
    let after = plan(at, "");
    assert!(after.iter().all(|(_, action)| action != "run"), "{after:?}");
    let second = mrmr(at, "bench systems.toml -o second");
    assert!(second.stderr.contains("0 steps to run"), "{second}");
    assert_eq!(first.stdout, second.stdout);
    let files_of_first = files(&at.join("first"));
    assert!(files_of_first.contains_key("mteb/dense/data.json"));
    assert_eq!(files_of_first, files(&at.join("second")));
    let card = std::fs::read_to_string(at.join("second/card.json")).unwrap();
    let card: serde_json::Value = serde_json::from_str(&card).unwrap();
    let steps = card["tasks"][0]["steps"].as_array().unwrap();
    assert!(steps.iter().all(|step| step["reused"] == true), "{card:#}");
}

#[test]
fn only_what_a_change_touches_is_run_again() {
    let folder = prepared(80);
    let at = folder.path();
    assert_eq!(mrmr(at, "bench systems.toml").code, Some(0));
    let changed = SYSTEMS.replace("ef = 8", "ef = 9");
    std::fs::write(at.join("systems.toml"), changed).unwrap();
    let now = plan(at, "");
    let run: Vec<&str> = now
        .iter()
        .filter(|(_, action)| action == "run")
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(run, ["ann/search"]);
    // Its vectors are read again, not made again.
    assert_eq!(of(&now, "dense/encode documents"), "reuse");
}

#[test]
fn a_forced_step_takes_those_that_need_it_along() {
    let folder = prepared(80);
    let at = folder.path();
    assert_eq!(mrmr(at, "bench systems.toml").code, Some(0));
    let forced = plan(at, "--force bm25/bm25");
    assert_eq!(of(&forced, "bm25/bm25"), "run");
    assert_eq!(of(&forced, "reranked/rerank"), "run");
    assert_eq!(of(&forced, "dense/search"), "reuse");
    let unknown = mrmr(at, "bench systems.toml --force bm25/bm52");
    assert_eq!(unknown.code, Some(2));
    assert!(
        unknown.stderr.contains("did you mean bm25/bm25?"),
        "{unknown}"
    );
}

#[test]
fn killed_ten_times_on_its_way_it_ends_with_the_same_bytes() {
    let folder = prepared(600);
    let at = folder.path();
    let whole = mrmr(at, "bench systems.toml --store whole -o expected");
    assert_eq!(whole.code, Some(0), "{whole}");
    let mut kills = 0;
    for attempt in 0..10 {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin("mrmr"))
            .current_dir(at)
            .args("bench systems.toml --store broken -o found".split(' '))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(60 * (attempt + 1)));
        // One that is done already cannot be killed.
        if child.try_wait().unwrap().is_none() {
            child.kill().unwrap();
            kills += 1;
        }
        child.wait().unwrap();
    }
    assert!(kills > 0);
    let resumed = mrmr(at, "bench systems.toml --store broken -o found");
    assert_eq!(resumed.code, Some(0), "{resumed}");
    assert_eq!(resumed.stdout, whole.stdout);
    assert_eq!(files(&at.join("found")), files(&at.join("expected")));
}

#[test]
fn a_damaged_file_of_the_store_is_made_again() {
    let folder = prepared(80);
    let at = folder.path();
    let first = mrmr(at, "bench systems.toml");
    for entry in std::fs::read_dir(at.join(".mrmr/vectors")).unwrap() {
        let path = entry.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
    }
    let second = mrmr(at, "bench systems.toml");
    assert_eq!(second.code, Some(0), "{second}");
    assert_eq!(first.stdout, second.stdout);
}

#[test]
fn two_at_once_on_one_store_do_not_get_into_each_others_way() {
    let folder = prepared(300);
    let at = folder.path();
    let start = |output: &str| {
        Command::new(assert_cmd::cargo::cargo_bin("mrmr"))
            .current_dir(at)
            .args(["bench", "systems.toml", "-o", output])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    };
    let (mut one, mut other) = (start("one"), start("other"));
    assert!(one.wait().unwrap().success());
    assert!(other.wait().unwrap().success());
    assert_eq!(files(&at.join("one")), files(&at.join("other")));
}

#[test]
fn systems_are_picked_by_name_and_a_wrong_file_says_where() {
    let folder = prepared(80);
    let at = folder.path();
    let some = mrmr(at, "bench systems.toml --system dense --dry-run");
    assert_eq!(actions(&some).len(), 3, "{some}");
    for (from, to, message, hint) in [
        (
            "kind = \"exact\"",
            "kind = \"exat\"",
            "systems.toml:12: unknown kind 'exat'",
            "did you mean exact?",
        ),
        (
            "name = \"ann\"",
            "name = \"bm25\"",
            "two systems are named 'bm25'",
            "",
        ),
        (
            "model = \"hashing\" }\nretrieve = { kind = \"exact\" }",
            "model = \"./none\" }\nretrieve = { kind = \"exact\" }",
            "system 'dense'",
            "",
        ),
        (
            "encoder = { model = \"hashing\" }\nretrieve = { kind = \"exact\" }",
            "retrieve = { kind = \"exact\" }",
            "nothing makes them",
            "encoder = { model",
        ),
        ("depth = 10 }", "depth = 0 }", "depth is 0", ""),
        (
            "retrieve = { kind = \"bm25\" }\nrerank",
            "run = \"x.run\"\nretrieve = { kind = \"bm25\" }\nrerank",
            "both run and retrieve",
            "",
        ),
        (
            "kind = \"bm25\" }",
            "kind = \"bm25\", content = \"merged\" }",
            "BM25 reads words",
            "",
        ),
        ("expansions.json", "none.json", "none.json", ""),
        (
            "[\"bm25\", \"dense\"]",
            "[\"bm25\", \"dence\"]",
            "the run of 'dence'",
            "did you mean dense?",
        ),
        (
            "[\"bm25\", \"dense\"]",
            "[\"bm25\"]",
            "two systems, found 1",
            "",
        ),
        (
            "[\"bm25\", \"dense\"]",
            "[\"bm25\", \"hybrid\"]",
            "circle: hybrid -> hybrid",
            "",
        ),
        ("[0.3, 0.7]", "[0.3]", "weight", ""),
        ("path = \"data\"", "path = \"dat\"", "dat", ""),
    ] {
        std::fs::write(at.join("systems.toml"), SYSTEMS.replacen(from, to, 1)).unwrap();
        let said = mrmr(at, "bench systems.toml --dry-run");
        assert_eq!(said.code, Some(2), "{to}: {said}");
        assert!(said.stderr.contains(message), "{to}: {said}");
        assert!(said.stderr.contains(hint), "{to}: {said}");
    }
}

const OF_A_RUN: &str = r#"
dataset = { path = "data" }

[[system]]
name = "given"
run = "given.run"
rerank = { model = "hashing", depth = 10 }
"#;

#[test]
fn documents_that_change_places_are_reranked_anew() {
    let folder = prepared(80);
    let at = folder.path();
    std::fs::write(at.join("systems.toml"), OF_A_RUN).unwrap();
    std::fs::write(at.join("given.run"), "q0 Q0 d0 1 2 x\nq0 Q0 d1 2 1 x\n").unwrap();
    assert_eq!(mrmr(at, "bench systems.toml -o before").code, Some(0));
    assert_eq!(of(&plan(at, ""), "given/rerank"), "reuse");
    // The same texts in the same order, under each other's names.
    let corpus = std::fs::read_to_string(at.join("data/corpus.jsonl")).unwrap();
    let swapped = corpus
        .replace("\"d0\"", "\"d?\"")
        .replace("\"d1\"", "\"d0\"")
        .replace("\"d?\"", "\"d1\"");
    std::fs::write(at.join("data/corpus.jsonl"), swapped).unwrap();
    assert_eq!(of(&plan(at, ""), "given/rerank"), "run");
    assert_eq!(mrmr(at, "bench systems.toml -o after").code, Some(0));
    let run = |folder: &str| files(&at.join(folder))["data.given.trec"].clone();
    assert_ne!(run("before"), run("after"));
}

#[test]
fn a_run_has_no_depth_and_is_shown_with_none() {
    let folder = prepared(80);
    let at = folder.path();
    std::fs::write(at.join("systems.toml"), OF_A_RUN).unwrap();
    std::fs::write(at.join("given.run"), "q0 Q0 d0 1 2 x\n").unwrap();
    let said = mrmr(at, "bench systems.toml");
    assert_eq!(said.code, Some(0), "{said}");
    assert!(!said.stdout.contains("depth 1000"), "{said}");
    let deep = OF_A_RUN.replace("run = ", "depth = 5\nrun = ");
    std::fs::write(at.join("systems.toml"), deep).unwrap();
    let said = mrmr(at, "bench systems.toml");
    assert_eq!(said.code, Some(2), "{said}");
    assert!(
        said.stderr.contains("depth has no effect with run"),
        "{said}"
    );
}
