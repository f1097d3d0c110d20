//! Fewer vectors an item: token pooling.

use std::fmt;
use std::str::FromStr;

use mrmr_core::{Error, Result};
use rayon::prelude::*;

use super::multi_vectors::MultiVectors;
use super::ward;
use crate::vectors::Vectors;

/// Which vectors of an item become one, their mean (Clavié, Chaffin & Adams 2024, "Reducing the Footprint of
/// Multi-Vector Retrieval with Minimal Performance Impact via Token Pooling").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Pooling {
    /// `hierarchical`: those of a cluster, by Ward's method over their directions.
    #[default]
    Hierarchical,
    /// `sequential`: those that follow one another.
    Sequential,
}

impl Pooling {
    /// Every name, in the order of [`Pooling::ALL`].
    pub const NAMES: &'static [&'static str] = &["hierarchical", "sequential"];
    /// Every method.
    pub const ALL: &'static [Pooling] = &[Pooling::Hierarchical, Pooling::Sequential];

    /// The name, as it is written on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Pooling::Hierarchical => "hierarchical",
            Pooling::Sequential => "sequential",
        }
    }
}

impl fmt::Display for Pooling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Pooling {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        crate::names::parse("pooling", text, Self::NAMES, Self::ALL)
    }
}

impl MultiVectors {
    /// Each item with its number of vectors divided by `factor`, rounded up: of `n` vectors `ceil(n / factor)` are
    /// kept, each the mean of some, as given and not normalised, in the order of the first of them.
    ///
    /// ```
    /// use mrmr_search::{MultiVectors, Pooling};
    /// let data = vec![1.0, 0.0, 0.0, 1.0, 1.0, 0.5, 0.0, 3.0];
    /// let items = MultiVectors::new(2, data, vec![0, 4])?;
    /// assert_eq!(items.pooled(2, Pooling::Sequential)?.item(0), [0.5, 0.5, 0.5, 1.75]);
    /// assert_eq!(items.pooled(2, Pooling::Hierarchical)?.item(0), [1.0, 0.25, 0.0, 2.0]);
    /// # Ok::<(), mrmr_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the factor is 0.
    pub fn pooled(&self, factor: usize, method: Pooling) -> Result<MultiVectors> {
        if factor == 0 {
            return Err(Error::usage(
                "the pool factor is 0; expected by how much to divide the number of vectors, at least 1",
            ));
        }
        let dimension = self.dimension();
        let items: Vec<usize> = (0..self.len()).collect();
        let pooled: Vec<Vec<f32>> = items
            .par_iter()
            .map(|item| {
                let numbers = self.item(*item);
                let count = numbers.len() / dimension;
                let wanted = count.div_ceil(factor);
                let clusters = match method {
                    _ if wanted == count => return numbers.to_vec(),
                    Pooling::Sequential => (0..count).map(|vector| vector / factor).collect(),
                    Pooling::Hierarchical => ward::clusters(numbers, dimension, wanted),
                };
                means(numbers, dimension, &clusters, wanted)
            })
            .collect();
        let mut offsets = vec![0];
        let mut total = 0;
        for numbers in &pooled {
            total += numbers.len() / dimension;
            offsets.push(total);
        }
        let vectors = Vectors::of_checked(dimension, pooled.concat());
        Ok(MultiVectors::of_checked(vectors, offsets))
    }
}

/// The mean of each cluster's vectors, summed in their order in 64 bits.
fn means(numbers: &[f32], dimension: usize, clusters: &[usize], count: usize) -> Vec<f32> {
    let mut sums = vec![0.0f64; count * dimension];
    let mut sizes = vec![0usize; count];
    for (vector, cluster) in numbers.chunks_exact(dimension).zip(clusters) {
        sizes[*cluster] += 1;
        let sums = &mut sums[cluster * dimension..(cluster + 1) * dimension];
        for (sum, x) in sums.iter_mut().zip(vector) {
            *sum += f64::from(*x);
        }
    }
    let cells = sums.chunks_exact(dimension).zip(sizes);
    let means = cells.flat_map(|(sums, size)| sums.iter().map(move |sum| sum / size as f64));
    means.map(|mean| mean as f32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_round_trip() {
        for pooling in Pooling::ALL {
            assert_eq!(pooling.to_string().parse::<Pooling>().ok(), Some(*pooling));
        }
    }

    #[test]
    fn a_factor_of_0_is_refused_and_1_changes_nothing() {
        let items = MultiVectors::new(1, vec![1.0, 2.0, 3.0], vec![0, 0, 3]).unwrap();
        for method in Pooling::ALL {
            assert!(items.pooled(0, *method).is_err());
            assert_eq!(items.pooled(1, *method).unwrap(), items);
        }
    }

    proptest! {
        #[test]
        fn the_number_of_vectors_is_divided_and_rounded_up_and_the_sum_is_kept(
            lengths in prop::collection::vec(0usize..20, 1..6),
            factor in 1usize..8,
            seed in 0u32..1000,
        ) {
            let mut offsets = vec![0];
            for length in &lengths {
                offsets.push(offsets[offsets.len() - 1] + length);
            }
            let total = offsets[offsets.len() - 1];
            let data: Vec<f32> =
                (0..total * 3).map(|i| ((i as u32 * 7919 + seed * 104729) % 97) as f32 - 48.0).collect();
            let items = MultiVectors::new(3, data, offsets).unwrap();
            for method in Pooling::ALL {
                let pooled = items.pooled(factor, *method).unwrap();
                for (item, length) in lengths.iter().enumerate() {
                    prop_assert_eq!(pooled.range(item).len(), length.div_ceil(factor));
                }
                for row in pooled.vectors().rows() {
                    prop_assert!(row.iter().all(|x| x.abs() <= 48.0));
                }
            }
        }
    }
}
