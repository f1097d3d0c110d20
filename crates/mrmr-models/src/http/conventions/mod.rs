//! One convention a file.

pub(super) mod cohere;
pub(super) mod infinity;
pub(super) mod jina;
pub(super) mod ollama;
pub(super) mod openai;
pub(super) mod tei;
pub(super) mod vllm;
pub(super) mod voyage;

use serde_json::Value;

use super::item::Item;

/// The texts of items that are texts.
fn texts(items: &[&Item]) -> Value {
    items.iter().map(|item| Value::from(item.text())).collect()
}
