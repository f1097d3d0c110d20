//! Sounds of each format, and small random models of them (tests/audio/fixtures.py), against libsndfile, transformers
//! and onnxruntime.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod support;

use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};

use mrmr_core::{Audio, Content, Media, Part};
use mrmr_models::{AudioEncoder, Encoder, Family, ModelFolder, ModelOptions, Role, open_encoder};

use support::{copy, cosine, fixture, reference};

const MODELS: [&str; 3] = ["tiny-audio", "tiny-audio-waves", "tiny-audio-windows"];

fn content(bytes: Vec<u8>) -> Content {
    Content::new([Part::Audio(Audio {
        label: "audio".to_owned(),
        media: Media::Bytes(bytes.into()),
    })])
}

fn sound(name: &str) -> Vec<u8> {
    fs::read(fixture("sounds").join(name)).unwrap()
}

fn encoder(path: &Path, threads: usize) -> AudioEncoder {
    let options = ModelOptions {
        threads: NonZero::new(threads),
        ..ModelOptions::default()
    };
    AudioEncoder::open(&ModelFolder::open(path).unwrap(), &options).unwrap()
}

/// A WAV of one channel and 16 bits.
fn wav(rate: u32, samples: &[i16]) -> Vec<u8> {
    let size = 2 * samples.len() as u32;
    let mut bytes = b"RIFF".to_vec();
    bytes.extend((36 + size).to_le_bytes());
    bytes.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0");
    bytes.extend(rate.to_le_bytes());
    bytes.extend((2 * rate).to_le_bytes());
    bytes.extend(b"\x02\0\x10\0data");
    bytes.extend(size.to_le_bytes());
    bytes.extend(samples.iter().flat_map(|sample| sample.to_le_bytes()));
    bytes
}

#[test]
fn a_sound_has_the_vector_of_the_reference_in_each_family() {
    for name in MODELS {
        let path = fixture(name);
        assert_eq!(
            ModelFolder::open(&path).unwrap().family().unwrap(),
            Family::Sounds
        );
        let expected: Vec<f32> =
            serde_json::from_value(reference(&path)["speech.wav"].clone()).unwrap();
        let encoder = open_encoder(path.to_str().unwrap(), &ModelOptions::default()).unwrap();
        assert_eq!(encoder.takes().to_string(), "audio");
        let made = encoder
            .encode(&[content(sound("speech.wav"))], Role::Document)
            .unwrap();
        assert_eq!(made.failures(), []);
        let vector = made.vector(0).unwrap();
        assert!(cosine(vector, &expected) > 0.999_999, "{name}");
        for (made, expected) in vector.iter().zip(&expected) {
            assert!((made - expected).abs() < 1e-4, "{name}: {made} {expected}");
        }
    }
}

#[test]
fn each_format_of_one_sound_has_nearly_its_vector() {
    let encoder = encoder(&fixture("tiny-audio"), 1);
    let of = |name: &str| {
        let made = encoder
            .encode(&[content(sound(name))], Role::Document)
            .unwrap();
        assert_eq!(made.failures(), [], "{name}");
        made.vector(0).unwrap().to_vec()
    };
    let full = of("f32.wav");
    for (name, least) in [
        ("s32.wav", 0.999_999),
        ("s24.wav", 0.999_999),
        ("s16.wav", 0.999_99),
        ("tones.flac", 0.999_99),
        ("u8.wav", 0.99),
        ("tones.ogg", 0.99),
        ("tones.mp3", 0.98),
    ] {
        let near = cosine(&full, &of(name));
        assert!(near >= least, "{name}: {near}");
    }
}

#[test]
fn bits_are_the_same_for_any_company_and_any_number_of_threads() {
    for name in MODELS {
        let names = ["speech.wav", "tones.ogg", "u8.wav", "tones.mp3", "s24.wav"];
        let contents: Vec<Content> = names.iter().map(|name| content(sound(name))).collect();
        let one = encoder(&fixture(name), 1);
        let all = one.encode(&contents, Role::Query).unwrap();
        let three = encoder(&fixture(name), 3)
            .encode(&contents, Role::Document)
            .unwrap();
        assert_eq!(all.as_slice(), three.as_slice());
        for (item, content) in contents.iter().enumerate() {
            let alone = one
                .encode(std::slice::from_ref(content), Role::Query)
                .unwrap();
            assert_eq!(alone.vector(0), all.vector(item), "{name} {item}");
        }
    }
}

