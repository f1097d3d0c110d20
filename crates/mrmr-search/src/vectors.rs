//! Vectors of one dimension, checked.

use std::ops::Range;

use mrmr_core::{Error, Result};

/// Finite vectors of one dimension, one after another in memory.
///
/// ```
/// use mrmr_search::Vectors;
/// let vectors = Vectors::new(2, vec![1.0, 0.0, 0.6, 0.8])?;
/// assert_eq!((vectors.len(), vectors.dimension()), (2, 2));
/// assert_eq!(vectors.row(1), [0.6, 0.8]);
///
/// let error = Vectors::new(2, vec![1.0, 0.0, f32::NAN, 0.8]).unwrap_err();
/// assert_eq!(error.to_string(), "row 1, column 0: expected a finite number, found NaN");
/// # Ok::<(), mrmr_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Vectors {
    dimension: usize,
    data: Vec<f32>,
}

impl Vectors {
    /// The largest dimension: the error bounds of the search hold up to here.
    pub const MAX_DIMENSION: usize = 1 << 20;

    /// Takes rows of `dimension` numbers each, one row after another.
    ///
    /// # Errors
    /// If the dimension is 0 or above [`Vectors::MAX_DIMENSION`], the last row is not complete, there are
    /// 2^32 rows or more, or a number is not finite (the message names its row and column, from 0).
    pub fn new(dimension: usize, data: Vec<f32>) -> Result<Self> {
        if dimension == 0 || dimension > Self::MAX_DIMENSION {
            return Err(Error::usage(format!(
                "vectors have {dimension} dimensions; expected 1 to {}",
                Self::MAX_DIMENSION
            )));
        }
        if !data.len().is_multiple_of(dimension) {
            return Err(Error::format(format!(
                "{} numbers do not make rows of {dimension}: the last row has {}",
                data.len(),
                data.len() % dimension
            )));
        }
        if data.len() / dimension > u32::MAX as usize {
            return Err(Error::unsupported(format!(
                "there are {} vectors; expected fewer than 2^32 in one index",
                data.len() / dimension
            )));
        }
        if let Some(place) = data.iter().position(|number| !number.is_finite()) {
            return Err(Error::data(format!(
                "row {}, column {}: expected a finite number, found {}",
                place / dimension,
                place % dimension,
                data[place]
            ))
            .hint("an encoder that overflows (often in 16 bits) gives NaN or infinity"));
        }
        Ok(Vectors { dimension, data })
    }

    /// Finite rows of a dimension that was checked.
    pub(crate) fn of_checked(dimension: usize, data: Vec<f32>) -> Self {
        Vectors { dimension, data }
    }

    /// How many vectors there are.
    pub fn len(&self) -> usize {
        self.data.len() / self.dimension
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// How many numbers each vector has.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// A vector.
    ///
    /// # Panics
    /// If there is no such row.
    #[inline]
    pub fn row(&self, row: usize) -> &[f32] {
        &self.data[row * self.dimension..(row + 1) * self.dimension]
    }

    /// All vectors, in order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[f32]> {
        self.data.chunks_exact(self.dimension)
    }

    /// All numbers, row after row.
    pub fn as_slice(&self) -> &[f32] {
        &self.data
    }

    /// A copy of some rows.
    ///
    /// # Panics
    /// If there are no such rows.
    pub fn slice(&self, rows: Range<usize>) -> Vectors {
        let numbers = rows.start * self.dimension..rows.end * self.dimension;
        Vectors {
            dimension: self.dimension,
            data: self.data[numbers].to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_are_not_complete_are_refused() {
        let error = Vectors::new(3, vec![0.0; 7]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "7 numbers do not make rows of 3: the last row has 1"
        );
        assert!(Vectors::new(0, Vec::new()).is_err());
    }

    #[test]
    fn no_rows_are_vectors_of_a_dimension_all_the_same() {
        let none = Vectors::new(3, Vec::new()).unwrap();
        assert_eq!((none.len(), none.dimension()), (0, 3));
    }
}
