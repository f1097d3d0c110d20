//! What makes two vectors near.

use std::fmt;
use std::str::FromStr;

use mrmr_core::{Error, Result};

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

/// Sums run in this many lanes, then over the lanes as a tree: a fixed order that vectorises.
const LANES: usize = 8;

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
    pub(crate) fn score_with_squares(
        self,
        left: &[f32],
        right: &[f32],
        left_square: f64,
        right_square: f64,
    ) -> f64 {
        match self {
            // One root of the product: a vector with itself gives 1 to the last bit. Squares of 32-bit
            // numbers lie between 2^-298 and 2^276, so their product neither overflows nor vanishes.
            Metric::Cosine if left_square == 0.0 || right_square == 0.0 => 0.0,
            Metric::Cosine => sum(left, right, product) / (left_square * right_square).sqrt(),
            Metric::Dot => sum(left, right, product),
            Metric::Euclidean => 0.0 - sum(left, right, squared_difference),
        }
    }
}

/// The dot product of a vector with itself.
pub(crate) fn square(vector: &[f32]) -> f64 {
    sum(vector, vector, product)
}

#[inline]
fn product(left: f64, right: f64) -> f64 {
    left * right
}

#[inline]
fn squared_difference(left: f64, right: f64) -> f64 {
    (left - right) * (left - right)
}

#[inline]
fn sum(left: &[f32], right: &[f32], term: impl Fn(f64, f64) -> f64) -> f64 {
    let mut lanes = [0.0f64; LANES];
    let (left, left_rest) = left.as_chunks::<LANES>();
    let (right, right_rest) = right.as_chunks::<LANES>();
    for (left, right) in left.iter().zip(right) {
        for lane in 0..LANES {
            lanes[lane] += term(f64::from(left[lane]), f64::from(right[lane]));
        }
    }
    for (lane, (left, right)) in left_rest.iter().zip(right_rest).enumerate() {
        lanes[lane] += term(f64::from(*left), f64::from(*right));
    }
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
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
