//! Each convention: the request is one that its published schema allows, the answer comes back as it was made.

use base64::prelude::{BASE64_STANDARD, Engine as _};
use mrmr_core::{Content, Part};
use mrmr_models::{
    Captioner, Encoder, Endpoint, HttpCaptioner, HttpEncoder, ModelOptions, Reranker, Role,
};
use serde_json::{Value, json};

use crate::server::{DIMENSION, Server, score, vector};
use crate::{around, encoder, image_content, picture, reranker};

const TEXTS: [&str; 5] = [
    "a red circle",
    "Über \"blue\" squares\n",
    "猫が好き",
    "green",
    "red",
];

fn texts() -> Vec<Content> {
    TEXTS.iter().map(|text| Content::from(*text)).collect()
}

/// Convention, the rest of the endpoint, path, field and values that tell queries from documents.
const ROLES: &[(&str, &str, &str, &str, Value, Value)] = &[
    (
        "openai",
        ":m",
        "/v1/embeddings",
        "-",
        Value::Null,
        Value::Null,
    ),
    ("tei", "", "/embed", "prompt_name", Value::Null, Value::Null),
    (
        "vllm",
        ":m",
        "/v1/embeddings",
        "-",
        Value::Null,
        Value::Null,
    ),
    (
        "infinity",
        ":m",
        "/embeddings",
        "-",
        Value::Null,
        Value::Null,
    ),
    ("ollama", ":m", "/api/embed", "-", Value::Null, Value::Null),
];

#[test]
fn texts_become_the_vectors_that_the_endpoint_made_in_every_convention() {
    let mut cases = ROLES.to_vec();
    let named = |convention, rest, path, field, query: &str, document: &str| {
        (convention, rest, path, field, json!(query), json!(document))
    };
    cases.extend([
        named(
            "tei",
            ",query=q,document=d",
            "/embed",
            "prompt_name",
            "q",
            "d",
        ),
        named(
            "cohere",
            ":m",
            "/v2/embed",
            "input_type",
            "search_query",
            "search_document",
        ),
        named(
            "cohere",
            ":m,query=clustering",
            "/v2/embed",
            "input_type",
            "clustering",
            "search_document",
        ),
        named(
            "jina",
            ":m",
            "/v1/embeddings",
            "task",
            "retrieval.query",
            "retrieval.passage",
        ),
        named(
            "jina",
            ":m,document=text-matching",
            "/v1/embeddings",
            "task",
            "retrieval.query",
            "text-matching",
        ),
        named(
            "voyage",
            ":m",
            "/v1/embeddings",
            "input_type",
            "query",
            "document",
        ),
        named(
            "voyage",
            ":m-multimodal",
            "/v1/multimodalembeddings",
            "input_type",
            "query",
            "document",
        ),
    ]);
    for (convention, rest, path, field, query, document) in cases {
        let server = Server::start(convention);
        let name = server.endpoint(&format!("{rest},items=2,key=MY_KEY"));
        let encoder = encoder(&name).unwrap();
        let canonical = name.parse::<Endpoint>().unwrap().to_string();
        assert_eq!(
            (encoder.name(), encoder.dimension()),
            (&*canonical, DIMENSION),
            "{name}"
        );
        assert_eq!(
            server.take_seen().len(),
            1,
            "{name}: one request to know the dimension"
        );
        for (role, word) in [(Role::Query, query), (Role::Document, document)] {
            let made = encoder.encode(&texts(), role).unwrap();
            assert_eq!(made.failures(), [], "{name}");
            for (number, text) in TEXTS.iter().enumerate() {
                assert_eq!(
                    made.vector(number),
                    Some(&vector(text)[..]),
                    "{name}: {text}"
                );
            }
            let tokens = if convention == "tei" { 0 } else { 5 };
            assert_eq!(
                (made.notes().items, made.notes().tokens),
                (5, tokens),
                "{name}"
            );
            let seen = server.take_seen();
            assert_eq!(seen.len(), 3, "{name}");
            for one in seen {
                assert_eq!(one.path, path);
                assert_eq!(
                    one.headers["authorization"],
                    format!("Bearer {}", crate::KEY)
                );
                assert_eq!(
                    one.body.get(field).cloned().unwrap_or_default(),
                    word,
                    "{name}"
                );
            }
        }
    }
}

