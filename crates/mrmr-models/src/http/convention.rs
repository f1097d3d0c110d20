//! What the conventions have in common: where they are, what they take, how they are asked.

use std::fmt;

use serde_json::Value;

use super::answers::Vectors;
use super::conventions as of;
use super::item::{Item, Kind};
use crate::content_rule::Role;

/// An interface that endpoints have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Convention {
    /// OpenAI's, which many servers have too.
    OpenAi,
    /// Hugging Face's Text Embeddings Inference.
    Tei,
    /// vLLM's: OpenAI's with pictures in messages, scores and reranking.
    Vllm,
    /// Cohere's, version 2.
    Cohere,
    /// Jina's.
    Jina,
    /// Voyage's, with the multimodal models.
    Voyage,
    /// Infinity's: OpenAI's with a modality.
    Infinity,
    /// Ollama's.
    Ollama,
}

impl Convention {
    /// All of them.
    pub const ALL: [Convention; 8] = [
        Convention::OpenAi,
        Convention::Tei,
        Convention::Vllm,
        Convention::Cohere,
        Convention::Jina,
        Convention::Voyage,
        Convention::Infinity,
        Convention::Ollama,
    ];

    /// Its name in the text form of an endpoint.
    pub fn name(self) -> &'static str {
        self.wire().name
    }

    /// Where it is unless an address is given.
    pub fn default_url(self) -> &'static str {
        self.wire().url
    }

    /// The environment variable that holds the key for that address, if one is needed.
    pub fn key_variable(self) -> Option<&'static str> {
        self.wire().key
    }

    pub(crate) fn wire(self) -> &'static Wire {
        match self {
            Convention::OpenAi => &of::openai::WIRE,
            Convention::Tei => &of::tei::WIRE,
            Convention::Vllm => &of::vllm::WIRE,
            Convention::Cohere => &of::cohere::WIRE,
            Convention::Jina => &of::jina::WIRE,
            Convention::Voyage => &of::voyage::WIRE,
            Convention::Infinity => &of::infinity::WIRE,
            Convention::Ollama => &of::ollama::WIRE,
        }
    }
}

impl fmt::Display for Convention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A convention as data and functions.
pub(crate) struct Wire {
    pub(crate) name: &'static str,
    /// An endpoint as an example.
    pub(crate) example: &'static str,
    pub(crate) url: &'static str,
    pub(crate) key: Option<&'static str>,
    pub(crate) model_required: bool,
    /// Which of the options `document`, `encoding`, `query` and `truncate` change a request.
    pub(crate) heeds: &'static [&'static str],
    /// The most bytes of a request.
    pub(crate) bytes: usize,
    /// The most tokens of a request, as estimated.
    pub(crate) tokens: usize,
    pub(crate) embed: Option<Embed>,
    pub(crate) rerank: Option<Rerank>,
    /// The path of chat completions, for captions.
    pub(crate) caption: Option<&'static str>,
}

/// How vectors are asked for.
pub(crate) struct Embed {
    /// How many items of each kind a request may have; 0 if it takes none.
    pub(crate) room: fn(&Ask<'_>) -> Room,
    /// Whether items of different kinds go together.
    pub(crate) mixes_kinds: bool,
    pub(crate) request: fn(&Ask<'_>, &[&Item]) -> Request,
    pub(crate) answer: fn(&[u8]) -> Result<Vectors, String>,
}

/// How scores are asked for; the answers have one form each reader knows.
pub(crate) struct Rerank {
    pub(crate) room: fn(&Ask<'_>) -> Room,
    pub(crate) request: fn(&Ask<'_>, &Item, &[&Item]) -> Request,
}

/// How many items of each kind a request may have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    pub(crate) texts: usize,
    pub(crate) images: usize,
    /// Of several parts.
    pub(crate) mixed: usize,
}

impl Room {
    /// Texts alone.
    pub(crate) const fn texts(texts: usize) -> Self {
        Room {
            texts,
            images: 0,
            mixed: 0,
        }
    }

    pub(crate) fn of(self, kind: Kind) -> usize {
        match kind {
            Kind::Text => self.texts,
            Kind::Image => self.images,
            Kind::Mixed => self.mixed,
        }
    }
}

/// What all requests of an encoder or a reranker say.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ask<'a> {
    pub(crate) model: Option<&'a str>,
    pub(crate) role: Role,
    /// What the user calls the role, instead of the convention's word.
    pub(crate) role_name: Option<&'a str>,
    pub(crate) dimension: Option<usize>,
    /// Whether texts that are too long are cut by the endpoint, else they are refused.
    pub(crate) truncate: bool,
    /// `base64` or `float`, if the user says so.
    pub(crate) encoding: Option<&'a str>,
}

impl<'a> Ask<'a> {
    /// The user's word for the role, or the convention's.
    pub(crate) fn role_or(&self, query: &'a str, document: &'a str) -> &'a str {
        self.role_name.unwrap_or(match self.role {
            Role::Query => query,
            Role::Document => document,
        })
    }
}

/// A request of a convention.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) path: &'static str,
    pub(crate) body: Value,
}

/// An object of the fields that have a value.
pub(crate) fn fields<const N: usize>(fields: [(&str, Option<Value>); N]) -> Value {
    let present = fields
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Value::Object(present.collect())
}
