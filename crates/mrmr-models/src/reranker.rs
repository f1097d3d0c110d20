//! What scores documents for a query by reading both.

use mrmr_core::{Content, Modality, Result};

use crate::http::Traffic;
use crate::notes::{EncodeNotes, ItemFailure};

/// Scores of documents for one query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scores {
    /// One a document, in the order given; none where it failed.
    pub scores: Vec<Option<f32>>,
    /// The documents that failed, ascending.
    pub failures: Vec<ItemFailure>,
    /// What was read and cut.
    pub notes: EncodeNotes,
}

/// Scores documents for a query: larger is better.
pub trait Reranker: Send + Sync {
    /// Its name, as the user gave it.
    fn name(&self) -> &str;

    /// Which kinds of parts it takes.
    fn takes(&self) -> Modality;

    /// Scores documents for a query, in order.
    ///
    /// # Errors
    /// If the query cannot be read or the model itself fails; what is wrong with one document is in
    /// [`Scores::failures`].
    fn score(&self, query: &Content, documents: &[Content]) -> Result<Scores>;

    /// What asking took so far, where the model is behind a network.
    fn traffic(&self) -> Option<Traffic> {
        None
    }
}
