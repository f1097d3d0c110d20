//! Infinity: OpenAI's interface with a modality, and `/rerank` (<https://michaelfeil.eu/infinity>).

use super::super::answers::openai_vectors;
use super::super::convention::{Ask, Embed, Request, Rerank, Room, Wire, fields};
use super::super::item::Item;
use super::super::picture::Picture;
use super::texts;

pub(in super::super) static WIRE: Wire = Wire {
    name: "infinity",
    example: "infinity+http://127.0.0.1:7997:BAAI/bge-small-en-v1.5",
    url: "http://127.0.0.1:7997",
    key: None,
    model_required: true,
    heeds: &["encoding"],
    bytes: 16 << 20,
    tokens: 1_000_000,
    embed: Some(Embed {
        room: |_| Room {
            texts: 2048,
            images: 32,
            mixed: 0,
        },
        mixes_kinds: false,
        request: embed,
        answer: openai_vectors,
    }),
    rerank: Some(Rerank {
        room: |_| Room::texts(2048),
        request: rerank,
    }),
    caption: None,
};

fn embed(ask: &Ask<'_>, items: &[&Item]) -> Request {
    let pictures = items
        .iter()
        .map(|item| item.picture().map(Picture::data_uri));
    let pictures: Option<Vec<String>> = pictures.collect();
    let modality = if pictures.is_some() { "image" } else { "text" };
    let body = fields([
        ("model", ask.model.map(Into::into)),
        (
            "input",
            Some(pictures.map_or_else(|| texts(items), Into::into)),
        ),
        ("modality", Some(modality.into())),
        (
            "encoding_format",
            Some(ask.encoding.unwrap_or("base64").into()),
        ),
        ("dimensions", ask.dimension.map(Into::into)),
    ]);
    Request {
        path: "/embeddings",
        body,
    }
}

fn rerank(ask: &Ask<'_>, query: &Item, documents: &[&Item]) -> Request {
    let body = fields([
        ("model", ask.model.map(Into::into)),
        ("query", Some(query.text().into())),
        ("documents", Some(texts(documents))),
        ("return_documents", Some(false.into())),
        ("raw_scores", Some(false.into())),
    ]);
    Request {
        path: "/rerank",
        body,
    }
}
