//! What is missing or odd in a model's folder is said, with what was expected.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::path::Path;

use mrmr_core::Error;
use mrmr_models::{ModelOptions, Runtime, open_encoder, open_reranker};

use support::copy;

/// The error of a text encoder after a change to its folder.
fn error_after(model: &str, change: impl Fn(&Path)) -> Error {
    let folder = copy(model);
    change(folder.path());
    let path = folder.path().to_str().unwrap();
    let options = ModelOptions::default();
    match model {
        "tiny-cross-encoder" => open_reranker(path, &options).err().unwrap(),
        _ => open_encoder(path, &options).err().unwrap(),
    }
}

fn write<'a>(file: &'a str, text: &'a str) -> impl Fn(&Path) + 'a {
    move |folder| fs::write(folder.join(file), text).unwrap()
}

fn remove(file: &str) -> impl Fn(&Path) + '_ {
    move |folder| fs::remove_file(folder.join(file)).unwrap()
}

#[test]
fn each_broken_file_is_named_with_what_was_expected() {
    let pointer = "version https://git-lfs.github.com/spec/v1\n";
    let dense = r#"[{"path": "", "type": "sentence_transformers.models.Transformer"}, {"path": "2_Dense", "type": "sentence_transformers.models.Dense"}]"#;
    let cases = [
        (
            "tiny-bert",
            error_after("tiny-bert", remove("onnx/model.onnx")),
            "expected an ONNX file",
            "optimum-cli",
        ),
        (
            "tiny-bert",
            error_after("tiny-bert", remove("tokenizer.json")),
            "expected the file tokenizer.json",
            "AutoTokenizer",
        ),
        (
            "tiny-bert",
            error_after("tiny-bert", remove("1_Pooling/config.json")),
            "1_Pooling/config.json, found none",
            "modules.json names",
        ),
        (
            "tiny-bert",
            error_after("tiny-bert", write("config.json", pointer)),
            "settings of a model as JSON",
            "LFS",
        ),
        (
            "tiny-bert",
            error_after("tiny-bert", write("onnx/model.onnx", pointer)),
            "rten cannot load",
            "LFS",
        ),
        (
            "tiny-bert",
            error_after("tiny-bert", write("tokenizer.json", "{}")),
            "expected a tokenizer",
            "",
        ),
        (
            "tiny-bert",
            error_after("tiny-bert", write("modules.json", dense)),
            "step of the kind 'Dense'",
            "",
        ),
        (
            "tiny-bert",
            error_after("tiny-bert", write("1_Pooling/config.json", "{}")),
            "expected a pooling mode",
            "",
        ),
        (
            "tiny-colbert",
            error_after(
                "tiny-colbert",
                write(
                    "config_sentence_transformers.json",
                    r#"{"query_prefix": "[Q]", "document_prefix": "[D]"}"#,
                ),
            ),
            "marker '[Q]'",
            "",
        ),
        (
            "tiny-colbert",
            error_after(
                "tiny-colbert",
                write(
                    "config_sentence_transformers.json",
                    r#"{"query_prefix": "[unused0]"}"#,
                ),
            ),
            "expected both",
            "",
        ),
        (
            "tiny-static",
            error_after("tiny-static", write("model.safetensors", pointer)),
            "expected safetensors",
            "",
        ),
        (
            "tiny-cross-encoder",
            error_after(
                "tiny-cross-encoder",
                write(
                    "config.json",
                    r#"{"architectures": ["XForSequenceClassification"], "num_labels": 3}"#,
                ),
            ),
            "one class, found 3",
            "reranker",
        ),
    ];
    for (model, error, expected, hint) in cases {
        let text = error.to_string();
        assert!(text.contains(expected), "{model}: {text}");
        assert!(error.place().is_some(), "{model}: {text}");
        assert!(
            error.hints().join("\n").contains(hint),
            "{model}: {:?}",
            error.hints()
        );
    }
}

#[test]
fn a_network_of_another_family_is_refused_by_its_output() {
    let other = support::fixture("tiny-cross-encoder").join("onnx/model.onnx");
    let error = error_after("tiny-bert", |folder| {
        fs::copy(&other, folder.join("onnx/model.onnx")).unwrap();
    });
    assert!(
        error
            .to_string()
            .contains("one output of 3 axes; found logits"),
        "{error}"
    );
}

#[cfg(not(feature = "onnxruntime"))]
#[test]
fn a_runtime_that_is_not_built_in_names_its_feature() {
    let options = ModelOptions {
        runtime: Runtime::OnnxRuntime,
        ..ModelOptions::default()
    };
    let error = open_encoder(support::fixture("tiny-bert").to_str().unwrap(), &options)
        .err()
        .unwrap();
    assert!(
        error.to_string().contains("the feature onnxruntime is off"),
        "{error}"
    );
    assert!(error.hints()[0].contains("--features onnxruntime"));
}

#[cfg(feature = "onnxruntime")]
#[test]
fn the_other_runtime_gives_nearly_the_same() {
    use mrmr_models::Role;
    let path = support::fixture("tiny-bert");
    let encode = |runtime| {
        let options = ModelOptions {
            runtime,
            ..ModelOptions::default()
        };
        let encoder = open_encoder(path.to_str().unwrap(), &options)?;
        encoder.encode(&["the red circle".into(), "why".into()], Role::Query)
    };
    let ours = encode(Runtime::Rten).unwrap();
    match encode(Runtime::OnnxRuntime) {
        Ok(theirs) => {
            for item in 0..2 {
                assert!(
                    support::cosine(ours.vector(item).unwrap(), theirs.vector(item).unwrap())
                        > 0.999_999
                );
            }
        }
        Err(error) => assert!(
            error.to_string().contains("library of ONNX Runtime"),
            "{error}"
        ),
    }
}
