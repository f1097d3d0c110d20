//! vLLM: OpenAI's interface with pictures in messages, `/v1/rerank` and `/v1/score`
//! (<https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html>).

use serde_json::{Value, json};

use super::super::answers::openai_vectors;
use super::super::convention::{Ask, Embed, Request, Rerank, Room, Wire, fields};
use super::super::item::{Item, Kind};
use super::texts;

/// A request with messages gives one vector, so that an item with a picture goes alone.
const ROOM: Room = Room {
    texts: 2048,
    images: 1,
    mixed: 1,
};

pub(in super::super) static WIRE: Wire = Wire {
    name: "vllm",
    example: "vllm+http://127.0.0.1:8000:Qwen/Qwen3-Embedding-0.6B",
    url: "http://127.0.0.1:8000",
    key: None,
    model_required: true,
    heeds: &["truncate", "encoding"],
    bytes: 32 << 20,
    tokens: 1_000_000,
    embed: Some(Embed {
        room: |_| ROOM,
        mixes_kinds: false,
        request: embed,
        answer: openai_vectors,
    }),
    rerank: Some(Rerank {
        room: |_| Room {
            texts: 512,
            images: 32,
            mixed: 32,
        },
        request: rerank,
    }),
    caption: Some("/v1/chat/completions"),
};

/// -1: at the model's own limit.
fn cut(ask: &Ask<'_>) -> Option<Value> {
    ask.truncate.then(|| (-1).into())
}

fn embed(ask: &Ask<'_>, items: &[&Item]) -> Request {
    let pictures = items.iter().find(|item| item.kind() != Kind::Text);
    let messages = pictures.map(|item| json!([{"role": "user", "content": item.content_parts()}]));
    let body = fields([
        ("model", ask.model.map(Into::into)),
        ("input", messages.is_none().then(|| texts(items))),
        ("messages", messages),
        (
            "encoding_format",
            Some(ask.encoding.unwrap_or("base64").into()),
        ),
        ("dimensions", ask.dimension.map(Into::into)),
        ("truncate_prompt_tokens", cut(ask)),
    ]);
    Request {
        path: "/v1/embeddings",
        body,
    }
}

/// A query with a picture is one of `/v1/score`; `/v1/rerank` takes texts as queries.
fn rerank(ask: &Ask<'_>, query: &Item, documents: &[&Item]) -> Request {
    let one = |item: &Item| match item.kind() {
        Kind::Text => item.text().into(),
        _ => json!({"content": item.content_parts()}),
    };
    let model = ask.model.map(Into::into);
    let documents = Some(documents.iter().map(|item| one(item)).collect());
    if query.kind() == Kind::Text {
        let body = fields([
            ("model", model),
            ("query", Some(query.text().into())),
            ("documents", documents),
            ("truncate_prompt_tokens", cut(ask)),
        ]);
        return Request {
            path: "/v1/rerank",
            body,
        };
    }
    let body = fields([
        ("model", model),
        ("queries", Some(one(query))),
        ("documents", documents),
        ("truncate_prompt_tokens", cut(ask)),
    ]);
    Request {
        path: "/v1/score",
        body,
    }
}
