//! A server of every convention, strict about what it is sent, that misbehaves when told to.

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use base64::prelude::{BASE64_STANDARD, Engine as _};
use mrmr_core::Content;
use mrmr_models::{Encoder, Hashing, Role};
use serde_json::{Value, json};

use crate::schema;

/// The numbers of a vector.
pub(crate) const DIMENSION: usize = 64;

/// What the server does instead of answering well.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    /// Answers so.
    Answer(u16, Vec<(&'static str, String)>, String),
    /// Closes the connection in the middle of the answer.
    Cut,
    /// Waits before it answers well.
    Slow(Duration),
    /// Changes the good answer.
    Change(fn(&mut Value)),
    /// Replaces a piece of the good answer's text.
    Replace(&'static str, &'static str),
}

/// What was asked for.
#[derive(Clone, Debug)]
pub(crate) struct Seen {
    pub(crate) path: String,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Value,
}

#[derive(Default)]
struct State {
    faults: Mutex<VecDeque<Fault>>,
    always: Mutex<Option<Fault>>,
    seen: Mutex<Vec<Seen>>,
    /// More items than this are too many.
    most: Mutex<Option<usize>>,
}

pub(crate) struct Server {
    pub(crate) url: String,
    convention: &'static str,
    state: Arc<State>,
}

impl Server {
    pub(crate) fn start(convention: &'static str) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(State::default());
        let shared = state.clone();
        let schemas = schemas(convention);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (state, schemas) = (shared.clone(), schemas.clone());
                thread::spawn(move || serve(stream, convention, &schemas, &state));
            }
        });
        Server {
            url,
            convention,
            state,
        }
    }

    /// An endpoint here.
    pub(crate) fn endpoint(&self, rest: &str) -> String {
        format!("{}+{}{rest}", self.convention, self.url)
    }

    /// What the next requests get, one each.
    pub(crate) fn next(&self, faults: impl IntoIterator<Item = Fault>) {
        self.state.faults.lock().unwrap().extend(faults);
    }

    /// What every request gets.
    pub(crate) fn always(&self, fault: Fault) {
        *self.state.always.lock().unwrap() = Some(fault);
    }

    /// Refuses requests of more items.
    pub(crate) fn at_most(&self, items: usize) {
        *self.state.most.lock().unwrap() = Some(items);
    }

    /// What was asked for so far; forgotten then.
    pub(crate) fn take_seen(&self) -> Vec<Seen> {
        std::mem::take(&mut *self.state.seen.lock().unwrap())
    }
}

fn schemas(convention: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(format!("tests/fixtures/http/{convention}.json"));
    let fixture: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    assert!(fixture["source"].as_str().unwrap().starts_with("https://"));
    fixture["paths"].clone()
}

fn serve(stream: TcpStream, convention: &str, schemas: &Value, state: &State) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut stream = stream;
    while let Some(seen) = read_request(&mut reader) {
        state.seen.lock().unwrap().push(seen.clone());
        let fault = state.faults.lock().unwrap().pop_front();
        let fault = fault.or_else(|| state.always.lock().unwrap().clone());
        let most = *state.most.lock().unwrap();
        let (status, headers, body) = match &fault {
            Some(Fault::Answer(status, headers, body)) => (*status, headers.clone(), body.clone()),
            _ => {
                let (status, mut value) = answer(convention, schemas, &seen, most);
                if let Some(Fault::Change(change)) = &fault {
                    change(&mut value);
                }
                let mut text = value.to_string();
                if let Some(Fault::Replace(from, to)) = &fault {
                    text = text.replacen(from, to, 1);
                }
                (status, Vec::new(), text)
            }
        };
        if let Some(Fault::Slow(duration)) = &fault {
            thread::sleep(*duration);
        }
        let mut head = format!("HTTP/1.1 {status} X\r\ncontent-length: {}\r\n", body.len());
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        head += "\r\n";
        let cut = matches!(fault, Some(Fault::Cut));
        let sent = if cut { &body[..body.len() / 2] } else { &body };
        if stream
            .write_all(format!("{head}{sent}").as_bytes())
            .is_err()
            || cut
        {
            let _ = stream.shutdown(std::net::Shutdown::Both);
            return;
        }
    }
}

fn read_request(reader: &mut BufReader<TcpStream>) -> Option<Seen> {
    let mut line = String::new();
    if reader.read_line(&mut line).ok()? == 0 {
        return None;
    }
    let path = line.split(' ').nth(1)?.to_owned();
    assert!(line.starts_with("POST "), "{line}");
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else {
            break;
        };
        headers.insert(name.to_lowercase(), value.to_owned());
    }
    let mut body = vec![0; headers["content-length"].parse().unwrap()];
    reader.read_exact(&mut body).ok()?;
    Some(Seen {
        path,
        headers,
        body: serde_json::from_slice(&body).unwrap(),
    })
}

/// The vector that an item has: that of its texts and pictures (in base64) in one line.
pub(crate) fn vector(text: &str) -> Vec<f32> {
    let made = Hashing::new(DIMENSION)
        .encode(&[Content::from(text)], Role::Query)
        .unwrap();
    made.vector(0).unwrap().to_vec()
}

/// The score of a pair: the cosine of the two vectors.
pub(crate) fn score(query: &str, document: &str) -> f32 {
    vector(query)
        .iter()
        .zip(vector(document))
        .map(|(x, y)| x * y)
        .sum()
}

