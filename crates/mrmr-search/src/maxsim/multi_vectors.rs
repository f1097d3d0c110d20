//! Items of any number of vectors each.

use std::ops::Range;

use mrmr_core::{Error, Result};

use crate::vectors::Vectors;

/// Items, a document or a query each, of any number of finite vectors of one dimension: none too.
///
/// ```
/// use mrmr_search::MultiVectors;
/// // Two vectors, none, one.
/// let items = MultiVectors::new(2, vec![1.0, 0.0, 0.6, 0.8, 0.0, 1.0], vec![0, 2, 2, 3])?;
/// assert_eq!((items.len(), items.dimension(), items.vectors().len()), (3, 2, 3));
/// assert_eq!(items.item(0), [1.0, 0.0, 0.6, 0.8]);
/// assert!(items.item(1).is_empty());
///
/// let error = MultiVectors::new(2, vec![1.0, f32::NAN], vec![0, 1]).unwrap_err();
/// assert_eq!(error.to_string(), "item 0, vector 0, column 1: expected a finite number, found NaN");
/// # Ok::<(), mrmr_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MultiVectors {
    vectors: Vectors,
    /// Where each item starts, in vectors; then where the last one ends.
    offsets: Vec<usize>,
}

impl MultiVectors {
    /// Takes the vectors of all items, item after item; `offsets` has the first vector of each item, then the
    /// number of all vectors: one more than there are items, from 0, ascending.
    ///
    /// # Errors
    /// If the offsets are no such list, there are 2^32 items or more, or as [`Vectors::new`]; the message names
    /// item and vector of a number that is not finite.
    pub fn new(dimension: usize, data: Vec<f32>, offsets: Vec<usize>) -> Result<Self> {
        if dimension > 0
            && offsets.is_sorted()
            && let Some(place) = data.iter().position(|number| !number.is_finite())
        {
            let vector = place / dimension;
            let item = offsets.partition_point(|start| *start <= vector);
            let item = item.saturating_sub(1);
            return Err(Error::data(format!(
                "item {item}, vector {}, column {}: expected a finite number, found {}",
                vector - offsets.get(item).copied().unwrap_or(0).min(vector),
                place % dimension,
                data[place]
            ))
            .hint("an encoder that overflows (often in 16 bits) gives NaN or infinity"));
        }
        let vectors = Vectors::new(dimension, data)?;
        check_offsets(&offsets, vectors.len())?;
        Ok(MultiVectors { vectors, offsets })
    }