#[test]
fn pictures_go_in_each_conventions_form() {
    let mixed = Content::new([Part::Text("a circle".to_owned()), Part::Image(picture(9).0)]);
    let base64 = |red| BASE64_STANDARD.encode(picture(red).1);
    let contents = [image_content(1), "a text".into(), mixed, image_content(2)];
    for (convention, rest, takes_mixed, requests) in [
        ("vllm", ":m", true, 4),
        ("cohere", ":m", true, 1),
        ("jina", ":m", false, 2),
        ("voyage", ":m-multimodal", true, 1),
        ("infinity", ":m", false, 2),
    ] {
        let server = Server::start(convention);
        let encoder = encoder(&server.endpoint(rest)).unwrap();
        assert!(encoder.takes().image);
        server.take_seen();
        let made = encoder.encode(&contents, Role::Document).unwrap();
        assert_eq!(
            made.vector(0),
            Some(&vector(&base64(1))[..]),
            "{convention}"
        );
        assert_eq!(made.vector(1), Some(&vector("a text")[..]), "{convention}");
        assert_eq!(
            made.vector(3),
            Some(&vector(&base64(2))[..]),
            "{convention}"
        );
        assert_eq!(server.take_seen().len(), requests, "{convention}");
        if takes_mixed {
            let line = format!("a circle {}", base64(9));
            assert_eq!(made.vector(2), Some(&vector(&line)[..]), "{convention}");
        } else {
            let reason = &made.failures()[0].reason;
            assert_eq!(
                reason,
                &format!("{convention} takes a text or an image; found 2 parts")
            );
        }
    }
}

#[test]
fn a_picture_is_a_failure_of_its_own_where_texts_alone_are_taken() {
    for (convention, rest) in [
        ("openai", ":m"),
        ("tei", ""),
        ("ollama", ":m"),
        ("voyage", ":m"),
    ] {
        let server = Server::start(convention);
        let encoder = encoder(&server.endpoint(rest)).unwrap();
        let contents = [image_content(1), "red".into(), Content::default()];
        let made = encoder.encode(&contents, Role::Query).unwrap();
        let reasons: Vec<_> = made
            .failures()
            .iter()
            .map(|f| (f.item, f.reason.as_str()))
            .collect();
        let image = format!("{convention} takes a text; found an image");
        assert_eq!(
            reasons,
            [
                (0, &*image),
                (2, "expected a text or an image, found nothing")
            ]
        );
        assert_eq!(made.vector(1), Some(&vector("red")[..]));
    }
}

#[test]
fn lists_of_numbers_are_accepted_as_well_as_base64() {
    for convention in ["openai", "vllm", "jina", "voyage", "infinity"] {
        let server = Server::start(convention);
        let encoder = encoder(&server.endpoint(":m,encoding=float")).unwrap();
        let made = encoder.encode(&texts(), Role::Query).unwrap();
        assert_eq!(made.vector(2), Some(&vector(TEXTS[2])[..]), "{convention}");
    }
}

#[test]
fn a_dimension_and_prompts_are_asked_for() {
    for (convention, rest, field) in [
        ("openai", ":m", "dimensions"),
        ("cohere", ":m", "output_dimension"),
        ("voyage", ":m", "output_dimension"),
        ("tei", "", "dimensions"),
    ] {
        let server = Server::start(convention);
        let options = ModelOptions {
            dimension: Some(16),
            query_prompt: Some("query: ".to_owned()),
            ..ModelOptions::default()
        };
        let endpoint = server.endpoint(rest).parse().unwrap();
        let encoder = HttpEncoder::open(&endpoint, &options, around()).unwrap();
        assert_eq!(encoder.dimension(), 16);
        let made = encoder.encode(&["red".into()], Role::Query).unwrap();
        assert_eq!(made.vector(0), Some(&vector("query: red")[..16]));
        assert_eq!(server.take_seen()[1].body[field], json!(16));
    }
    // Infinity's test server cuts too; one that does not heed the wish is found out.
    let server = Server::start("openai");
    server.always(crate::server::Fault::Change(|answer| {
        answer["data"][0]["embedding"] = json!([1.0, 2.0]);
    }));
    let options = ModelOptions {
        dimension: Some(16),
        ..ModelOptions::default()
    };
    let endpoint = server.endpoint(":m").parse().unwrap();
    let error = HttpEncoder::open(&endpoint, &options, around()).unwrap_err();
    assert!(
        error
            .message()
            .contains("asked for vectors of 16 numbers; the endpoint gives 2")
    );
}

