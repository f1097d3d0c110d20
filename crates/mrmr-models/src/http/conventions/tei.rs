//! Text Embeddings Inference: `/embed` and `/rerank` (<https://huggingface.github.io/text-embeddings-inference>).

use serde_json::json;

use super::super::answers::{Numbers, Vectors, json};
use super::super::convention::{Ask, Embed, Request, Rerank, Room, Wire, fields};
use super::super::item::Item;
use super::texts;

pub(in super::super) static WIRE: Wire = Wire {
    name: "tei",
    example: "tei+http://127.0.0.1:3000",
    url: "http://127.0.0.1:3000",
    key: None,
    model_required: false,
    heeds: &["truncate", "query", "document"],
    bytes: 2_000_000,
    tokens: 16_384,
    embed: Some(Embed {
        room: |_| Room::texts(32),
        mixes_kinds: false,
        request: embed,
        answer,
    }),
    rerank: Some(Rerank {
        room: |_| Room::texts(32),
        request: rerank,
    }),
    caption: None,
};

fn embed(ask: &Ask<'_>, items: &[&Item]) -> Request {
    let body = fields([
        ("inputs", Some(texts(items))),
        ("normalize", Some(true.into())),
        ("truncate", Some(ask.truncate.into())),
        ("prompt_name", ask.role_name.map(Into::into)),
        ("dimensions", ask.dimension.map(Into::into)),
    ]);
    Request {
        path: "/embed",
        body,
    }
}

fn answer(body: &[u8]) -> Result<Vectors, String> {
    let rows: Vec<Numbers> = json(body)?;
    Ok(Vectors {
        rows: rows.into_iter().map(|numbers| (None, numbers)).collect(),
        tokens: 0,
    })
}

fn rerank(ask: &Ask<'_>, query: &Item, documents: &[&Item]) -> Request {
    Request {
        path: "/rerank",
        body: json!({
            "query": query.text(),
            "texts": texts(documents),
            "truncate": ask.truncate,
            "raw_scores": false,
            "return_text": false,
        }),
    }
}
