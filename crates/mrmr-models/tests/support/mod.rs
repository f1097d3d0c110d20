//! What the tests of models share.

#![allow(dead_code, unreachable_pub, clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};

use mrmr_core::Content;
use serde_json::Value;

/// A model that the repository holds.
pub fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(name)
}

/// What the reference made of it.
pub fn reference(folder: &Path) -> Value {
    serde_json::from_slice(&fs::read(folder.join("reference.json")).unwrap()).unwrap()
}

/// A copy to change.
pub fn copy(name: &str) -> tempfile::TempDir {
    let target = tempfile::tempdir().unwrap();
    copy_folder(&fixture(name), target.path());
    target
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy_folder(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

pub fn strings(value: &Value) -> Vec<String> {
    let texts = value.as_array().unwrap().iter();
    texts
        .map(|text| text.as_str().unwrap().to_owned())
        .collect()
}

pub fn contents(value: &Value) -> Vec<Content> {
    strings(value).into_iter().map(Content::from).collect()
}

pub fn rows(value: &Value) -> Vec<Vec<f32>> {
    let rows = value.as_array().unwrap().iter();
    rows.map(|row| serde_json::from_value(row.clone()).unwrap())
        .collect()
}

pub fn cosine(a: &[f32], b: &[f32]) -> f64 {
    assert_eq!(a.len(), b.len());
    let dot = |a: &[f32], b: &[f32]| -> f64 {
        a.iter()
            .zip(b)
            .map(|(x, y)| f64::from(*x) * f64::from(*y))
            .sum()
    };
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}
