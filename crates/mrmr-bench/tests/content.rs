//! Content rules over real pictures: questions and theorems, and the demonstration's emoji.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::path::Path;
use std::sync::Arc;

use mrmr_bench::{demo, mrmr};
use mrmr_core::{Content, Image, Media, Part, Record};
use mrmr_formats::dataset::{DatasetOptions, open_dataset};
use mrmr_models::{ContentRule, Encoder, Hashing, NoCaptions, Pixels, RecordEncoder, Role};

fn two_streams(texts: usize) -> RecordEncoder {
    let rule = "two-stream:concat".parse().unwrap();
    RecordEncoder::of_two(rule, Arc::new(Hashing::new(texts)), Arc::new(Pixels)).unwrap()
}

fn is_zero(numbers: &[f32]) -> bool {
    numbers.iter().all(|number| *number == 0.0)
}

#[test]
fn questions_with_pictures_are_encoded_by_both_streams() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/theoremqa");
    if !folder.is_dir() {
        println!("skipped: there is no ../shared/data/theoremqa beside the repository");
        return;
    }
    let (dataset, _) = open_dataset(&folder, &DatasetOptions::default()).unwrap();
    let with_pictures: Vec<(&str, &Record)> = dataset
        .queries
        .iter()
        .filter(|(_, _, record)| record.content.modality().image)
        .map(|(_, id, record)| (id, record))
        .collect();
    assert_eq!(with_pictures.len(), 53);
    let some = &with_pictures[..6];
    let task = mrmr().unwrap().task("theorem").unwrap();
    let encoder = two_streams(64);
    let instruction = task.instruction_under(encoder.rule());
    assert!(
        instruction
            .unwrap()
            .starts_with("Retrieve relevant theorems")
    );
    let made = encoder
        .encode(some, Role::Query, instruction, &NoCaptions)
        .unwrap();
    assert_eq!(made.failures(), []);
    for (item, (id, record)) in some.iter().enumerate() {
        let vector = made.vector(item).unwrap();
        assert!(!is_zero(&vector[..64]), "{id} has a text");
        // The picture is the data set's merged one.
        let merged = record.merged.clone().unwrap();
        let alone = Pixels
            .encode(&[Content::new([Part::Image(merged)])], Role::Query)
            .unwrap();
        assert_eq!(&vector[64..], alone.vector(0).unwrap(), "{id}");
    }
    let theorems: Vec<(&str, &Record)> = dataset
        .corpus
        .iter()
        .take(4)
        .map(|(_, id, r)| (id, r))
        .collect();
    let made = encoder
        .encode(&theorems, Role::Document, instruction, &NoCaptions)
        .unwrap();
    let without = encoder
        .encode(&theorems, Role::Document, None, &NoCaptions)
        .unwrap();
    assert_eq!(made, without, "documents have no instruction");
}

#[test]
fn a_broken_emoji_fails_by_id_and_shifts_nothing() {
    let demo = demo::build().unwrap();
    let mut records: Vec<(String, Record)> = demo
        .corpus
        .iter()
        .take(12)
        .map(|(_, id, record)| (id.to_owned(), record.clone()))
        .collect();
    let encoder = RecordEncoder::new(ContentRule::Interleaved, Arc::new(Pixels)).unwrap();
    let encode = |records: &[(String, Record)]| {
        let given: Vec<(&str, &Record)> = records
            .iter()
            .map(|(id, record)| (id.as_str(), record))
            .collect();
        encoder
            .encode(&given, Role::Document, None, &NoCaptions)
            .unwrap()
    };
    let whole = encode(&records);
    assert_eq!(whole.failures(), []);
    records[5].1 = Record::new(Content::new([Part::Image(Image {
        label: "image 1".to_owned(),
        media: Media::Bytes(b"\x89PNG\r\n\x1a\n and no more"[..].into()),
    })]));
    let broken = encode(&records);
    let failed: Vec<&str> = broken
        .failures()
        .iter()
        .map(|failure| records[failure.item].0.as_str())
        .collect();
    assert_eq!(failed, [records[5].0.as_str()]);
    for item in (0..12).filter(|item| *item != 5) {
        assert_eq!(
            broken.vector(item),
            whole.vector(item),
            "{}",
            records[item].0
        );
    }
}
