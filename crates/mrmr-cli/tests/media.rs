//! Data sets whose records name sounds and pictures by their paths, through the verbs that read them.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod support;

use std::path::{Path, PathBuf};

use serde_json::Value;
use support::{Said, mrmr};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../mrmr-models/tests/fixtures")
}

/// Spoken queries, and documents of a sound, a picture and both with a text; two files are not there.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for name in ["set/qrels", "set/sounds"] {
        std::fs::create_dir_all(at.join(name)).unwrap();
    }
    let copy = |from: &str, to: &str| {
        std::fs::copy(fixtures().join(from), at.join(to)).unwrap();
    };
    copy("sounds/speech.wav", "set/sounds/speech.wav");
    copy("sounds/tones.ogg", "set/sounds/tones.ogg");
    copy("pictures/rgba.png", "set/rgba.png");
    copy("pictures/grey.png", "set/grey.png");
    let queries = r#"{"_id": "q1", "audio": "sounds/speech.wav"}
{"_id": "q2", "audio": "sounds/gone.wav"}
{"_id": "q3", "audio": "sounds/tones.ogg"}
"#;
    let corpus = r#"{"_id": "d1", "audio": "sounds/speech.wav"}
{"_id": "d2", "audio": "sounds/tones.ogg"}
"#;
    let mixed = r#"{"_id": "p1", "image": "rgba.png"}
{"_id": "p2", "image": "gone.png"}
{"_id": "p3", "content": [{"type": "text", "text": "grey: "}, {"type": "image", "path": "grey.png"}]}
"#;
    std::fs::write(at.join("set/queries.jsonl"), queries).unwrap();
    std::fs::write(at.join("set/corpus.jsonl"), corpus).unwrap();
    std::fs::write(at.join("set/mixed.jsonl"), mixed).unwrap();
    let judged = "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t1\nq3\td2\t1\n";
    std::fs::write(at.join("set/qrels/test.tsv"), judged).unwrap();
    folder
}

fn model() -> String {
    fixtures().join("tiny-audio").display().to_string()
}

fn ids(folder: &Path, name: &str) -> Value {
    let text = std::fs::read_to_string(folder.join(name)).unwrap();
    serde_json::from_str::<Value>(&text).unwrap()["ids"].clone()
}

#[test]
fn a_record_shows_what_it_names_and_check_finds_what_is_gone() {
    let folder = folder();
    let at = folder.path();
    let shown = |id: &str| -> Value {
        let said = mrmr(at, &format!("data show set --query {id} --format json"));
        serde_json::from_str(&said.stdout).unwrap()
    };
    let bytes = std::fs::read(at.join("set/sounds/speech.wav")).unwrap();
    assert_eq!(shown("q1")["modality"], "audio");
    assert_eq!(shown("q1")["content"][0]["audio"], "audio");
    assert_eq!(shown("q1")["content"][0]["bytes"], bytes.len());
    assert_eq!(shown("q2")["content"][0]["bytes"], Value::Null);
    let said = mrmr(at, "data show set");
    assert!(said.stdout.contains("missing_sounds: 1\n"), "{said}");

    let said = mrmr(at, "check set");
    assert_eq!(said.code, Some(1), "{said}");
    assert!(said.stdout.contains("missing-sound"), "{said}");
}

#[test]
fn a_sound_that_is_not_there_fails_its_record_alone() {
    let folder = folder();
    let at = folder.path();
    let encode = format!(
        "encode set --role query --content interleaved --encoder {} -o q.npy",
        model()
    );
    let said = mrmr(at, &encode);
    assert_eq!(said.code, Some(1), "{said}");
    assert!(
        said.stderr.contains("'q2' has no vector") && said.stderr.contains("sounds/gone.wav"),
        "{said}"
    );
    assert_eq!(ids(at, "q.npy.json"), serde_json::json!(["q1", "q3"]));
}

#[test]
fn pictures_of_a_file_on_its_own_are_encoded() {
    let folder = folder();
    let at = folder.path();
    let said = mrmr(
        at,
        "encode --corpus set/mixed.jsonl --content two-stream --encoder hashing --dimension 320 --image-encoder pixels -o d.npy",
    );
    assert_eq!(said.code, Some(1), "{said}");
    assert!(
        said.stderr.contains("'p2' has no vector") && said.stderr.contains("gone.png"),
        "{said}"
    );
    assert_eq!(ids(at, "d.npy.json"), serde_json::json!(["p1", "p3"]));
}

#[test]
fn spoken_queries_find_the_sounds_that_are_the_same() {
    let folder = folder();
    let at = folder.path();
    let bench = format!(
        "bench set --content interleaved --encoder {} --no-instruction -m P@1 --format json",
        model()
    );
    let Said { code, stdout, .. } = mrmr(at, &bench);
    assert_eq!(code, Some(0), "{stdout}");
    // Two of three are found first; the one whose sound is gone counts 0.
    assert!(stdout.contains("0.6666666666666666"), "{stdout}");
}
