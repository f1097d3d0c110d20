//! Endpoints that answer late, wrongly, in part or not at all.

use std::sync::atomic::Ordering;
use std::time::Duration;

use mrmr_core::{Content, Error, ErrorKind};
use mrmr_models::{Captioner, Encoder, HttpCaptioner, HttpEncoder, ModelOptions, Reranker, Role};
use serde_json::json;

use crate::server::{Fault, Server, vector};
use crate::{around, encoder, picture, reranker};

const TEXTS: [&str; 3] = ["red", "green", "blue"];

fn contents() -> Vec<Content> {
    TEXTS.iter().map(|text| Content::from(*text)).collect()
}

fn answer(status: u16, headers: &[(&'static str, &str)], body: &str) -> Fault {
    let headers = headers
        .iter()
        .map(|(name, value)| (*name, (*value).to_owned()));
    Fault::Answer(status, headers.collect(), body.to_owned())
}

/// An encoder of a server that then misbehaves.
fn opened(options: &str, faults: impl IntoIterator<Item = Fault>) -> (Server, HttpEncoder) {
    let server = Server::start("openai");
    let made = encoder(&server.endpoint(&format!(":m,{options}encoding=float"))).unwrap();
    server.take_seen();
    server.next(faults);
    (server, made)
}

/// All is well in the end, after so many requests.
fn well(options: &str, faults: Vec<Fault>, requests: usize) -> HttpEncoder {
    let (server, encoder) = opened(options, faults);
    let made = encoder.encode(&contents(), Role::Query).unwrap();
    assert_eq!(made.failures(), []);
    for (number, text) in TEXTS.iter().enumerate() {
        assert_eq!(made.vector(number), Some(&vector(text)[..]));
    }
    assert_eq!(server.take_seen().len(), requests);
    encoder
}

/// It ends with an error, after so many requests.
fn ended(options: &str, faults: Vec<Fault>, requests: usize) -> Error {
    let (server, encoder) = opened(options, faults);
    let error = encoder.encode(&contents(), Role::Query).unwrap_err();
    assert_eq!(server.take_seen().len(), requests, "{error}");
    assert!(
        error
            .to_string()
            .starts_with(&format!("{}/v1/embeddings: ", server.url)),
        "{error}"
    );
    error
}

/// The second item fails, the others stand.
fn second_fails(fault: Fault) -> String {
    let (server, encoder) = opened("", [fault]);
    let made = encoder.encode(&contents(), Role::Query).unwrap();
    assert_eq!(server.take_seen().len(), 1);
    assert_eq!(made.vector(0), Some(&vector("red")[..]));
    assert_eq!(made.vector(1), None);
    assert_eq!(made.vector(2), Some(&vector("blue")[..]));
    let [failure] = made.failures() else {
        panic!("{:?}", made.failures())
    };
    assert_eq!(failure.item, 1);
    failure.reason.clone()
}

#[test]
fn too_many_requests_wait_as_long_as_the_endpoint_asks() {
    let limited = answer(
        429,
        &[("Retry-After", "7")],
        r#"{"error": {"message": "slow down"}}"#,
    );
    let encoder = well("", vec![limited.clone(), limited], 3);
    let traffic = encoder.traffic().unwrap();
    assert_eq!((traffic.requests, traffic.retries), (4, 2));
    assert_eq!(traffic.waited, Duration::from_secs(14));
    assert!(
        traffic
            .to_string()
            .starts_with("4 requests, 2 of them again, 4 tokens, median ")
    );
}

#[test]
fn an_endpoint_that_asks_for_more_than_two_minutes_is_not_asked_again() {
    let error = ended("", vec![answer(429, &[("retry-after", "300")], "")], 1);
    assert!(error.message().contains("answered 429: nothing"), "{error}");
    assert!(error.hints()[0].contains("requests-per-minute"));
}

#[test]
fn nothing_left_to_spend_is_not_asked_again() {
    let body = r#"{"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}"#;
    let error = ended("", vec![answer(429, &[], body)], 1);
    assert!(error.message().contains("You exceeded your quota"));
    assert!(error.hints()[0].contains("waiting does not help"));
}

#[test]
fn errors_of_the_server_are_asked_again_as_often_as_set() {
    let broken = answer(500, &[], "oops");
    let encoder = well("", vec![broken.clone(), broken.clone()], 3);
    let waited = encoder.traffic().unwrap().waited.as_secs_f64();
    assert!((1.125..=1.5).contains(&waited), "{waited}");
    let error = ended("retries=2,", vec![broken.clone(); 3], 3);
    assert_eq!(
        error.message(),
        "the endpoint answered 500 after 2 retries: oops"
    );
    ended("retries=0,", vec![broken], 1);
    let said = answer(500, &[("x-should-retry", "false")], "oops");
    ended("", vec![said], 1);
}

#[test]
fn an_answer_that_is_cut_off_or_too_late_is_asked_for_again() {
    well("", vec![Fault::Cut], 2);
    well("", vec![Fault::Slow(Duration::from_millis(100))], 1);
    well(
        "timeout=0.15,",
        vec![Fault::Slow(Duration::from_millis(400))],
        2,
    );
    let error = ended("retries=1,", vec![Fault::Cut, Fault::Cut], 2);
    assert_eq!(error.kind(), ErrorKind::Io);
}

#[test]
fn what_is_not_there_is_an_error_of_the_connection() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let error = encoder(&format!("tei+{url}")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Io);
    assert!(error.message().contains("after 5 retries"), "{error}");
    assert!(error.hints()[0].contains("is it running"));
}

#[test]
fn answers_in_another_order_come_back_in_order() {
    let turned = Fault::Change(|answer| answer["data"].as_array_mut().unwrap().reverse());
    well("", vec![turned], 1);
}

#[test]
fn a_wrong_count_of_vectors_or_an_index_twice_is_an_error() {
    let shorter = Fault::Change(|answer| {
        answer["data"].as_array_mut().unwrap().pop();
    });
    let error = ended("", vec![shorter], 1);
    assert!(
        error.message().contains("expected 3 vectors, found 2"),
        "{error}"
    );
    let twice = Fault::Change(|answer| answer["data"][2]["index"] = json!(1));
    let error = ended("", vec![twice], 1);
    assert!(
        error
            .message()
            .contains("expected each index once, found 1 twice"),
        "{error}"
    );
    let beyond = Fault::Change(|answer| answer["data"][2]["index"] = json!(3));
    let error = ended("", vec![beyond], 1);
    assert!(
        error
            .message()
            .contains("expected indices under 3, found 3"),
        "{error}"
    );
}

#[test]
fn a_vector_that_is_none_is_a_failure_of_its_item_alone() {
    let nan = Fault::Change(|answer| answer["data"][1]["embedding"][5] = json!(null));
    assert_eq!(second_fails(nan), "expected numbers, found NaN at 5");
    let short = Fault::Change(|answer| answer["data"][1]["embedding"] = json!([1.0, 2.0]));
    assert_eq!(
        second_fails(short),
        "expected a vector of 64 numbers, found 2"
    );
    let bare = Fault::Change(|answer| answer["data"][1]["embedding"][5] = json!("NaN"));
    let (server, encoder) = opened("", [bare]);
    assert!(encoder.encode(&contents(), Role::Query).is_err());
    assert_eq!(server.take_seen().len(), 1);
    // A bare NaN, as Python's json writes it.
    let server = Server::start("tei");
    let encoder = crate::encoder(&server.endpoint("")).unwrap();
    server.next([Fault::Replace("[[", "[[NaN],[")]);
    let made = encoder.encode(&["red".into(), "green".into()], Role::Query);
    assert!(
        made.unwrap_err()
            .message()
            .contains("expected 2 vectors, found 3")
    );
    server.next([Fault::Replace("],[", ",NaN],[")]);
    let made = encoder
        .encode(&["red".into(), "green".into()], Role::Query)
        .unwrap();
    assert_eq!(
        made.failures()[0].reason,
        "expected a vector of 64 numbers, found 65"
    );
    assert_eq!(made.vector(1), Some(&vector("green")[..]));
}

#[test]
fn what_is_no_json_is_an_error_that_says_what_it_is() {
    for (body, found) in [
        (
            "<!doctype html><html></html>",
            "expected JSON, found an HTML page",
        ),
        ("", "expected JSON, found nothing"),
        ("{\"data\": 3}", "expected JSON of this convention: "),
    ] {
        let error = ended("", vec![answer(200, &[], body)], 1);
        assert!(error.message().starts_with(found), "{error}");
    }
}

#[test]
fn a_batch_that_is_too_large_is_halved() {
    for (most, requests) in [(2, 3), (1, 5)] {
        let (server, encoder) = opened("", []);
        server.at_most(most);
        let made = encoder.encode(&contents(), Role::Query).unwrap();
        assert_eq!(made.failures(), []);
        assert_eq!(made.vector(2), Some(&vector("blue")[..]));
        assert_eq!(server.take_seen().len(), requests);
    }
}

#[test]
fn an_item_that_is_refused_by_itself_is_that_items_failure() {
    let (server, encoder) = opened("", []);
    let mut contents = contents();
    contents.insert(1, "POISON".into());
    let made = encoder.encode(&contents, Role::Query).unwrap();
    assert_eq!(made.failures().len(), 1);
    let failure = &made.failures()[0];
    assert_eq!(failure.item, 1);
    assert_eq!(
        failure.reason,
        "the endpoint answered 400: cannot read \"POISON\""
    );
    assert_eq!(made.vector(3), Some(&vector("blue")[..]));
    assert_eq!(server.take_seen().len(), 5);

    let server = Server::start("cohere");
    let reranker = reranker(&server.endpoint(":m")).unwrap();
    let made = reranker.score(&"red".into(), &contents).unwrap();
    assert_eq!(made.scores[1], None);
    assert_eq!((made.failures.len(), made.failures[0].item), (1, 1));
    assert!(made.scores[3].is_some());
}

#[test]
fn a_redirect_is_told_and_not_followed() {
    let other = Server::start("openai");
    let moved = answer(
        307,
        &[("location", &format!("{}/v1/embeddings", other.url))],
        "",
    );
    let error = ended("key=MY_KEY,", vec![moved], 1);
    assert!(error.message().contains("answered 307"), "{error}");
    assert!(error.hints()[0].contains(&other.url), "{:?}", error.hints());
    assert_eq!(other.take_seen().len(), 0);
}

#[test]
fn scores_that_are_none_or_too_few_are_found() {
    let server = Server::start("tei");
    let reranker = reranker(&server.endpoint("")).unwrap();
    server.next([Fault::Change(|answer| answer[0]["score"] = json!(null))]);
    let made = reranker.score(&"green".into(), &contents()).unwrap();
    assert_eq!(made.failures[0].item, 1);
    assert_eq!(made.scores.iter().flatten().count(), 2);
    server.next([Fault::Change(|answer| {
        answer.as_array_mut().unwrap().pop();
    })]);
    let error = reranker.score(&"green".into(), &contents()).unwrap_err();
    assert!(error.message().contains("expected 3 scores, found 2"));
}

#[test]
fn requests_keep_to_the_rate_that_is_set() {
    let (_server, encoder) = opened("items=1,requests-per-minute=60,workers=1,", []);
    encoder.encode(&contents(), Role::Query).unwrap();
    // The one that asked for the dimension was the first of four.
    assert_eq!(encoder.traffic().unwrap().waited, Duration::from_secs(3));
}

#[test]
fn a_wish_to_stop_ends_the_work_between_two_requests() {
    let server = Server::start("openai");
    let around = around();
    let endpoint = server.endpoint(":m,items=1").parse().unwrap();
    let encoder = HttpEncoder::open(&endpoint, &ModelOptions::default(), around.clone()).unwrap();
    around.stop.store(true, Ordering::Relaxed);
    server.take_seen();
    let error = encoder.encode(&contents(), Role::Query).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Interrupted);
    assert_eq!(server.take_seen().len(), 0);
}

