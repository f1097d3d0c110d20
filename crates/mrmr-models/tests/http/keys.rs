//! Keys: from the environment, to one endpoint, in no message.

use mrmr_core::Error;
use mrmr_models::{
    Encoder, HttpCaptioner, HttpEncoder, HttpReranker, ModelOptions, Reranker, Role, Surroundings,
};

use crate::server::{Fault, Server};
use crate::{KEY, around, encoder, reranker};

/// All that can be seen of an error.
fn shown(error: &Error) -> String {
    let mut text = format!("{error} {error:?} {error:#?} {:?}", error.hints());
    let mut source = std::error::Error::source(error);
    while let Some(inner) = source {
        text += &format!(" {inner} {inner:?}");
        source = inner.source();
    }
    text
}

#[test]
fn a_key_is_in_no_error_that_an_endpoint_answers_with() {
    let server = Server::start("openai");
    let name = server.endpoint(":m,key=MY_KEY,retries=1");
    let made = encoder(&name).unwrap();
    assert_eq!(
        server.take_seen()[0].headers["authorization"],
        format!("Bearer {KEY}")
    );
    let echo = format!(r#"{{"error": {{"message": "Incorrect key {KEY}", "code": "{KEY}"}}}}"#);
    let location = vec![("location", format!("http://127.0.0.1:1/{KEY}"))];
    let mut faults = Vec::new();
    for status in [301, 400, 401, 403, 404, 429, 500] {
        faults.push(Fault::Answer(status, location.clone(), echo.clone()));
        faults.push(Fault::Answer(status, vec![], KEY.to_owned()));
    }
    faults.push(Fault::Answer(200, vec![], KEY.to_owned()));
    faults.push(Fault::Answer(
        200,
        vec![],
        format!(r#"{{"data": "{KEY}"}}"#),
    ));
    for fault in faults {
        server.always(fault);
        let text = match made.encode(&["red".into()], Role::Query) {
            Ok(made) => format!("{made:?}"),
            Err(error) => shown(&error),
        };
        assert!(!text.contains(KEY) && !text.contains("sk-secret"), "{text}");
        server.always(Fault::Cut);
        let error = made.encode(&["red".into()], Role::Query).unwrap_err();
        assert!(!shown(&error).contains("sk-secret"));
    }
}

#[test]
fn a_key_is_in_nothing_that_is_printed_of_an_encoder_reranker_or_captioner() {
    let server = Server::start("vllm");
    let name = server.endpoint(":m,key=MY_KEY");
    let around = around();
    let made = encoder(&name).unwrap();
    let ranks = reranker(&name).unwrap();
    let captions = HttpCaptioner::open(&name.parse().unwrap(), None, around.clone()).unwrap();
    let text = format!(
        "{made:?} {ranks:?} {captions:?} {around:?} {} {} {:?} {}",
        made.name(),
        ranks.name(),
        made.traffic(),
        made.traffic().unwrap(),
    );
    assert!(!text.contains("sk-secret"), "{text}");
    assert!(text.contains("key=MY_KEY"));
}

#[test]
fn a_makers_key_is_not_sent_to_another_address_unasked() {
    for convention in ["openai", "cohere", "jina", "voyage"] {
        let server = Server::start(convention);
        encoder(&server.endpoint(":m")).unwrap();
        assert!(
            !server.take_seen()[0].headers.contains_key("authorization"),
            "{convention}"
        );
    }
}

#[test]
fn a_key_that_is_not_set_is_named_before_anything_is_sent() {
    let without = Surroundings {
        variable: std::sync::Arc::new(|_| None),
        ..around()
    };
    for (name, variable) in [
        ("openai:m", "OPENAI_API_KEY"),
        ("cohere:m", "COHERE_API_KEY"),
        ("jina:m", "JINA_API_KEY"),
        ("voyage:m", "VOYAGE_API_KEY"),
        ("tei,key=MY_KEY", "MY_KEY"),
    ] {
        let options = ModelOptions::default();
        let error =
            HttpEncoder::open(&name.parse().unwrap(), &options, without.clone()).unwrap_err();
        assert!(error.message().contains(variable), "{error}");
        assert!(error.hints()[0].contains(&format!("export {variable}")));
    }
    let endpoint = "cohere:m".parse().unwrap();
    assert!(HttpReranker::open(&endpoint, &ModelOptions::default(), without).is_err());
}

#[test]
fn a_key_with_a_line_end_cannot_add_headers() {
    let odd = Surroundings {
        variable: std::sync::Arc::new(|_| Some("sk-secret\r\nx: y".to_owned())),
        ..around()
    };
    let endpoint = "openai:m".parse().unwrap();
    let error = HttpEncoder::open(&endpoint, &ModelOptions::default(), odd).unwrap_err();
    assert!(!shown(&error).contains("sk-secret"));
    assert!(error.message().contains("visible ASCII"));
}
