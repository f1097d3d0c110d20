//! Small random models (tests/models/tiny.py) against what onnxruntime made of them in padded batches.

#![allow(clippy::unwrap_used)]

mod support;

use std::fs;
use std::num::NonZero;

use mrmr_core::{Content, Image, Media, Part};
use mrmr_models::{
    CrossEncoder, EmbeddingKind, Embeddings, Encoder, Family, LateInteraction, ModelFolder,
    ModelOptions, Reranker, Role, StaticTable, TextEncoder, open_encoder, open_reranker,
};

use support::{contents, copy, fixture, reference, rows, strings};

/// How far a number may be from the reference.
const NEAR: f32 = 2e-5;

fn threads(count: usize) -> ModelOptions {
    ModelOptions {
        threads: NonZero::new(count),
        ..ModelOptions::default()
    }
}

fn text_encoder(path: &std::path::Path, options: &ModelOptions) -> TextEncoder {
    TextEncoder::open(&ModelFolder::open(path).unwrap(), options).unwrap()
}

fn assert_near(made: &[f32], expected: &[f32], what: &str) {
    assert_eq!(made.len(), expected.len(), "{what}");
    for (a, b) in made.iter().zip(expected) {
        assert!(
            (a - b).abs() <= NEAR * b.abs().max(1.0),
            "{what}: {made:?} against {expected:?}"
        );
    }
}

fn assert_rows(made: &Embeddings, expected: &[Vec<f32>], texts: &[String]) {
    assert_eq!(made.failures(), []);
    assert_eq!(made.len(), expected.len());
    for (item, row) in expected.iter().enumerate() {
        assert_near(made.vector(item).unwrap(), row, &texts[item]);
    }
}

