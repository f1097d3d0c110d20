//! What an unknown name is told.

use mrmr_core::{Error, Result, closest};

/// The value of `text` among names and values in the same order.
pub(crate) fn parse<T: Copy>(what: &str, text: &str, names: &[&str], values: &[T]) -> Result<T> {
    match names.iter().position(|name| *name == text) {
        Some(position) => Ok(values[position]),
        None => Err(Error::usage(format!(
            "unknown {what} '{text}'; expected {}",
            names.join(", ")
        ))
        .hint_maybe(closest(text, names.iter().copied()).map(|n| format!("did you mean {n}?")))),
    }
}
