//! The vectors that an encoder made.

use std::ops::Range;

use crate::notes::{EncodeNotes, ItemFailure};

/// What an encoder makes of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EmbeddingKind {
    /// One vector.
    Single,
    /// Several vectors, as many as the item has tokens that count.
    Multi,
}

/// The vectors of some contents, in their order.
///
/// ```
/// use mrmr_models::{EmbeddingKind, Embeddings};
/// let rows = vec![Ok(vec![1.0, 0.0]), Err("expected a text, found an image".to_owned())];
/// let embeddings = Embeddings::single(2, rows, Default::default());
/// assert_eq!(embeddings.kind(), EmbeddingKind::Single);
/// assert_eq!(embeddings.vector(0), Some(&[1.0, 0.0][..]));
/// assert_eq!(embeddings.vector(1), None);
/// assert_eq!(embeddings.failures()[0].item, 1);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Embeddings {
    kind: EmbeddingKind,
    dimension: usize,
    data: Vec<f32>,
    /// Where the vectors of each item stand, counted in vectors.
    spans: Vec<Range<usize>>,
    failures: Vec<ItemFailure>,
    notes: EncodeNotes,
}

impl Embeddings {
    /// One vector an item, or why there is none; the items are counted in `notes` here.
    ///
    /// # Panics
    /// If a vector does not have `dimension` numbers.
    pub fn single(
        dimension: usize,
        rows: Vec<Result<Vec<f32>, String>>,
        notes: EncodeNotes,
    ) -> Self {
        let made = Embeddings::new(EmbeddingKind::Single, dimension, rows, notes);
        assert!(made.spans.iter().all(|span| span.len() <= 1));
        made
    }

    /// Several vectors an item, one after another, or why there are none; the items are counted in `notes` here.
    ///
    /// # Panics
    /// If the numbers of an item do not make vectors of `dimension`.
    pub fn multi(
        dimension: usize,
        rows: Vec<Result<Vec<f32>, String>>,
        notes: EncodeNotes,
    ) -> Self {
        Embeddings::new(EmbeddingKind::Multi, dimension, rows, notes)
    }

    fn new(
        kind: EmbeddingKind,
        dimension: usize,
        rows: Vec<Result<Vec<f32>, String>>,
        mut notes: EncodeNotes,
    ) -> Self {
        let numbers = rows.iter().flatten().map(Vec::len).sum();
        let mut data = Vec::with_capacity(numbers);
        let (mut spans, mut failures) = (Vec::with_capacity(rows.len()), Vec::new());
        notes.items = 0;
        for (item, row) in rows.into_iter().enumerate() {
            let start = data.len() / dimension;
            match row {
                Ok(row) => {
                    assert!(row.len().is_multiple_of(dimension));
                    notes.items += 1;
                    data.extend(row);
                }
                Err(reason) => failures.push(ItemFailure { item, reason }),
            }
            spans.push(start..data.len() / dimension);
        }
        Embeddings {
            kind,
            dimension,
            data,
            spans,
            failures,
            notes,
        }
    }

    /// One vector an item, or several.
    pub fn kind(&self) -> EmbeddingKind {
        self.kind
    }

    /// How many items there are, those that failed among them.
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// How many numbers each vector has.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The vector of an item; none where it failed. Of several vectors, the first.
    ///
    /// # Panics
    /// If there is no such item.
    pub fn vector(&self, item: usize) -> Option<&[f32]> {
        self.vectors(item).next()
    }

    /// All vectors of an item; none where it failed.
    ///
    /// # Panics
    /// If there is no such item.
    pub fn vectors(&self, item: usize) -> impl ExactSizeIterator<Item = &[f32]> {
        let span = &self.spans[item];
        self.data[span.start * self.dimension..span.end * self.dimension]
            .chunks_exact(self.dimension)
    }

    /// The vectors of all items that did not fail, one after another.
    pub fn as_slice(&self) -> &[f32] {
        &self.data
    }

    /// Where the vectors of each item stand in [`Embeddings::as_slice`], counted in vectors.
    pub fn spans(&self) -> &[Range<usize>] {
        &self.spans
    }

    /// The items that failed, ascending.
    pub fn failures(&self) -> &[ItemFailure] {
        &self.failures
    }

    /// What was read and cut.
    pub fn notes(&self) -> EncodeNotes {
        self.notes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_shifts_no_item() {
        let rows = vec![
            Ok(vec![1.0, 2.0, 3.0, 4.0]),
            Err("no".to_owned()),
            Ok(vec![]),
            Ok(vec![5.0, 6.0]),
        ];
        let made = Embeddings::multi(2, rows, EncodeNotes::default());
        assert_eq!(made.vectors(0).len(), 2);
        assert_eq!(made.vectors(1).len(), 0);
        assert_eq!(made.vectors(2).len(), 0);
        assert_eq!(made.vector(3), Some(&[5.0, 6.0][..]));
        assert_eq!(made.failures().len(), 1);
        assert_eq!(made.notes().items, 3);
    }
}
