//! `mrmr demo`: what it says with and without models.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn demo(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::cargo_bin("mrmr").unwrap();
    let output = command
        .current_dir(folder)
        .arg("demo")
        .args(arguments)
        .output()
        .unwrap();
    (
        output.status.code(),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

/// Random models and five pictures of one content, laid out as the script does.
fn tiny_models(target: &Path) {
    let fixtures = root().join("crates/mrmr-models/tests/fixtures");
    copy(&fixtures.join("tiny-bert"), &target.join("minilm"));
    copy(&fixtures.join("tiny-clip"), &target.join("efficientnet"));
    let styles = target.join("emoji-styles");
    fs::create_dir_all(styles.join("noto")).unwrap();
    let mut subgroups = String::new();
    for (code, subgroup) in [
        ("1f600", "face-smiling"),
        ("1f603", "face-smiling"),
        ("1f431", "animal-mammal"),
        ("1f436", "animal-mammal"),
        ("1f34e", "food-fruit"),
    ] {
        fs::copy(
            fixtures.join("pictures/rgba.png"),
            styles.join(format!("noto/{code}.png")),
        )
        .unwrap();
        subgroups.push_str(&format!("{code}\t{subgroup}\n"));
    }
    fs::write(styles.join("subgroups.tsv"), subgroups).unwrap();
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

#[test]
fn a_folder_of_models_that_lacks_one_is_an_error_with_the_command_that_makes_it() {
    let folder = tempfile::tempdir().unwrap();
    let (code, stdout, stderr) = demo(folder.path(), &["-q", "--models", "models"]);
    assert_eq!((code, stdout.as_str()), (Some(2), ""));
    assert_eq!(
        stderr,
        "error: models: expected the folder minilm with tokenizer.json in it, which is not there\n\
         hint: python3 scripts/demo-models.py models makes what is missing\n"
    );
    tiny_models(&folder.path().join("models"));
    fs::remove_dir_all(folder.path().join("models/emoji-styles")).unwrap();
    let (code, _, stderr) = demo(folder.path(), &["-q", "--models", "models"]);
    assert_eq!(code, Some(2));
    assert!(
        stderr.contains("expected the folder emoji-styles with subgroups.tsv in it"),
        "{stderr}"
    );
}

/// The models are random: what is held is which systems stand where, and what is said of chance.
#[test]
fn models_stand_beside_what_needs_none_and_their_vectors_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    tiny_models(&folder.path().join("models"));
    let (code, stdout, stderr) = demo(folder.path(), &["--models", "models"]);
    assert_eq!(code, Some(0), "{stderr}");
    let starts: Vec<&str> = stdout
        .lines()
        .skip_while(|line| !line.starts_with("system"))
        .skip(2)
        .take_while(|line| !line.is_empty())
        .map(|line| line.split("  ").next().unwrap())
        .collect();
    let systems = [
        "bm25",
        "hashing",
        "hashing + pixels",
        "minilm",
        "minilm + efficientnet",
    ];
    assert_eq!(starts, systems, "{stdout}");
    for blind in ["hashing + pixels", "minilm + efficientnet"] {
        let said = format!("{blind} is at chance: tie-averaged RR@10 0.0018, chance 0.0018");
        assert!(stdout.contains(&said), "{stdout}");
    }
    assert!(
        stdout.contains("twemoji to noto: 5 queries, 5 documents"),
        "{stdout}"
    );
    let (_, again, stderr) = demo(folder.path(), &["--models", "models"]);
    assert_eq!(stdout, again);
    let reuse: Vec<&str> = stderr
        .lines()
        .filter(|line| line.contains(": reuse "))
        .collect();
    assert_eq!(reuse.len(), 6, "{stderr}");
    for line in reuse {
        assert!(
            line.ends_with("reuse 6 of 6 shards") || line.ends_with("reuse 2 of 2 shards"),
            "{line}"
        );
    }
}

#[test]
fn real_features_find_an_emoji_in_another_style() {
    let models = root().join("target/models");
    for part in ["minilm", "efficientnet", "emoji-styles"] {
        if !models.join(part).is_dir() {
            println!("skipped: python3 scripts/demo-models.py target/models makes the models");
            return;
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let models = models.to_str().unwrap();
    let (code, stdout, stderr) = demo(folder.path(), &["--models", models, "--format", "json"]);
    assert_eq!(code, Some(0), "{stderr}");
    let found: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    let value = |system: usize| {
        let task = &found["tables"][1]["systems"][system]["tasks"][0];
        let measures = task["measures"].as_array().unwrap();
        measures[0]["value"].as_f64().unwrap()
    };
    let [pixels, features] = [value(0), value(1)];
    assert!(features > pixels, "{features} over {pixels}");
}
