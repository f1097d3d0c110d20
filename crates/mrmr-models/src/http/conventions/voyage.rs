//! Voyage: `/v1/embeddings`, `/v1/multimodalembeddings` and `/v1/rerank` (<https://docs.voyageai.com/reference>).

use serde_json::{Value, json};

use super::super::answers::openai_vectors;
use super::super::convention::{Ask, Embed, Request, Rerank, Room, Wire, fields};
use super::super::item::{Item, ItemPart};
use super::texts;

pub(in super::super) static WIRE: Wire = Wire {
    name: "voyage",
    example: "voyage:voyage-multimodal-3.5",
    url: "https://api.voyageai.com/v1",
    key: Some("VOYAGE_API_KEY"),
    model_required: true,
    heeds: &["truncate", "query", "document", "encoding"],
    bytes: 16 << 20,
    tokens: 120_000,
    embed: Some(Embed {
        room: |ask| match is_multimodal(ask) {
            true => Room {
                texts: 1000,
                images: 1000,
                mixed: 1000,
            },
            false => Room::texts(1000),
        },
        mixes_kinds: true,
        request: embed,
        answer: openai_vectors,
    }),
    rerank: Some(Rerank {
        room: |_| Room::texts(1000),
        request: rerank,
    }),
    caption: None,
};

fn is_multimodal(ask: &Ask<'_>) -> bool {
    ask.model.is_some_and(|model| model.contains("multimodal"))
}

fn embed(ask: &Ask<'_>, items: &[&Item]) -> Request {
    let model = ask.model.map(Into::into);
    let role = Some(ask.role_or("query", "document").into());
    let truncation = Some(ask.truncate.into());
    let dimension = ask.dimension.map(Into::into);
    if is_multimodal(ask) {
        let encoding = ask.encoding.unwrap_or("base64");
        let body = fields([
            ("model", model),
            (
                "inputs",
                Some(items.iter().map(|item| content(item)).collect()),
            ),
            ("input_type", role),
            ("truncation", truncation),
            (
                "output_encoding",
                (encoding == "base64").then(|| encoding.into()),
            ),
            ("output_dimension", dimension),
        ]);
        return Request {
            path: "/v1/multimodalembeddings",
            body,
        };
    }
    let encoding = ask.encoding.unwrap_or("base64");
    let body = fields([
        ("model", model),
        ("input", Some(texts(items))),
        ("input_type", role),
        ("truncation", truncation),
        (
            "encoding_format",
            (encoding == "base64").then(|| encoding.into()),
        ),
        ("output_dimension", dimension),
    ]);
    Request {
        path: "/v1/embeddings",
        body,
    }
}

fn content(item: &Item) -> Value {
    let parts = item.parts().iter().map(|part| match part {
        ItemPart::Text(text) => json!({"type": "text", "text": text}),
        ItemPart::Picture(picture) => {
            json!({"type": "image_base64", "image_base64": picture.data_uri()})
        }
    });
    json!({"content": parts.collect::<Value>()})
}

fn rerank(ask: &Ask<'_>, query: &Item, documents: &[&Item]) -> Request {
    let body = fields([
        ("model", ask.model.map(Into::into)),
        ("query", Some(query.text().into())),
        ("documents", Some(texts(documents))),
        ("return_documents", Some(false.into())),
        ("truncation", Some(ask.truncate.into())),
    ]);
    Request {
        path: "/v1/rerank",
        body,
    }
}
