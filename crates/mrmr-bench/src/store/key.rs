//! Under which name something is kept: the hash of all that it depends on.

use std::fmt;

/// The form of what is kept; another one is another key.
const FORM: &str = "mrmr-eval store, form 1";

/// The hash of all that a shard depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key(blake3::Hash);

impl Key {
    /// The key of a kind of thing, of the version of this program, and of what `add` adds.
    pub fn of(kind: &str, add: impl FnOnce(&mut Hash)) -> Self {
        let mut hash = Hash(blake3::Hasher::new_derive_key(FORM));
        hash.text(env!("CARGO_PKG_VERSION"));
        hash.text(kind);
        add(&mut hash);
        Key(hash.0.finalize())
    }

    /// The hash as bytes, for keys that depend on this one.
    pub fn as_bytes(&self) -> &[u8; 32] {
        self.0.as_bytes()
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.to_hex())
    }
}

/// Adds to a hash, each thing with its length: no two lists of things look alike.
pub struct Hash(blake3::Hasher);

impl Hash {
    /// Adds bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    /// Adds a text.
    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// Adds a text that may not be there; none is not the empty one.
    pub fn maybe(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.text(text),
            None => {
                self.0.update(&u64::MAX.to_le_bytes());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_that_read_alike_have_keys_of_their_own() {
        let keys = [
            Key::of("a", |hash| hash.text("bc")),
            Key::of("ab", |hash| hash.text("c")),
            Key::of("a", |hash| {
                ["b", "c"].iter().for_each(|text| hash.text(text))
            }),
            Key::of("a", |hash| hash.maybe(Some("bc"))),
            Key::of("a", |hash| hash.maybe(None)),
            Key::of("a", |hash| hash.maybe(Some(""))),
        ];
        for (at, key) in keys.iter().enumerate() {
            let same = keys[..at].iter().filter(|other| *other == key).count();
            // The text and the text that is there are the same thing.
            assert_eq!(same, usize::from(at == 3), "{at}");
        }
    }
}
