//! BEIR's layout with pictures and sounds beside it.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use mrmr_core::{Dataset, Part, Record, Result};
use mrmr_formats::dataset::{DatasetNotes, DatasetOptions, open_dataset};
use mrmr_formats::findings::Code;
use mrmr_formats::scan;

const QUERIES: &str = r#"{"_id": "q1", "audio": "sounds/one.ogg"}"#;

/// A data set of these documents, with two sounds and two pictures that hold their own names.
fn folder(corpus: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("corpus.jsonl", corpus);
    write("queries.jsonl", QUERIES);
    write("qrels/test.tsv", "query-id\tcorpus-id\tscore\nq1\td\t1\n");
    for name in ["sounds/one.ogg", "sounds/two.ogg", "a.png", "b.png"] {
        write(name, name);
    }
    folder
}

fn open(path: &Path) -> Result<(Dataset, DatasetNotes)> {
    open_dataset(path, &DatasetOptions::default())
}

/// `text [image 1=a.png]`: the parts, with labels and what their files hold.
fn shown(record: &Record) -> String {
    let read = |label: &str, media: &mrmr_core::Media| match media.read() {
        Ok(bytes) => format!("[{label}={}]", String::from_utf8_lossy(&bytes)),
        Err(_) => format!("[{label}?]"),
    };
    let parts = record.content.parts().iter().map(|part| match part {
        Part::Text(text) => text.clone(),
        Part::Image(image) => read(&image.label, &image.media),
        Part::Audio(audio) => read(&audio.label, &audio.media),
    });
    parts.collect()
}

fn document(line: &str) -> String {
    let folder = folder(line);
    let (dataset, _) = open(folder.path()).unwrap();
    let (_, _, record) = dataset.corpus.iter().next().unwrap();
    shown(record)
}

