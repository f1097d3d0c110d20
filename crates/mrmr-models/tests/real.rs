//! Real models, where tests/models/export.py has laid them out in target/models, against onnxruntime's vectors.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod support;

use std::path::{Path, PathBuf};

use mrmr_core::Content;
use mrmr_models::{ModelOptions, Role, open_encoder};

use support::{cosine, reference};

fn laid_out(name: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../target/models")
        .join(name);
    if folder.join("reference.json").is_file() {
        return Some(folder);
    }
    println!(
        "skipped: {name} is not there; make it with python3 crates/mrmr-models/tests/models/export.py"
    );
    None
}

/// The least cosine of the texts of a model with its reference.
fn least_cosine(name: &str) -> Option<f64> {
    let folder = laid_out(name)?;
    let known = reference(&folder);
    let known = known.as_array().unwrap();
    let texts: Vec<Content> = known
        .iter()
        .map(|row| row["text"].as_str().unwrap().into())
        .collect();
    let encoder = open_encoder(folder.to_str().unwrap(), &ModelOptions::default()).unwrap();
    let made = encoder.encode(&texts, Role::Document).unwrap();
    assert_eq!(made.failures(), []);
    assert_eq!(made.notes().truncated, 1, "{}", made.notes());
    let cosines = known.iter().enumerate().map(|(item, row)| {
        let expected: Vec<f32> = serde_json::from_value(row["vector"].clone()).unwrap();
        cosine(made.vector(item).unwrap(), &expected)
    });
    let least = cosines.fold(1.0, f64::min);
    println!(
        "{name}: the least cosine of {} texts is {least:.9}",
        texts.len()
    );
    Some(least)
}

#[test]
fn minilm_has_the_vectors_of_the_reference() {
    if let Some(least) = least_cosine("minilm") {
        assert!(least >= 0.999_999, "{least}");
    }
}

#[test]
fn a_model_whose_outputs_have_no_usual_names_has_the_vectors_of_the_reference() {
    if let Some(least) = least_cosine("paraphrase") {
        assert!(least >= 0.999_999, "{least}");
    }
}

#[test]
fn int8_weights_are_near_the_reference() {
    if let Some(least) = least_cosine("minilm-int8") {
        assert!(least >= 0.999_9, "{least}");
    }
}

#[test]
fn a_real_text_has_the_same_bits_alone_and_in_company() {
    let Some(folder) = laid_out("minilm") else {
        return;
    };
    let encoder = open_encoder(folder.to_str().unwrap(), &ModelOptions::default()).unwrap();
    let words = ["rain", "over", "the", "sea", "and", "one", "red", "circle"];
    let texts: Vec<Content> = (0..24usize)
        .map(|item| words[..1 + item % 8].join(" ").repeat(1 + item / 8).into())
        .collect();
    let all = encoder.encode(&texts, Role::Document).unwrap();
    for (item, text) in texts.iter().enumerate() {
        let alone = encoder
            .encode(std::slice::from_ref(text), Role::Document)
            .unwrap();
        assert_eq!(alone.vector(0), all.vector(item), "{item}");
    }
}