#[test]
fn a_text_encoder_agrees_with_the_reference_in_each_pooling() {
    for (mode, name) in [
        ("mean", "mean"),
        ("cls", "cls"),
        ("max", "max"),
        ("lasttoken", "last"),
    ] {
        let folder = copy("tiny-bert");
        fs::write(
            folder.path().join("1_Pooling/config.json"),
            format!(r#"{{"pooling_mode": "{mode}"}}"#),
        )
        .unwrap();
        let known = reference(folder.path());
        let encoder = text_encoder(folder.path(), &threads(2));
        let made = encoder
            .encode(&contents(&known["texts"]), Role::Document)
            .unwrap();
        assert_rows(&made, &rows(&known[name]), &strings(&known["texts"]));
    }
}

#[test]
fn queries_have_their_prompt_and_documents_none() {
    let path = fixture("tiny-bert");
    let known = reference(&path);
    let encoder = text_encoder(&path, &threads(1));
    let made = encoder
        .encode(&contents(&known["texts"]), Role::Query)
        .unwrap();
    assert_rows(&made, &rows(&known["query"]), &strings(&known["texts"]));
    let options = ModelOptions {
        query_prompt: Some(String::new()),
        ..threads(1)
    };
    let without = text_encoder(&path, &options)
        .encode(&contents(&known["texts"]), Role::Query)
        .unwrap();
    assert_rows(&without, &rows(&known["mean"]), &strings(&known["texts"]));
}

#[test]
fn vectors_are_as_long_as_the_model_makes_them_where_no_step_normalizes() {
    let folder = copy("tiny-bert");
    let known = reference(folder.path());
    let modules = fs::read_to_string(folder.path().join("modules.json")).unwrap();
    let mut modules: Vec<serde_json::Value> = serde_json::from_str(&modules).unwrap();
    modules.pop();
    fs::write(
        folder.path().join("modules.json"),
        serde_json::to_string(&modules).unwrap(),
    )
    .unwrap();
    let made = text_encoder(folder.path(), &threads(1))
        .encode(&contents(&known["texts"]), Role::Document)
        .unwrap();
    assert_rows(&made, &rows(&known["raw"]), &strings(&known["texts"]));
}

#[test]
fn bits_are_the_same_for_any_company_and_any_number_of_threads() {
    let path = fixture("tiny-bert");
    let texts: Vec<Content> = (0..60)
        .map(|item: usize| {
            Content::from("the red dog ".repeat(item * item % 7) + &"x".repeat(item % 5))
        })
        .collect();
    let all = text_encoder(&path, &threads(1))
        .encode(&texts, Role::Document)
        .unwrap();
    let three = text_encoder(&path, &threads(3))
        .encode(&texts, Role::Document)
        .unwrap();
    assert_eq!(all.as_slice(), three.as_slice());
    let encoder = text_encoder(&path, &threads(1));
    for (item, text) in texts.iter().enumerate() {
        let alone = encoder
            .encode(std::slice::from_ref(text), Role::Document)
            .unwrap();
        assert_eq!(alone.vector(0), all.vector(item), "{item}");
    }
}

#[test]
fn what_was_read_and_cut_is_counted_and_an_image_fails_alone() {
    let image = Content::new([Part::Image(Image {
        label: "image 1".to_owned(),
        media: Media::Missing,
    })]);
    let long = Content::from("the red circle ".repeat(50_000));
    let items = ["the dog".into(), image, Content::default(), long];
    let encoder = text_encoder(&fixture("tiny-bert"), &threads(1));
    assert_eq!(encoder.limits().tokens, Some(24));
    let made = encoder.encode(&items, Role::Document).unwrap();
    assert_eq!(
        made.notes().to_string(),
        "3 items, 30 tokens, 1 cut at the model's limit, 1 empty"
    );
    assert_eq!(made.failures()[0].item, 1);
    assert_eq!(
        made.failures()[0].reason,
        "expected texts alone, found the image 'image 1'"
    );
    assert_eq!((made.vector(1), made.len()), (None, 4));
    // A word without end is one unknown token, cut where nobody looks any more.
    let word = encoder
        .encode(
            &["x".repeat(3_000_000).into(), "x".repeat(200).into()],
            Role::Document,
        )
        .unwrap();
    assert_eq!(word.vector(0), word.vector(1));
    assert_eq!(word.notes().truncated, 1);
    // However long a text is, what the model reads of it is its beginning.
    let short = encoder
        .encode(&["the red circle ".repeat(20).into()], Role::Document)
        .unwrap();
    assert_eq!(made.vector(3), short.vector(0));
}

#[test]
fn a_cut_vector_is_the_beginning_made_long_again() {
    let path = fixture("tiny-bert");
    let texts = ["the red circle".into(), "why".into()];
    let whole = text_encoder(&path, &threads(1))
        .encode(&texts, Role::Document)
        .unwrap();
    let options = ModelOptions {
        dimension: Some(8),
        ..threads(1)
    };
    let cut = text_encoder(&path, &options)
        .encode(&texts, Role::Document)
        .unwrap();
    assert_eq!(cut.dimension(), 8);
    for item in 0..2 {
        let start = &whole.vector(item).unwrap()[..8];
        let length = start.iter().map(|x| x * x).sum::<f32>().sqrt();
        let again: Vec<f32> = start.iter().map(|x| x / length).collect();
        assert_near(cut.vector(item).unwrap(), &again, "cut");
    }
    let options = ModelOptions {
        dimension: Some(33),
        ..threads(1)
    };
    let error = TextEncoder::open(&ModelFolder::open(&path).unwrap(), &options)
        .err()
        .unwrap();
    assert!(
        error
            .to_string()
            .ends_with("expected a dimension of 1 to 32, found 33"),
        "{error}"
    );
}

#[test]
fn a_cross_encoder_agrees_with_the_reference_as_logit_and_as_sigmoid() {
    let folder = copy("tiny-cross-encoder");
    let known = reference(folder.path());
    let query = Content::from(known["query"].as_str().unwrap());
    let documents = contents(&known["documents"]);
    let logits: Vec<f32> = serde_json::from_value(known["logits"].clone()).unwrap();
    let scores = |options: &ModelOptions| {
        let reranker =
            CrossEncoder::open(&ModelFolder::open(folder.path()).unwrap(), options).unwrap();
        reranker.score(&query, &documents).unwrap()
    };
    let probabilities = scores(&threads(2));
    assert_eq!(probabilities.failures, []);
    // Three documents are longer than what the query leaves of 40 tokens.
    assert_eq!(probabilities.notes.truncated, 3);
    let numbers: Vec<f32> = probabilities
        .scores
        .iter()
        .copied()
        .map(Option::unwrap)
        .collect();
    let expected: Vec<f32> = logits
        .iter()
        .map(|logit| 1.0 / (1.0 + (-logit).exp()))
        .collect();
    assert_near(&numbers, &expected, "sigmoid");

    let config = fs::read_to_string(folder.path().join("config.json")).unwrap();
    let identity =
        r#"{"sentence_transformers": {"activation_fn": "torch.nn.modules.linear.Identity"},"#;
    fs::write(
        folder.path().join("config.json"),
        config.replacen('{', identity, 1),
    )
    .unwrap();
    let raw: Vec<f32> = scores(&threads(2))
        .scores
        .into_iter()
        .map(Option::unwrap)
        .collect();
    assert_near(&raw, &logits, "logit");
    // The same bits alone and among others.
    let reranker =
        CrossEncoder::open(&ModelFolder::open(folder.path()).unwrap(), &threads(1)).unwrap();
    for (document, score) in documents.iter().zip(&raw) {
        let alone = reranker
            .score(&query, std::slice::from_ref(document))
            .unwrap();
        assert_eq!(alone.scores, [Some(*score)]);
    }
}

#[test]
fn a_late_interaction_model_marks_fills_and_skips_as_the_reference() {
    let path = fixture("tiny-colbert");
    let known = reference(&path);
    let folder = ModelFolder::open(&path).unwrap();
    let encoder = LateInteraction::open(&folder, &threads(2)).unwrap();
    assert_eq!(
        (encoder.kind(), encoder.dimension()),
        (EmbeddingKind::Multi, 16)
    );
    let texts = contents(&known["texts"]);
    for (role, name) in [(Role::Query, "query"), (Role::Document, "document")] {
        let made = encoder.encode(&texts, role).unwrap();
        assert_eq!(made.failures(), []);
        for (item, expected) in known[name].as_array().unwrap().iter().enumerate() {
            let expected = rows(expected);
            assert_eq!(made.vectors(item).len(), expected.len(), "{name} {item}");
            for (vector, expected) in made.vectors(item).zip(&expected) {
                assert_near(vector, expected, name);
            }
        }
        if role == Role::Query {
            assert!((0..texts.len()).all(|item| made.vectors(item).len() == 12));
        }
    }
}

#[test]
fn the_first_form_of_a_late_interaction_model_is_read_too() {
    let folder = copy("tiny-colbert");
    fs::remove_file(folder.path().join("config_sentence_transformers.json")).unwrap();
    let metadata = r#"{"query_token_id": "[unused0]", "doc_token_id": "[unused1]", "query_maxlen": 12, "doc_maxlen": 30}"#;
    fs::write(folder.path().join("artifact.metadata"), metadata).unwrap();
    let known = reference(folder.path());
    let encoder = open_encoder(folder.path().to_str().unwrap(), &threads(1)).unwrap();
    let made = encoder
        .encode(&contents(&known["texts"]), Role::Query)
        .unwrap();
    for (vector, expected) in made.vectors(0).zip(&rows(&known["query"][0])) {
        assert_near(vector, expected, "query");
    }
}

#[test]
fn a_static_table_agrees_with_the_reference() {
    let path = fixture("tiny-static");
    let known = reference(&path);
    let encoder =
        StaticTable::open(&ModelFolder::open(&path).unwrap(), &ModelOptions::default()).unwrap();
    let made = encoder
        .encode(&contents(&known["texts"]), Role::Document)
        .unwrap();
    assert_rows(&made, &rows(&known["vectors"]), &strings(&known["texts"]));
    assert!(made.notes().empty >= 2, "{}", made.notes());
    assert_eq!(made.notes().truncated, 1);
}

#[test]
fn a_folder_is_of_the_family_that_its_settings_say() {
    for (name, family) in [
        ("tiny-bert", Family::Text),
        ("tiny-static", Family::Static),
        ("tiny-colbert", Family::LateInteraction),
        ("tiny-cross-encoder", Family::CrossEncoder),
    ] {
        let path = fixture(name);
        assert_eq!(ModelFolder::open(&path).unwrap().family().unwrap(), family);
        let path = path.to_str().unwrap();
        let options = threads(1);
        match family {
            Family::CrossEncoder => {
                assert!(open_reranker(path, &options).is_ok());
                assert_eq!(
                    open_encoder(path, &options).err().unwrap().hints(),
                    ["use it as a reranker"]
                );
            }
            _ => {
                assert!(open_encoder(path, &options).is_ok());
                assert!(open_reranker(path, &options).is_err());
            }
        }
    }
}