#[test]
fn pictures_and_sounds_come_before_the_text() {
    for (line, expected) in [
        (r#"{"_id": "d", "image": "a.png"}"#, "[image=a.png]"),
        (
            r#"{"_id": "d", "audio": ["sounds/one.ogg"], "text": "said"}"#,
            "[audio=sounds/one.ogg]said",
        ),
        (
            r#"{"_id": "d", "audio": "./sounds/../sounds/two.ogg", "image": ["a.png", "b.png"], "title": "T", "text": "x"}"#,
            "[image 1=a.png][image 2=b.png][audio=sounds/two.ogg]T x",
        ),
        (
            r#"{"_id": "d", "image": [], "audio": null, "text": "x"}"#,
            "x",
        ),
    ] {
        assert_eq!(document(line), expected, "{line}");
    }
}

#[test]
fn parts_keep_their_order_and_their_labels() {
    for (line, expected) in [
        (
            r#"{"_id": "d", "content": [{"type": "text", "text": "see "}, {"type": "image", "path": "b.png"}, {"type": "text", "text": ", hear "}, {"type": "audio", "path": "sounds/one.ogg"}, {"type": "image", "path": "a.png"}]}"#,
            "see [image 1=b.png], hear [audio=sounds/one.ogg][image 2=a.png]",
        ),
        (
            r#"{"_id": "d", "title": "T", "content": [{"type": "image", "path": "b.png", "label": "plot"}, {"type": "text", "text": "x"}]}"#,
            "T[plot=b.png]x",
        ),
        (
            r#"{"_id": "d", "title": "T", "content": [{"type": "text", "text": "x"}]}"#,
            "T x",
        ),
        // What was a field before is one still.
        (
            r#"{"_id": "d", "text": "x", "content": ["not", "parts"]}"#,
            "x",
        ),
        (r#"{"_id": "d", "text": "x", "content": "not parts"}"#, "x"),
    ] {
        assert_eq!(document(line), expected, "{line}");
    }
}

#[test]
fn what_is_no_content_is_an_error_of_its_line() {
    let path = |key: &str, path: &str| {
        format!(
            ":1: id 'd': expected as '{key}' the path of a file within the data set's folder, found '{path}'"
        )
    };
    let part = "expected {\"type\": \"text\", \"text\": ...}, or {\"type\": \"image\" or \"audio\", \"path\": ...}";
    for (line, message) in [
        (r#""image": "../a.png""#, path("image", "../a.png")),
        (r#""audio": ["/etc/hosts"]"#, path("audio", "/etc/hosts")),
        (
            r#""image": "sounds/../../a.png""#,
            path("image", "sounds/../../a.png"),
        ),
        (r#""image": "", "text": "x""#, path("image", "")),
        (
            r#""image": "https://example.org/a.png""#,
            path("image", "https://example.org/a.png"),
        ),
        (
            r#""audio": 5"#,
            ":1: id 'd': expected a path or a list of paths as 'audio', found 5".to_owned(),
        ),
        (
            r#""image": ["a.png", {}]"#,
            ":1: id 'd': expected a path or a list of paths as 'image', found {}".to_owned(),
        ),
        (
            r#""image": [], "audio": null"#,
            ":1: id 'd': expected a text, an image or a sound, found none".to_owned(),
        ),
        (
            r#""content": []"#,
            ":1: id 'd': expected parts in 'content', found an empty list".to_owned(),
        ),
        (
            r#""text": "x", "content": [{"type": "text", "text": "y"}]"#,
            ":1: id 'd': expected 'content' or 'text', found both".to_owned(),
        ),
        (
            r#""content": [{"type": "text", "text": "y"}, "z"]"#,
            format!(":1: id 'd': part 2 of 'content': {part}; found \"z\""),
        ),
        (
            r#""content": [{"type": "imag", "path": "a.png"}]"#,
            format!(
                ":1: id 'd': part 1 of 'content': {part}; found {{\"type\":\"imag\",\"path\":\"a.png\"}}"
            ),
        ),
        (
            r#""content": [{"type": "image", "text": "a.png"}]"#,
            ":1: id 'd': part 1 of 'content': expected the keys type, path, label; found 'text'"
                .to_owned(),
        ),
        (
            r#""content": [{"type": "audio"}]"#,
            ":1: id 'd': part 1 of 'content': expected a text as 'path', found none".to_owned(),
        ),
        (
            r#""content": [{"type": "image", "path": "a.png"}, {"type": "image", "path": "b.png", "label": "image 1"}]"#,
            ":1: id 'd': part 2 of 'content': the label 'image 1' is there already".to_owned(),
        ),
    ] {
        let folder = folder(&format!("{{\"_id\": \"d\", {line}}}"));
        let error = open(folder.path()).unwrap_err();
        let place = folder.path().join("corpus.jsonl").display().to_string();
        assert_eq!(error.to_string(), place + &message, "{line}");
    }
}

#[test]
fn advice_says_what_to_do() {
    let hint = |line: &str| {
        let folder = folder(&format!("{{\"_id\": \"d\", {line}}}"));
        open(folder.path()).unwrap_err().hints().to_vec()
    };
    assert_eq!(
        hint(r#""image": "../a.png""#),
        ["copy the file into that folder and name it from there"]
    );
    assert_eq!(
        hint(r#""content": [{"type": "imag", "path": "a.png"}]"#),
        ["did you mean the type 'image'?"]
    );
}

#[test]
fn a_file_that_is_not_there_is_found_by_check_and_fails_when_it_is_read() {
    let lines = r#"{"_id": "d", "image": ["a.png", "gone.png"], "audio": "sounds/gone.ogg"}"#;
    let folder = folder(lines);
    let (dataset, notes) = open(folder.path()).unwrap();
    let corpus = &notes.corpus;
    assert_eq!(
        (
            corpus.images,
            corpus.missing_images,
            corpus.sounds,
            corpus.missing_sounds
        ),
        (1, 1, 0, 1)
    );
    assert_eq!((notes.queries.sounds, notes.queries.missing_sounds), (1, 0));
    let (_, _, record) = dataset.corpus.iter().next().unwrap();
    assert_eq!(shown(record), "[image 1=a.png][image 2?][audio?]");
    let gone = record.content.images().nth(1).unwrap();
    let error = gone.media.read().unwrap_err().to_string();
    assert!(error.contains("gone.png"), "{error}");

    let found = scan::dataset(folder.path(), &DatasetOptions::default()).unwrap();
    assert_eq!(found.findings.count_of(Code::MissingImage), 1);
    assert_eq!(found.findings.count_of(Code::MissingSound), 1);
}
