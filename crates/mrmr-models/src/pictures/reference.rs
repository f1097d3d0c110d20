//! Pictures and prepared pictures equal what Pillow and transformers make of them (`tests/pictures/reference.py`).

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::decode::on_white;
use super::{Preparation, PreprocessorConfig};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/pictures")
}

fn reference() -> Value {
    serde_json::from_slice(&fs::read(folder().join("reference.json")).unwrap()).unwrap()
}

fn read(file: &str) -> Vec<u8> {
    fs::read(folder().join(file)).unwrap()
}

#[test]
fn pictures_have_the_colours_that_pillow_gives() {
    for picture in reference()["pictures"].as_array().unwrap() {
        let file = picture["file"].as_str().unwrap();
        let made = on_white(&read(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        let size = [&picture["width"], &picture["height"]].map(|side| side.as_u64().unwrap());
        assert_eq!([made.width(), made.height()].map(u64::from), size, "{file}");
        if file == "twenty-megapixels.png" {
            assert!(
                made.as_raw()
                    .iter()
                    .step_by(997)
                    .all(|colour| *colour == 255)
            );
            continue;
        }
        // JPEG and lossy WebP leave the last steps of decoding open; where colours have half the size, those in between too.
        let allowed = match file {
            "quarter.jpg" | "lossy.webp" => 6,
            file if file.ends_with(".jpg") => 2,
            _ => 0,
        };
        let expected = read(&format!("{file}.rgb"));
        assert_eq!(made.as_raw().len(), expected.len(), "{file}");
        let differences = made
            .as_raw()
            .iter()
            .zip(&expected)
            .map(|(ours, theirs)| ours.abs_diff(*theirs));
        let (most, sum) = differences.fold((0, 0u64), |(most, sum), x| {
            (most.max(x), sum + u64::from(x))
        });
        assert!(most <= allowed, "{file}: a colour differs by {most}");
        assert!(
            sum * 2 <= expected.len() as u64,
            "{file}: colours differ by {sum} in all"
        );
    }
}

#[test]
fn prepared_pictures_are_those_of_transformers() {
    for case in reference()["prepared"].as_array().unwrap() {
        let name = case["name"].as_str().unwrap();
        let config: PreprocessorConfig = serde_json::from_value(case["settings"].clone()).unwrap();
        let picture = on_white(&read(case["file"].as_str().unwrap())).unwrap();
        let made = Preparation::of(&config).unwrap().prepare(&picture).unwrap();
        let shape: Vec<usize> = serde_json::from_value(case["shape"].clone()).unwrap();
        assert_eq!([3, made.height, made.width], shape[..], "{name}");
        let expected = read(&format!("{name}.f32"));
        let expected = expected
            .as_chunks::<4>()
            .0
            .iter()
            .map(|bytes| f32::from_le_bytes(*bytes));
        let differences = made
            .numbers
            .iter()
            .zip(expected)
            .map(|(ours, theirs)| (ours - theirs).abs());
        let most = differences.fold(0f32, f32::max);
        assert!(most < 1e-4, "{name}: a number differs by {most}");
    }
}

#[test]
fn what_cannot_be_read_is_an_error_of_its_own() {
    let reason = |file: &str| on_white(&read(file)).unwrap_err();
    assert_eq!(
        reason("broken-too-long.png"),
        "expected 1 to 30000 pixels a side, found 30001 x 1"
    );
    assert!(
        reason("broken-too-large.png")
            .starts_with("expected a picture of at most 512 MiB in memory")
    );
    assert_eq!(
        reason("broken-cut.jpg"),
        "the JPEG is cut off: it has no end"
    );
    for file in [
        "broken-no-width.png",
        "broken-cut.png",
        "broken-text.png",
        "broken-empty.png",
    ] {
        assert!(!reason(file).is_empty(), "{file}");
    }
}

#[test]
fn damaged_bytes_give_a_picture_or_an_error() {
    for file in [
        "rgba.png",
        "palette-alpha.png",
        "turned.jpg",
        "progressive.jpg",
        "animated.gif",
        "alpha.webp",
        "lossy.webp",
    ] {
        let whole = read(file);
        for step in 0..60usize {
            let mut bytes = whole.clone();
            let at = (step * 7919 + 11) % bytes.len();
            bytes[at] ^= 1 << (step % 8);
            let _ = on_white(&bytes);
            bytes.truncate(at);
            let _ = on_white(&bytes);
        }
    }
}
