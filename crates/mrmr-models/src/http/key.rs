//! A secret key: read from the environment, sent in one header, never shown.

use std::fmt;

use mrmr_core::{Error, Result};

use super::endpoint::Endpoint;
use super::time::Surroundings;

/// A key that no message shows.
#[derive(Clone)]
pub(crate) struct Key(String);

impl Key {
    /// The key for an endpoint: of the variable that it names, or of the convention's where that is where it goes.
    pub(crate) fn find(endpoint: &Endpoint, surroundings: &Surroundings) -> Result<Option<Key>> {
        // A key for one address is not sent to another unasked.
        let own = endpoint.convention().key_variable();
        let variable = match endpoint.text("key") {
            Some(variable) => variable,
            None => match own.filter(|_| !endpoint.has_own_url()) {
                Some(variable) => variable,
                None => return Ok(None),
            },
        };
        let key = (surroundings.variable)(variable).map(|key| key.trim().to_owned());
        match key.filter(|key| !key.is_empty()) {
            None => Err(Error::usage(format!(
                "expected a key in the environment variable {variable}; it is not set"
            ))
            .hint(format!(
                "export {variable}=..., or name another variable with ,key=NAME"
            ))),
            Some(key) if !key.bytes().all(|byte| byte.is_ascii_graphic()) => {
                Err(Error::usage(format!(
                    "expected a key of visible ASCII characters in the environment variable {variable}"
                )))
            }
            Some(key) => Ok(Some(Key(key))),
        }
    }

    /// The value of the header `Authorization`.
    pub(crate) fn bearer(&self) -> String {
        format!("Bearer {}", self.0)
    }

    /// A text without the key in it.
    pub(crate) fn remove_from(&self, text: &str) -> String {
        text.replace(&self.0, "[key]")
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}
