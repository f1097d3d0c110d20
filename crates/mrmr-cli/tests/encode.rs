//! `mrmr encode`: killed in the middle it goes on, and ends with the same bytes.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn mrmr(folder: &Path) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("mrmr"));
    command.current_dir(folder);
    command
}

fn encode(folder: &Path, file: &str) -> Command {
    let mut command = mrmr(folder);
    command.args(
        "encode --corpus corpus.jsonl --encoder hashing --dimension 4096 --shard 200 -o".split(' '),
    );
    command.arg(file);
    command
}

fn corpus(folder: &Path) {
    let line = |at: usize| {
        let words: Vec<String> = (0..80)
            .map(|word| format!("w{}", at * 31 + word * word))
            .collect();
        format!(
            "{{\"_id\": \"d{at}\", \"text\": \"{}\"}}\n",
            words.join(" ")
        )
    };
    let lines: String = (0..2_400).map(line).collect();
    std::fs::write(folder.join("corpus.jsonl"), lines).unwrap();
}

fn shards(folder: &Path) -> usize {
    let Ok(entries) = std::fs::read_dir(folder.join("b.safetensors.parts")) else {
        return 0;
    };
    let names = entries.flatten().map(|entry| entry.path());
    names
        .filter(|path| path.extension().is_some_and(|e| e == "shard"))
        .count()
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn broken_off(signal: &str) -> (tempfile::TempDir, Output) {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    corpus(at);
    let mut child = encode(at, "b.safetensors")
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while shards(at) < 2 {
        assert!(
            child.try_wait().unwrap().is_none(),
            "it ended before the second shard"
        );
        std::thread::sleep(Duration::from_millis(2));
    }
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args([signal, &id])
            .status()
            .unwrap()
            .success()
    );
    let output = child.wait_with_output().unwrap();
    assert!(!at.join("b.safetensors").exists());
    (folder, output)
}

fn goes_on(folder: &Path) {
    let again = encode(folder, "b.safetensors").output().unwrap();
    assert_eq!(again.status.code(), Some(0), "{}", text(&again));
    assert!(
        text(&again).contains(" of 12 shards, of a run that was broken off"),
        "{}",
        text(&again)
    );
    assert!(
        encode(folder, "a.safetensors")
            .output()
            .unwrap()
            .status
            .success()
    );
    let bytes = |name: &str| std::fs::read(folder.join(name)).unwrap();
    assert!(bytes("a.safetensors") == bytes("b.safetensors"));
    assert!(!folder.join("b.safetensors.parts").exists());
}

#[test]
fn a_killed_run_goes_on_and_gives_the_same_bytes() {
    let (folder, output) = broken_off("-KILL");
    assert_eq!(output.status.code(), None);
    goes_on(folder.path());
}

#[test]
fn an_interrupted_run_ends_with_130_says_what_is_kept_and_goes_on() {
    let (folder, output) = broken_off("-INT");
    assert_eq!(output.status.code(), Some(130));
    assert!(
        text(&output).contains("kept in b.safetensors.parts"),
        "{}",
        text(&output)
    );
    goes_on(folder.path());
}

#[test]
fn what_cannot_be_done_says_why_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("c.jsonl"),
        "{\"_id\": \"1\", \"text\": \"a\"}\n",
    )
    .unwrap();
    std::fs::write(folder.path().join("empty.jsonl"), "").unwrap();
    for (arguments, message) in [
        (
            "--corpus c.jsonl --encoder ./none -o x.npy",
            "expected a folder that holds a model",
        ),
        (
            "--corpus c.jsonl --encoder pixels -o x.npy",
            "needs an encoder that takes texts",
        ),
        (
            "--corpus empty.jsonl --encoder hashing -o x.npy",
            "expected records to encode, found none",
        ),
        (
            "--corpus c.jsonl --encoder hashing -o none/x.npy",
            "expected a folder for the vectors, found none",
        ),
        (
            "--corpus c.jsonl --encoder hashing --content mergd -o x.npy",
            "did you mean merged?",
        ),
        (
            "--corpus c.jsonl --encoder hashing --dtype int8 -o x.npy",
            "holds f32 or f16",
        ),
        (
            "--corpus c.jsonl --encoder hashing -o x.txt",
            "expected .safetensors, .parquet or .npy",
        ),
        ("--corpus c.jsonl -o x.npy", "--encoder is missing"),
    ] {
        let output = mrmr(folder.path())
            .arg("encode")
            .args(arguments.split(' '))
            .output()
            .unwrap();
        assert!(
            text(&output).contains(message),
            "{arguments}: {}",
            text(&output)
        );
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        assert!(!folder.path().join("x.npy").exists());
    }
}