/// The texts and pictures of an item in any convention's form, in one line.
fn line_of(item: &Value) -> String {
    match item {
        Value::String(text) => text
            .rsplit_once("base64,")
            .map_or(&**text, |(_, data)| data)
            .to_owned(),
        Value::Array(parts) => parts.iter().map(line_of).collect::<Vec<_>>().join(" "),
        Value::Object(fields) => {
            let inner = [
                "content",
                "text",
                "image",
                "image_url",
                "image_base64",
                "url",
            ];
            inner
                .iter()
                .find_map(|key| fields.get(*key))
                .map(line_of)
                .unwrap()
        }
        other => panic!("{other}"),
    }
}

fn lines(body: &Value, keys: &[&str]) -> Option<Vec<String>> {
    let list = keys.iter().find_map(|key| body.get(*key))?;
    Some(list.as_array()?.iter().map(line_of).collect())
}

fn problem(convention: &str, message: &str) -> Value {
    match convention {
        "tei" => json!({"error": message, "error_type": "Validation"}),
        "cohere" => json!({"message": message}),
        "jina" | "voyage" => json!({"detail": message}),
        _ => json!({"error": {"message": message, "type": "invalid_request_error"}}),
    }
}

fn answer(convention: &str, schemas: &Value, seen: &Seen, most: Option<usize>) -> (u16, Value) {
    let body = &seen.body;
    let Some(schema) = schemas.get(&seen.path) else {
        return (404, problem(convention, "no such path"));
    };
    if let Err(why) = schema::check(schema, body, "body") {
        return (422, problem(convention, &why));
    }
    if seen.path.ends_with("/completions") {
        let said = line_of(&body["messages"][0]["content"]);
        let choice = json!({"message": {"role": "assistant", "content": format!(" Caption of {} \n", said.len())}, "finish_reason": "stop"});
        return (
            200,
            json!({"choices": [choice], "usage": {"total_tokens": 11}}),
        );
    }
    let is_rerank = seen.path.ends_with("rerank") || seen.path.ends_with("score");
    let items = if is_rerank {
        lines(body, &["documents", "texts"]).unwrap()
    } else if let Some(messages) = body.get("messages") {
        vec![line_of(&messages[0]["content"])]
    } else {
        lines(body, &["input", "inputs", "texts"]).unwrap()
    };
    if most.is_some_and(|most| items.len() > most) {
        return (413, problem(convention, "batch size is too large"));
    }
    if let Some(bad) = items.iter().find(|item| item.contains("POISON")) {
        return (400, problem(convention, &format!("cannot read {bad:?}")));
    }
    if is_rerank {
        return (200, scores(convention, seen, &items));
    }
    let encoded = ["encoding_format", "embedding_type", "output_encoding"]
        .iter()
        .any(|key| body.get(*key) == Some(&json!("base64")));
    let dimension = ["dimensions", "output_dimension"]
        .iter()
        .find_map(|key| body.get(*key)?.as_u64());
    let vectors: Vec<Value> = items
        .iter()
        .map(|item| {
            let mut vector = vector(item);
            vector.truncate(dimension.map_or(DIMENSION, |dimension| dimension as usize));
            match encoded {
                true => {
                    let bytes: Vec<u8> = vector.iter().flat_map(|x| x.to_le_bytes()).collect();
                    json!(BASE64_STANDARD.encode(bytes))
                }
                false => json!(vector),
            }
        })
        .collect();
    let tokens = items.len();
    (
        200,
        match convention {
            "tei" => json!(vectors),
            "cohere" => {
                json!({"id": "1", "embeddings": {"float": vectors}, "meta": {"billed_units": {"input_tokens": tokens}}})
            }
            "ollama" => json!({"model": "m", "embeddings": vectors, "prompt_eval_count": tokens}),
            _ => {
                let rows = vectors.iter().enumerate().map(|(index, vector)| {
                json!({"object": "embedding", "index": index, "embedding": vector})
            });
                json!({"object": "list", "data": rows.collect::<Vec<_>>(), "model": "m", "usage": {"prompt_tokens": tokens, "total_tokens": tokens}})
            }
        },
    )
}

fn scores(convention: &str, seen: &Seen, documents: &[String]) -> Value {
    let query = seen.body.get("query").or(seen.body.get("queries")).unwrap();
    let query = line_of(query);
    let mut rows: Vec<(usize, f32)> = documents
        .iter()
        .map(|d| score(&query, d))
        .enumerate()
        .collect();
    // Best first, as the makers' servers answer.
    rows.sort_by(|a, b| b.1.total_cmp(&a.1));
    let list = |key: &str| -> Vec<Value> {
        rows.iter()
            .map(|(index, score)| json!({"index": index, key: score}))
            .collect()
    };
    match convention {
        "tei" => json!(list("score")),
        "voyage" => {
            json!({"object": "list", "data": list("relevance_score"), "usage": {"total_tokens": 5}})
        }
        "vllm" if seen.path.ends_with("score") => {
            json!({"object": "list", "data": list("score"), "usage": {"total_tokens": 5}})
        }
        _ => json!({"id": "1", "results": list("relevance_score"), "usage": {"total_tokens": 5}}),
    }
}
