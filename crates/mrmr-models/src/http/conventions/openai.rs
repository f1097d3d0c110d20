//! OpenAI: `/v1/embeddings` and `/v1/chat/completions` (<https://platform.openai.com/docs/api-reference/embeddings>).

use super::super::answers::openai_vectors;
use super::super::convention::{Ask, Embed, Request, Room, Wire, fields};
use super::super::item::Item;
use super::texts;

pub(in super::super) static WIRE: Wire = Wire {
    name: "openai",
    example: "openai:text-embedding-3-small",
    url: "https://api.openai.com/v1",
    key: Some("OPENAI_API_KEY"),
    model_required: true,
    heeds: &["encoding"],
    bytes: 16 << 20,
    tokens: 300_000,
    embed: Some(Embed {
        room: |_| Room::texts(2048),
        mixes_kinds: false,
        request,
        answer: openai_vectors,
    }),
    rerank: None,
    caption: Some("/v1/chat/completions"),
};

fn request(ask: &Ask<'_>, items: &[&Item]) -> Request {
    let body = fields([
        ("model", ask.model.map(Into::into)),
        ("input", Some(texts(items))),
        (
            "encoding_format",
            Some(ask.encoding.unwrap_or("base64").into()),
        ),
        ("dimensions", ask.dimension.map(Into::into)),
    ]);
    Request {
        path: "/v1/embeddings",
        body,
    }
}
