//! Encoders of pictures give what onnxruntime gives, for whatever they are encoded with.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod support;

use std::fs;
use std::num::NonZero;
use std::path::Path;

use mrmr_core::{Content, Image, Media, Part};
use mrmr_models::{Encoder, Family, ModelFolder, ModelOptions, Role, open_encoder};
use support::{contents, copy, fixture, reference, rows, strings};

fn picture(file: &str) -> Content {
    let bytes = fs::read(fixture("pictures").join(file)).unwrap();
    Content::new([Part::Image(Image {
        label: "image".to_owned(),
        media: Media::Bytes(bytes.into()),
    })])
}

fn open(folder: &Path, threads: usize) -> Box<dyn Encoder> {
    let options = ModelOptions {
        threads: NonZero::new(threads),
        ..ModelOptions::default()
    };
    open_encoder(&folder.display().to_string(), &options).unwrap()
}

/// The largest difference, as a share of the vector's length.
fn apart(made: &[f32], expected: &[f32]) -> f32 {
    assert_eq!(made.len(), expected.len());
    let length = expected.iter().map(|x| x * x).sum::<f32>().sqrt();
    let differences = made.iter().zip(expected).map(|(x, y)| (x - y).abs());
    differences.fold(0.0, f32::max) / length
}

#[test]
fn texts_and_pictures_have_the_vectors_of_onnxruntime() {
    for name in ["tiny-clip", "tiny-clip-joint", "tiny-siglip"] {
        let folder = fixture(name);
        assert_eq!(
            ModelFolder::open(&folder).unwrap().family().unwrap(),
            Family::Dual
        );
        let encoder = open(&folder, 2);
        let reference = reference(&folder);
        let texts = contents(&reference["texts"]);
        let files = strings(&reference["pictures"]);
        let pictures: Vec<Content> = files.iter().map(|file| picture(file)).collect();
        // Pictures stand between texts: each gets its own vector.
        let mut all = Vec::new();
        let mut expected = Vec::new();
        let of_texts = rows(&reference["text_vectors"]);
        let of_pictures = rows(&reference["picture_vectors"]);
        for place in 0..texts.len().max(pictures.len()) {
            if let Some(text) = texts.get(place) {
                all.push(text.clone());
                expected.push((1e-5, of_texts[place].clone()));
            }
            if let Some(picture) = pictures.get(place) {
                all.push(picture.clone());
                // JPEG leaves the last steps of decoding open.
                let allowed = if files[place].ends_with("jpg") {
                    1e-2
                } else {
                    1e-5
                };
                expected.push((allowed, of_pictures[place].clone()));
            }
        }
        let made = encoder.encode(&all, Role::Document).unwrap();
        assert_eq!(made.failures(), [], "{name}");
        for (item, (allowed, expected)) in expected.iter().enumerate() {
            let far = apart(made.vector(item).unwrap(), expected);
            assert!(far < *allowed, "{name}, item {item}: {far}");
        }
        let truncated = reference["truncated"].as_u64().unwrap();
        assert_eq!(made.notes().truncated as u64, truncated, "{name}");
        let alone = open(&folder, 1);
        for (item, content) in all.iter().enumerate() {
            let one = alone
                .encode(std::slice::from_ref(content), Role::Document)
                .unwrap();
            assert_eq!(one.vector(0), made.vector(item), "{name}, item {item}");
        }
    }
}