#[test]
fn what_is_broken_empty_or_cut_off_fails_alone() {
    let cut = |name: &str, kept: usize| {
        let mut bytes = sound(name);
        bytes.truncate(bytes.len() * kept / 100);
        content(bytes)
    };
    let items = [
        content(Vec::new()),
        content(b"not a sound at all, not a sound at all".to_vec()),
        cut("s16.wav", 60),
        cut("tones.flac", 60),
        cut("tones.ogg", 99),
        "a text".into(),
        Content::new([Part::Audio(Audio {
            label: "audio".to_owned(),
            media: Media::Missing,
        })]),
        content(wav(16_000, &[])),
        content(wav(7, &[0; 40])),
        content(sound("speech.wav")),
    ];
    let encoder = encoder(&fixture("tiny-audio"), 2);
    let made = encoder.encode(&items, Role::Document).unwrap();
    let failed: Vec<usize> = made.failures().iter().map(|failure| failure.item).collect();
    let reasons: Vec<&str> = made
        .failures()
        .iter()
        .map(|failure| failure.reason.as_str())
        .collect();
    assert_eq!(failed, [0, 1, 2, 3, 4, 5, 6, 7, 8], "{reasons:#?}");
    assert_eq!(
        reasons[0],
        "the sound 'audio': expected Ogg Vorbis, WAV, MP3 or FLAC, found an empty file"
    );
    for reason in &reasons[2..5] {
        assert!(reason.contains("broken or cut off after"), "{reasons:#?}");
    }
    assert_eq!(reasons[5], "expected one sound, found 1 parts (text)");
    let alone = encoder.encode(&items[9..], Role::Document).unwrap();
    assert_eq!(made.vector(9), alone.vector(0));
}

#[test]
fn a_long_sound_is_cut_and_counted_and_silence_is_empty() {
    let encoder = encoder(&fixture("tiny-audio"), 1);
    let wave = |seconds: usize| -> Vec<i16> {
        let period = |place: usize| ((place % 40) as i16 - 20) * 500;
        (0..8_000 * seconds).map(period).collect()
    };
    // The model reads one second; ten minutes cost no more.
    let items = [
        content(wav(8_000, &wave(600))),
        content(wav(8_000, &[0; 4_000])),
        content(wav(44_100, &[9])),
    ];
    let made = encoder.encode(&items, Role::Document).unwrap();
    assert_eq!(made.failures(), []);
    assert_eq!(
        made.notes().to_string(),
        "3 items, 0 tokens, 1 cut at the model's limit, 1 empty"
    );
    let windows = self::encoder(&fixture("tiny-audio-windows"), 1);
    let short = windows.encode(&items[2..], Role::Document).unwrap();
    assert_eq!(short.failures(), []);
}

#[test]
fn settings_that_cannot_be_meant_are_named() {
    for (from, to, expected) in [
        (
            r#""sampling_rate": 16000"#,
            r#""sampling_rate": 7"#,
            "'sampling_rate': expected",
        ),
        (r#""step": 4"#, r#""step": 0"#, "'window': expected"),
        (
            r#""seconds": 2"#,
            r#""seconds": 99999"#,
            "'seconds': expected",
        ),
        (r#""pooling""#, r#""poling""#, "unknown field `poling`"),
        (
            r#""frames": 10"#,
            r#""frames": 1000"#,
            "expected 1000 frames for a window",
        ),
        (
            "embedding.onnx",
            "other.onnx",
            "there is no ONNX file 'other.onnx'",
        ),
    ] {
        let folder = copy("tiny-audio-windows");
        let path = folder.path().join("mrmr-audio.json");
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{from}");
        fs::write(&path, text.replacen(from, to, 1)).unwrap();
        let folder = ModelFolder::open(folder.path()).unwrap();
        let error = AudioEncoder::open(&folder, &ModelOptions::default())
            .err()
            .unwrap();
        assert!(error.to_string().contains(expected), "{error}");
    }
}

#[test]
fn speech_has_the_vectors_of_onnxruntime_by_a_real_model() {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/models/speech");
    if !folder.join("reference.json").is_file() {
        println!("skipped: make it with crates/mrmr-models/tests/audio/export.py");
        return;
    }
    let known = reference(&folder);
    let encoder = encoder(&folder, 2);
    let mut least = 1f64;
    for (name, expected) in known.as_object().unwrap() {
        let bytes = fs::read(folder.join("sounds").join(name)).unwrap();
        let made = encoder.encode(&[content(bytes)], Role::Document).unwrap();
        let expected: Vec<f32> = serde_json::from_value(expected.clone()).unwrap();
        least = least.min(cosine(made.vector(0).unwrap(), &expected));
    }
    println!(
        "the least cosine of {} sounds is {least:.9}",
        known.as_object().unwrap().len()
    );
    assert!(least >= 0.999_9, "{least}");
}