    /// Items of one vector each.
    pub fn singles(vectors: Vectors) -> Self {
        let offsets = (0..=vectors.len()).collect();
        MultiVectors { vectors, offsets }
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many numbers each vector has.
    pub fn dimension(&self) -> usize {
        self.vectors.dimension()
    }

    /// The vectors of all items, item after item.
    pub fn vectors(&self) -> &Vectors {
        &self.vectors
    }

    /// Where each item starts, in vectors; then where the last one ends.
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// Which of all vectors an item has.
    ///
    /// # Panics
    /// If there is no such item.
    #[inline]
    pub fn range(&self, item: usize) -> Range<usize> {
        self.offsets[item]..self.offsets[item + 1]
    }

    /// The numbers of an item, vector after vector.
    ///
    /// # Panics
    /// If there is no such item.
    pub fn item(&self, item: usize) -> &[f32] {
        let range = self.range(item);
        &self.vectors.as_slice()[range.start * self.dimension()..range.end * self.dimension()]
    }

    /// The numbers of each item, in order.
    pub fn items(&self) -> impl ExactSizeIterator<Item = &[f32]> {
        (0..self.len()).map(|item| self.item(item))
    }

    /// A copy of some items.
    ///
    /// # Panics
    /// If there are no such items.
    pub fn slice(&self, items: Range<usize>) -> MultiVectors {
        let offsets = &self.offsets[items.start..=items.end];
        let (start, end) = (offsets[0], offsets[offsets.len() - 1]);
        MultiVectors {
            vectors: self.vectors.slice(start..end),
            offsets: offsets.iter().map(|offset| offset - start).collect(),
        }
    }

    /// For each item the mean of its vectors, divided by its norm; the zero vector where an item has none, or
    /// where they cancel out.
    pub fn means(&self) -> Vectors {
        let mut data = Vec::with_capacity(self.len() * self.dimension());
        for item in self.items() {
            let mut sums = vec![0.0f64; self.dimension()];
            for vector in item.chunks_exact(self.dimension()) {
                for (sum, x) in sums.iter_mut().zip(vector) {
                    *sum += f64::from(*x);
                }
            }
            let norm = sums.iter().map(|x| x * x).sum::<f64>().sqrt();
            let divisor = if norm == 0.0 { 1.0 } else { norm };
            data.extend(sums.iter().map(|sum| (sum / divisor) as f32));
        }
        Vectors::of_checked(self.dimension(), data)
    }

    pub(super) fn into_parts(self) -> (Vectors, Vec<usize>) {
        (self.vectors, self.offsets)
    }

    /// Vectors and offsets that are known to fit together.
    pub(super) fn of_checked(vectors: Vectors, offsets: Vec<usize>) -> Self {
        MultiVectors { vectors, offsets }
    }
}

fn check_offsets(offsets: &[usize], vectors: usize) -> Result<()> {
    let (Some(first), Some(last)) = (offsets.first(), offsets.last()) else {
        return Err(Error::format(
            "there are no offsets; expected one an item and one more, [0] for no items",
        ));
    };
    if *first != 0 {
        return Err(Error::format(format!(
            "the first offset is {first}; expected 0"
        )));
    }
    if let Some(item) = offsets.windows(2).position(|pair| pair[0] > pair[1]) {
        return Err(Error::format(format!(
            "item {item}: the offsets go down from {} to {}; expected them ascending",
            offsets[item],
            offsets[item + 1]
        ))
        .hint("offsets count vectors from the start; lengths of items are another list"));
    }
    if *last != vectors {
        return Err(Error::format(format!(
            "the last offset is {last}; expected the number of vectors, {vectors}"
        )));
    }
    if offsets.len() > u32::MAX as usize {
        return Err(Error::unsupported(format!(
            "there are {} items; expected fewer than 2^32 in one index",
            offsets.len() - 1
        )));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(data: Vec<f32>, offsets: Vec<usize>) -> String {
        MultiVectors::new(2, data, offsets).unwrap_err().to_string()
    }

    #[test]
    fn offsets_that_do_not_fit_are_refused() {
        assert_eq!(
            message(vec![0.0; 4], vec![1, 2]),
            "the first offset is 1; expected 0"
        );
        assert_eq!(
            message(vec![0.0; 4], vec![0, 2, 1, 2]),
            "item 1: the offsets go down from 2 to 1; expected them ascending"
        );
        assert_eq!(
            message(vec![0.0; 4], vec![0, 3]),
            "the last offset is 3; expected the number of vectors, 2"
        );
        assert!(message(vec![0.0; 4], Vec::new()).contains("no offsets"));
        assert!(message(vec![0.0; 3], vec![0, 1]).contains("rows of 2"));
    }

    #[test]
    fn a_number_that_is_not_finite_is_named_by_item_and_vector() {
        let mut data = vec![0.0; 8];
        data[7] = f32::INFINITY;
        assert_eq!(
            message(data, vec![0, 1, 1, 4]),
            "item 2, vector 2, column 1: expected a finite number, found inf"
        );
    }

    #[test]
    fn a_slice_has_its_items() {
        let items = MultiVectors::new(1, vec![1.0, 2.0, 3.0], vec![0, 1, 1, 3]).unwrap();
        let slice = items.slice(1..3);
        assert_eq!(
            (slice.offsets(), slice.item(1)),
            (&[0, 0, 2][..], &[2.0, 3.0][..])
        );
        assert!(items.slice(3..3).is_empty());
    }

    #[test]
    fn means_are_normalised_and_of_no_vectors_zero() {
        let items = MultiVectors::new(2, vec![3.0, 0.0, 0.0, 4.0], vec![0, 2, 2]).unwrap();
        assert_eq!(items.means().as_slice(), [0.6, 0.8, 0.0, 0.0]);
    }
}
