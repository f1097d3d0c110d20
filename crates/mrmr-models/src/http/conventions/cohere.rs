//! Cohere: `/v2/embed` and `/v2/rerank` (<https://docs.cohere.com/reference/embed>).

use serde::Deserialize;
use serde_json::{Value, json};

use super::super::answers::{Numbers, Vectors, json};
use super::super::convention::{Ask, Embed, Request, Rerank, Room, Wire, fields};
use super::super::item::{Item, Kind};
use super::texts;

pub(in super::super) static WIRE: Wire = Wire {
    name: "cohere",
    example: "cohere:embed-v4.0",
    url: "https://api.cohere.com",
    key: Some("COHERE_API_KEY"),
    model_required: true,
    heeds: &["truncate", "query", "document"],
    bytes: 20_000_000,
    tokens: 1_000_000,
    embed: Some(Embed {
        room: |_| Room {
            texts: 96,
            images: 96,
            mixed: 96,
        },
        mixes_kinds: true,
        request: embed,
        answer,
    }),
    rerank: Some(Rerank {
        room: |_| Room::texts(1000),
        request: rerank,
    }),
    caption: None,
};

fn embed(ask: &Ask<'_>, items: &[&Item]) -> Request {
    let plain = items.iter().all(|item| item.kind() == Kind::Text);
    let parts = || -> Value {
        let inputs = items
            .iter()
            .map(|item| json!({"content": item.content_parts()}));
        inputs.collect()
    };
    let body = fields([
        ("model", ask.model.map(Into::into)),
        (
            "input_type",
            Some(ask.role_or("search_query", "search_document").into()),
        ),
        ("texts", plain.then(|| texts(items))),
        ("inputs", (!plain).then(parts)),
        ("embedding_types", Some(json!(["float"]))),
        ("output_dimension", ask.dimension.map(Into::into)),
        (
            "truncate",
            Some(if ask.truncate { "END" } else { "NONE" }.into()),
        ),
    ]);
    Request {
        path: "/v2/embed",
        body,
    }
}

#[derive(Deserialize)]
struct Answer {
    embeddings: Embeddings,
    #[serde(default)]
    meta: Meta,
}

#[derive(Deserialize)]
struct Embeddings {
    float: Vec<Numbers>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Meta {
    billed_units: Billed,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Billed {
    input_tokens: f64,
    image_tokens: f64,
}

fn answer(body: &[u8]) -> Result<Vectors, String> {
    let answer: Answer = json(body)?;
    let billed = answer.meta.billed_units;
    let rows = answer.embeddings.float.into_iter();
    Ok(Vectors {
        rows: rows.map(|numbers| (None, numbers)).collect(),
        tokens: (billed.input_tokens + billed.image_tokens) as usize,
    })
}

fn rerank(ask: &Ask<'_>, query: &Item, documents: &[&Item]) -> Request {
    let body = fields([
        ("model", ask.model.map(Into::into)),
        ("query", Some(query.text().into())),
        ("documents", Some(texts(documents))),
    ]);
    Request {
        path: "/v2/rerank",
        body,
    }
}