#[test]
fn a_broken_picture_is_a_failure_of_its_own_and_shifts_nothing() {
    let encoder = open(&fixture("tiny-clip"), 2);
    let both = Content::new([
        Part::Text("a red circle".to_owned()),
        picture("rgb.png").parts()[0].clone(),
    ]);
    let broken = [
        "broken-cut.png",
        "broken-cut.jpg",
        "broken-empty.png",
        "broken-no-width.png",
        "broken-too-long.png",
    ];
    let mut all: Vec<Content> = broken.iter().map(|file| picture(file)).collect();
    all.push(picture("rgb.png"));
    all.push(both);
    all.push("a red circle".into());
    let made = encoder.encode(&all, Role::Query).unwrap();
    let failed: Vec<usize> = made.failures().iter().map(|failure| failure.item).collect();
    assert_eq!(failed, [0, 1, 2, 3, 4, 6]);
    assert!(made.failures()[0].reason.starts_with("the image 'image': "));
    assert!(
        made.failures()[5]
            .reason
            .ends_with("fused by the content rule two-stream")
    );
    for (item, content) in [(5, picture("rgb.png")), (7, "a red circle".into())] {
        let one = encoder.encode(&[content], Role::Query).unwrap();
        assert_eq!(made.vector(item), one.vector(0));
    }
}

#[test]
fn what_a_dual_encoder_lacks_is_named() {
    let broken = |change: &dyn Fn(&Path)| {
        let folder = copy("tiny-clip");
        change(folder.path());
        let name = folder.path().display().to_string();
        open_encoder(&name, &ModelOptions::default())
            .err()
            .unwrap()
            .to_string()
    };
    let lost = broken(&|folder| fs::remove_file(folder.join("onnx/vision_model.onnx")).unwrap());
    assert!(
        lost.ends_with("expected a vision_model beside onnx/text_model.onnx, found none"),
        "{lost}"
    );
    let settings = "preprocessor_config.json";
    let size = broken(&|folder| {
        let text = fs::read_to_string(folder.join(settings)).unwrap();
        fs::write(folder.join(settings), text.replace("32", "48")).unwrap();
    });
    assert!(
        size.contains("reads pictures of 32 x 32; preprocessor_config.json makes 48 x 48"),
        "{size}"
    );
    let pad = broken(&|folder| {
        fs::write(folder.join(settings), r#"{"size": 32, "do_pad": true}"#).unwrap()
    });
    assert!(pad.contains("the step 'do_pad'"), "{pad}");
    let sound =
        broken(&|folder| fs::write(folder.join(settings), r#"{"sampling_rate": 16000}"#).unwrap());
    assert!(sound.contains("reads sounds"), "{sound}");
}

/// The folder as a user lays it out, where the network is beside the repository.
fn efficientnet() -> Option<tempfile::TempDir> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let network = root.join("../shared/models/efficientnet-lite0-features.onnx");
    if !network.is_file() {
        println!("skipped: there is no ../shared/models beside the repository");
        return None;
    }
    let folder = copy("efficientnet-lite0");
    fs::copy(network, folder.path().join("model.onnx")).unwrap();
    Some(folder)
}

#[test]
fn a_network_of_pictures_alone_needs_only_its_settings_beside_it() {
    let Some(folder) = efficientnet() else { return };
    let encoder = open(folder.path(), 2);
    assert_eq!(
        (encoder.dimension(), encoder.takes().to_string()),
        (2560, "image".to_owned())
    );
    let files: Vec<String> =
        serde_json::from_slice(&fs::read(folder.path().join("pictures.json")).unwrap()).unwrap();
    let mut all: Vec<Content> = files.iter().map(|file| picture(file)).collect();
    all.insert(1, "a text".into());
    let made = encoder.encode(&all, Role::Document).unwrap();
    assert_eq!(made.failures().len(), 1);
    assert_eq!(made.failures()[0].item, 1);
    let bytes = fs::read(folder.path().join("vectors.f32")).unwrap();
    let expected: Vec<f32> = bytes
        .as_chunks::<4>()
        .0
        .iter()
        .map(|b| f32::from_le_bytes(*b))
        .collect();
    for (place, expected) in expected.chunks_exact(2560).enumerate() {
        let item = if place == 0 { 0 } else { place + 1 };
        let far = apart(made.vector(item).unwrap(), expected);
        assert!(far < 1e-4, "{}: {far}", files[place]);
    }
}
