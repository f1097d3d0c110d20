//! What makes two vectors near.

use std::fmt;
use std::str::FromStr;

use mrmr_core::{Error, Result};

use crate::kernels::sums::{TOGETHER, sums};

/// The score of two vectors: the higher the nearer. Computed in 64 bits from the vectors as given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Metric {
    /// `cosine`: of the angle between them, 0 if one is the zero vector.
    #[default]
    Cosine,
    /// `dot`: their dot product.
    Dot,
    /// `euclidean`: minus the square of their distance.
    Euclidean,
}

impl Metric {
    /// Every name, in the order of [`Metric::ALL`].
    pub const NAMES: &'static [&'static str] = &["cosine", "dot", "euclidean"];
    /// Every metric.
    pub const ALL: &'static [Metric] = &[Metric::Cosine, Metric::Dot, Metric::Euclidean];

    /// The name, as it is written on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Metric::Cosine => "cosine",
            Metric::Dot => "dot",
            Metric::Euclidean => "euclidean",
        }
    }

    /// The score of two vectors of one dimension.
    ///
    /// ```
    /// use mrmr_search::Metric;
    /// assert_eq!(Metric::Cosine.score(&[3.0, 4.0], &[3.0, 4.0]), 1.0);
    /// assert_eq!(Metric::Euclidean.score(&[3.0, 4.0], &[0.0, 0.0]), -25.0);
    /// ```
    pub fn score(self, left: &[f32], right: &[f32]) -> f64 {
        self.score_with_squares(left, right, square(left), square(right))
    }

    /// The score, given the [`square`] of each vector.
    #[inline]
    pub(crate) fn score_with_squares(
        self,
        left: &[f32],
        right: &[f32],
        left_square: f64,
        right_square: f64,
    ) -> f64 {
        let sum = match self {
            Metric::Euclidean => sums().squared_differences,
            Metric::Cosine | Metric::Dot => sums().products,
        };
        self.of_sum(sum(left, right), left_square, right_square)
    }

    /// As [`Metric::score_with_squares`], of a vector with each of some.
    #[inline]
    pub(crate) fn scores_with_squares(
        self,
        left: &[f32],
        rights: [&[f32]; TOGETHER],
        left_square: f64,
        right_squares: [f64; TOGETHER],
    ) -> [f64; TOGETHER] {
        let sums = match self {
            Metric::Euclidean => sums().squared_differences_with_each,
            Metric::Cosine | Metric::Dot => sums().products_with_each,
        };
        let sums = sums(left, rights);
        std::array::from_fn(|n| self.of_sum(sums[n], left_square, right_squares[n]))
    }

    /// The score, given the sum of squared differences or of products.
    #[inline]
    fn of_sum(self, sum: f64, left_square: f64, right_square: f64) -> f64 {
        match self {
            // One root of the product: a vector with itself gives 1 to the last bit. Squares of 32-bit
            // numbers lie between 2^-298 and 2^276, so their product neither overflows nor vanishes.
            Metric::Cosine if left_square == 0.0 || right_square == 0.0 => 0.0,
            Metric::Cosine => sum / (left_square * right_square).sqrt(),
            Metric::Dot => sum,
            Metric::Euclidean => 0.0 - sum,
        }
    }
}

/// The dot product of a vector with itself.
pub(crate) fn square(vector: &[f32]) -> f64 {
    (sums().products)(vector, vector)
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Metric {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        crate::names::parse("metric", text, Self::NAMES, Self::ALL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for metric in Metric::ALL {
            assert_eq!(metric.to_string().parse::<Metric>().ok(), Some(*metric));
        }
    }

    #[test]
    fn a_vector_of_any_size_is_at_cosine_1_to_itself_and_the_zero_vector_at_0() {
        for size in [f32::MIN_POSITIVE, 1e-20, 1.0, 1e20, f32::MAX] {
            let vector = [size, size / 3.0, -size / 7.0];
            assert_eq!(Metric::Cosine.score(&vector, &vector), 1.0);
            assert_eq!(Metric::Cosine.score(&vector, &[0.0; 3]), 0.0);
        }
    }

    #[test]
    fn no_score_is_minus_zero() {
        for metric in Metric::ALL {
            assert!(metric.score(&[0.0, -0.0], &[-0.0, 0.0]).is_sign_positive());
        }
        assert!(Metric::Dot.score(&[1.0], &[-0.0]).is_sign_positive());
    }
}