#[test]
fn captions_that_are_none_are_failures_of_their_picture() {
    let server = Server::start("openai");
    let endpoint = server.endpoint(":m,workers=1").parse().unwrap();
    let captioner = HttpCaptioner::open(&endpoint, None, around()).unwrap();
    server.next([
        Fault::Change(|answer| answer["choices"][0]["message"]["content"] = json!("  ")),
        Fault::Change(|answer| answer["choices"][0]["finish_reason"] = json!("length")),
        Fault::Change(|answer| answer["choices"][0]["message"]["refusal"] = json!("I cannot")),
        answer(400, &[], r#"{"error": {"message": "unsupported image"}}"#),
        Fault::Change(|answer| answer["choices"] = json!([])),
    ]);
    let images: Vec<_> = (0..6).map(|red| picture(red).0).collect();
    let reasons = std::sync::Mutex::new(Vec::new());
    captioner
        .caption(&images, &|_, caption| {
            reasons.lock().unwrap().push(caption);
            Ok(())
        })
        .unwrap();
    let reasons = reasons.into_inner().unwrap();
    let wrong: Vec<&str> = reasons[..5]
        .iter()
        .map(|r| r.as_ref().unwrap_err().as_str())
        .collect();
    assert_eq!(
        wrong,
        [
            "expected a caption, found an empty text",
            "the caption is cut off at the model's limit",
            "the model refuses: I cannot",
            "the endpoint answered 400: unsupported image",
            "expected an answer of the model, found none",
        ]
    );
    assert!(reasons[5].is_ok());
}
