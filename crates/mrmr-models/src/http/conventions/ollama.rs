//! Ollama: `/api/embed`, and OpenAI's chat for captions (<https://github.com/ollama/ollama/blob/main/docs/api.md>).

use serde::Deserialize;

use super::super::answers::{Numbers, Vectors, json};
use super::super::convention::{Ask, Embed, Request, Room, Wire, fields};
use super::super::item::Item;
use super::texts;

pub(in super::super) static WIRE: Wire = Wire {
    name: "ollama",
    example: "ollama:nomic-embed-text",
    url: "http://127.0.0.1:11434",
    key: None,
    model_required: true,
    heeds: &["truncate"],
    bytes: 16 << 20,
    tokens: 1_000_000,
    embed: Some(Embed {
        room: |_| Room::texts(512),
        mixes_kinds: false,
        request: embed,
        answer,
    }),
    rerank: None,
    caption: Some("/v1/chat/completions"),
};

fn embed(ask: &Ask<'_>, items: &[&Item]) -> Request {
    let body = fields([
        ("model", ask.model.map(Into::into)),
        ("input", Some(texts(items))),
        ("truncate", Some(ask.truncate.into())),
        ("dimensions", ask.dimension.map(Into::into)),
    ]);
    Request {
        path: "/api/embed",
        body,
    }
}

#[derive(Deserialize)]
struct Answer {
    embeddings: Vec<Numbers>,
    #[serde(default)]
    prompt_eval_count: usize,
}

fn answer(body: &[u8]) -> Result<Vectors, String> {
    let answer: Answer = json(body)?;
    let rows = answer.embeddings.into_iter();
    Ok(Vectors {
        rows: rows.map(|numbers| (None, numbers)).collect(),
        tokens: answer.prompt_eval_count,
    })
}