#[test]
fn truncation_is_asked_for_by_the_option_alone() {
    for (convention, rest, field, off, on) in [
        ("tei", "", "truncate", json!(false), json!(true)),
        ("cohere", ":m", "truncate", json!("NONE"), json!("END")),
        ("voyage", ":m", "truncation", json!(false), json!(true)),
        ("ollama", ":m", "truncate", json!(false), json!(true)),
        ("jina", ":m", "truncate", json!(false), json!(true)),
        (
            "vllm",
            ":m",
            "truncate_prompt_tokens",
            Value::Null,
            json!(-1),
        ),
    ] {
        let server = Server::start(convention);
        for (option, expected) in [("", off), (",truncate=yes", on)] {
            encoder(&server.endpoint(&format!("{rest}{option}"))).unwrap();
            let seen = server.take_seen();
            assert_eq!(
                seen[0].body.get(field).cloned().unwrap_or_default(),
                expected,
                "{convention}"
            );
        }
    }
}

#[test]
fn documents_get_the_scores_of_their_place_in_every_convention() {
    for (convention, rest) in [
        ("tei", ""),
        ("vllm", ":m"),
        ("cohere", ":m"),
        ("jina", ":m"),
        ("voyage", ":m"),
        ("infinity", ":m"),
    ] {
        let server = Server::start(convention);
        let reranker = reranker(&server.endpoint(&format!("{rest},items=2"))).unwrap();
        let made = reranker.score(&"red circles".into(), &texts()).unwrap();
        let expected: Vec<_> = TEXTS
            .iter()
            .map(|text| Some(score("red circles", text)))
            .collect();
        assert_eq!(made.scores, expected, "{convention}");
        assert_eq!(made.failures, []);
        assert_eq!(server.take_seen().len(), 3, "{convention}");
        let error = reranker.score(&Content::default(), &texts()).unwrap_err();
        assert!(
            error.message().starts_with("the query: expected a text"),
            "{error}"
        );
    }
    for convention in ["openai", "ollama"] {
        let server = Server::start(convention);
        let error = reranker(&server.endpoint(":m")).unwrap_err();
        assert!(error.message().contains("scores no pairs"));
    }
}

#[test]
fn vllm_scores_pictures_and_queries_with_pictures() {
    let server = Server::start("vllm");
    let reranker = reranker(&server.endpoint(":m")).unwrap();
    let documents = [image_content(1), "red".into()];
    let line = BASE64_STANDARD.encode(picture(1).1);
    let made = reranker.score(&"red".into(), &documents).unwrap();
    assert_eq!(
        made.scores,
        [Some(score("red", &line)), Some(score("red", "red"))]
    );
    let made = reranker.score(&image_content(1), &documents).unwrap();
    assert_eq!(
        made.scores,
        [Some(score(&line, &line)), Some(score(&line, "red"))]
    );
    let paths: Vec<String> = server
        .take_seen()
        .into_iter()
        .map(|seen| seen.path)
        .collect();
    assert_eq!(paths, ["/v1/rerank", "/v1/score"]);
}

#[test]
fn a_picture_gets_its_caption_and_one_that_cannot_be_read_a_reason() {
    for convention in ["openai", "vllm", "ollama"] {
        let server = Server::start(convention);
        let endpoint = server.endpoint(":m,workers=1").parse().unwrap();
        let captioner = HttpCaptioner::open(&endpoint, Some("What is it?"), around()).unwrap();
        let mut broken = picture(1).0;
        broken.media = mrmr_core::Media::Bytes(b"none"[..].into());
        let images = [picture(1).0, broken, picture(2).0];
        let got = std::sync::Mutex::new(Vec::new());
        captioner
            .caption(&images, &|number, caption| {
                got.lock().unwrap().push((number, caption));
                Ok(())
            })
            .unwrap();
        let got = got.into_inner().unwrap();
        let length = "What is it?".len() + 1 + BASE64_STANDARD.encode(picture(1).1).len();
        assert_eq!(got[0], (0, Ok(format!("Caption of {length}"))));
        assert!(
            got[1]
                .1
                .as_ref()
                .unwrap_err()
                .starts_with("the image 'image': ")
        );
        assert!(got[2].1.is_ok());
        assert_eq!(captioner.traffic().unwrap().tokens, 22);
        let seen = server.take_seen();
        assert_eq!(seen.len(), 2);
        let url = &seen[0].body["messages"][0]["content"][1]["image_url"]["url"];
        assert!(url.as_str().unwrap().starts_with("data:image/png;base64,"));
    }
}
