//! Captions: the authors' form, its variants, and what goes wrong.

#![allow(clippy::unwrap_used)]

use mrmr_core::Result;
use mrmr_formats::captions::{Captions, Subset, read_captions, write_captions};
use mrmr_formats::input::Input;

fn read(text: &str) -> Result<Captions> {
    read_captions(&Input::memory("captions.json", text.as_bytes()))
}

const LIST: &str = r#"[
  {"subset": "query", "item_id": 7, "captions": {"image_1": {"caption": "one"}, "image_10": "ten"}},
  {"subset": "query", "item_id": "8", "captions": {"image": {"caption": "", "model": "m"}}},
  {"subset": "corpus", "item_id": "7", "captions": {"image 2": {"caption": "two"}}},
  {"subset": "corpus", "item_id": "9", "captions": {}}
]"#;

#[test]
fn captions_are_found_by_subset_id_and_label() {
    let captions = read(LIST).unwrap();
    assert_eq!(captions.get(Subset::Query, "7", "image 1"), Some("one"));
    assert_eq!(captions.get(Subset::Query, "7", "image 10"), Some("ten"));
    assert_eq!(captions.get(Subset::Query, "8", "image"), Some(""));
    assert_eq!(captions.get(Subset::Query, "8", "image 1"), None);
    assert_eq!(captions.get(Subset::Corpus, "7", "image 2"), Some("two"));
    assert_eq!(captions.len(), 4);
    assert_eq!(
        (
            captions.records(Subset::Query),
            captions.records(Subset::Corpus)
        ),
        (2, 1)
    );
}

#[test]
fn one_object_a_line_is_the_same_as_a_list() {
    let lines = LIST.trim_matches(['[', ']', '\n']).replace("},\n", "}\n");
    assert_eq!(read(&lines).unwrap(), read(LIST).unwrap());
    assert!(read("").unwrap().is_empty());
    assert!(read("[]").unwrap().is_empty());
}

#[test]
fn what_is_written_reads_back_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("captions.json");
    for captions in [read(LIST).unwrap(), Captions::new()] {
        write_captions(&captions, &path).unwrap();
        assert_eq!(read_captions(&Input::path(&path)).unwrap(), captions);
    }
}

#[test]
fn two_captions_of_one_image_are_an_error_that_names_both_entries() {
    let entry = |caption: &str| {
        format!(r#"{{"subset": "query", "item_id": 7, "captions": {{"image": "{caption}"}}}}"#)
    };
    let (a, b) = (entry("a"), entry("b"));
    assert_eq!(read(&format!("[{a}, {a}]")).unwrap().len(), 1);
    assert_eq!(
        read(&format!("[{a}, {a}, {b}]")).unwrap_err().to_string(),
        "captions.json: entry 2: query '7', 'image': the caption differs from that of entry 0; one image has one"
    );
    assert_eq!(
        read(&format!("{a}\n\n{b}\n")).unwrap_err().to_string(),
        "captions.json:3: query '7', 'image': the caption differs from that of line 1; one image has one"
    );
}

#[test]
fn an_entry_of_another_form_says_what_was_expected() {
    for (text, message) in [
        ("[7]", "captions.json: entry 0: expected an object, found 7"),
        (
            r#"[{"item_id": 7}]"#,
            "captions.json: entry 0: expected 'subset', \"query\" or \"corpus\"; found 'item_id'",
        ),
        (
            r#"[{"subset": "docs", "item_id": 7}]"#,
            "captions.json: entry 0: unknown subset 'docs'; expected query or corpus",
        ),
        (
            r#"[{"subset": "query", "item_id": 7.5}]"#,
            "captions.json: entry 0: 'item_id': expected a text or an integer, found 7.5",
        ),
        (
            r#"{"subset": "query", "item_id": 7, "captions": {"image_1": {"text": ""}}}"#,
            "captions.json:1: query '7', 'image_1': expected {\"caption\": \"...\"} or a text, found {\"text\":\"\"}",
        ),
        (
            "[\n{]",
            "captions.json:2: expected a JSON list of captions: key must be a string at line 2 column 2",
        ),
    ] {
        assert_eq!(read(text).unwrap_err().to_string(), message);
    }
}
