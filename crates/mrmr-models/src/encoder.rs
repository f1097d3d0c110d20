//! What makes vectors of contents.

use mrmr_core::{Content, Modality, Result};

use crate::content_rule::Role;
use crate::embeddings::{EmbeddingKind, Embeddings};
use crate::http::Traffic;

/// What an encoder cuts or refuses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The tokens of a text that are read, special tokens among them; the rest is cut and counted.
    pub tokens: Option<usize>,
    /// The parts a content may have; a content with more is a failure of that item.
    pub parts: Option<usize>,
}

/// Makes vectors of contents.
///
/// The answer depends on the contents alone: the same bits for any number of threads. A content that cannot be encoded
/// is a failure of its own in the answer and shifts no other.
pub trait Encoder: Send + Sync {
    /// Its name, as the user gave it.
    fn name(&self) -> &str;

    /// How many numbers each vector has.
    fn dimension(&self) -> usize;

    /// Which kinds of parts it takes.
    fn takes(&self) -> Modality;

    /// What it makes of an item: one vector or several.
    fn kind(&self) -> EmbeddingKind {
        EmbeddingKind::Single
    }

    /// What it cuts or refuses.
    fn limits(&self) -> Limits {
        Limits::default()
    }

    /// Encodes contents, in order; models that tell queries from documents heed the role.
    ///
    /// # Errors
    /// If the model itself fails; what is wrong with one content is in [`Embeddings::failures`].
    fn encode(&self, contents: &[Content], role: Role) -> Result<Embeddings>;

    /// What asking took so far, where the model is behind a network.
    fn traffic(&self) -> Option<Traffic> {
        None
    }
}
