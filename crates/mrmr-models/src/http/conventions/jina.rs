//! Jina: `/v1/embeddings` and `/v1/rerank` (<https://api.jina.ai/redoc>).

use serde_json::{Value, json};

use super::super::answers::openai_vectors;
use super::super::convention::{Ask, Embed, Request, Rerank, Room, Wire, fields};
use super::super::item::Item;

/// An item is a text or a picture.
const ROOM: Room = Room {
    texts: 512,
    images: 64,
    mixed: 0,
};

pub(in super::super) static WIRE: Wire = Wire {
    name: "jina",
    example: "jina:jina-embeddings-v4",
    url: "https://api.jina.ai/v1",
    key: Some("JINA_API_KEY"),
    model_required: true,
    heeds: &["truncate", "query", "document", "encoding"],
    bytes: 16 << 20,
    tokens: 500_000,
    embed: Some(Embed {
        room: |_| ROOM,
        mixes_kinds: false,
        request: embed,
        answer: openai_vectors,
    }),
    rerank: Some(Rerank {
        room: |_| ROOM,
        request: rerank,
    }),
    caption: None,
};

fn one(item: &Item) -> Value {
    match item.picture() {
        Some(picture) => json!({"image": picture.base64()}),
        None => json!({"text": item.text()}),
    }
}

fn embed(ask: &Ask<'_>, items: &[&Item]) -> Request {
    let body = fields([
        ("model", ask.model.map(Into::into)),
        ("input", Some(items.iter().map(|item| one(item)).collect())),
        (
            "task",
            Some(ask.role_or("retrieval.query", "retrieval.passage").into()),
        ),
        (
            "embedding_type",
            Some(ask.encoding.unwrap_or("base64").into()),
        ),
        ("dimensions", ask.dimension.map(Into::into)),
        ("truncate", Some(ask.truncate.into())),
    ]);
    Request {
        path: "/v1/embeddings",
        body,
    }
}

fn rerank(ask: &Ask<'_>, query: &Item, documents: &[&Item]) -> Request {
    let query = match query.picture() {
        Some(_) => one(query),
        None => query.text().into(),
    };
    let body = fields([
        ("model", ask.model.map(Into::into)),
        ("query", Some(query)),
        (
            "documents",
            Some(documents.iter().map(|item| one(item)).collect()),
        ),
        ("return_documents", Some(false.into())),
    ]);
    Request {
        path: "/v1/rerank",
        body,
    }
}
