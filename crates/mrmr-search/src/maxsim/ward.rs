//! Clusters by Ward's method (Ward 1963), of the directions of vectors.

use crate::metric::Metric;

/// For each vector its cluster, from 0 by the first vector in it, when only `wanted` clusters are left.
///
/// The two clusters whose union adds least to the sum of squared distances from the centres are joined, again and
/// again; of equal ones those that come first. Vectors are taken at length 1, so that the squared distance of two is
/// 2 - 2 cos.
pub(super) fn clusters(numbers: &[f32], dimension: usize, wanted: usize) -> Vec<usize> {
    let vectors: Vec<&[f32]> = numbers.chunks_exact(dimension).collect();
    let mut clusters = Clusters::new(&vectors);
    let mut own: Vec<usize> = (0..vectors.len()).collect();
    for _ in wanted.max(1)..vectors.len() {
        let (kept, gone) = clusters.join_nearest();
        own.iter_mut()
            .filter(|cluster| **cluster == gone)
            .for_each(|cluster| *cluster = kept);
    }
    // A cluster is named by its first vector.
    let mut firsts = own.clone();
    firsts.sort_unstable();
    firsts.dedup();
    own.iter()
        .map(|cluster| firsts.partition_point(|first| first < cluster))
        .collect()
}

struct Clusters {
    count: usize,
    /// Distances of all pairs, row after row; those of clusters that are gone mean nothing.
    distances: Vec<f64>,
    sizes: Vec<f64>,
    /// Those that are left, ascending.
    left: Vec<usize>,
    /// For each the nearest of those after it, and how far that is.
    nearest: Vec<(usize, f64)>,
}

impl Clusters {
    fn new(vectors: &[&[f32]]) -> Self {
        let count = vectors.len();
        let mut clusters = Clusters {
            count,
            distances: vec![0.0; count * count],
            sizes: vec![1.0; count],
            left: (0..count).collect(),
            nearest: vec![(0, f64::INFINITY); count],
        };
        for (a, left) in vectors.iter().enumerate() {
            for (b, right) in vectors.iter().enumerate().skip(a + 1) {
                let distance = 2.0 - 2.0 * Metric::Cosine.score(left, right);
                clusters.set(a, b, distance);
            }
        }
        for a in 0..count {
            clusters.look_around(a);
        }
        clusters
    }

    fn get(&self, a: usize, b: usize) -> f64 {
        self.distances[a * self.count + b]
    }

    fn set(&mut self, a: usize, b: usize, distance: f64) {
        self.distances[a * self.count + b] = distance;
        self.distances[b * self.count + a] = distance;
    }

    fn look_around(&mut self, a: usize) {
        let mut nearest = (0, f64::INFINITY);
        for b in self.left.iter().copied().filter(|b| *b > a) {
            if self.get(a, b) < nearest.1 {
                nearest = (b, self.get(a, b));
            }
        }
        self.nearest[a] = nearest;
    }

    /// Joins the two nearest clusters; gives the one that has both now, and the one that is gone.
    fn join_nearest(&mut self) -> (usize, usize) {
        let mut best = self.left[0];
        for a in self.left.iter().copied() {
            if self.nearest[a].1 < self.nearest[best].1 {
                best = a;
            }
        }
        let (kept, (gone, between)) = (best, self.nearest[best]);
        self.left.retain(|cluster| *cluster != gone);
        let (own, other) = (self.sizes[kept], self.sizes[gone]);
        for c in self.left.clone() {
            if c != kept {
                // Lance & Williams 1967.
                let third = self.sizes[c];
                let sum = (own + third) * self.get(kept, c) + (other + third) * self.get(gone, c);
                self.set(kept, c, (sum - third * between) / (own + other + third));
            }
        }
        self.sizes[kept] += other;
        for a in self.left.clone() {
            let (nearest, distance) = self.nearest[a];
            let is_closer = a < kept && (self.get(a, kept), kept) < (distance, nearest);
            if a == kept || nearest == kept || nearest == gone || is_closer {
                self.look_around(a);
            }
        }
        (kept, gone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The sum of squared distances of directions from the centre of their cluster, by its definition.
    fn spread(vectors: &[[f64; 2]], members: &[usize]) -> f64 {
        let size = members.len() as f64;
        let sums = members.iter().fold([0.0; 2], |sum, m| {
            [sum[0] + vectors[*m][0], sum[1] + vectors[*m][1]]
        });
        let squares: f64 = members
            .iter()
            .map(|m| vectors[*m][0].powi(2) + vectors[*m][1].powi(2))
            .sum();
        squares - (sums[0].powi(2) + sums[1].powi(2)) / size
    }

    proptest! {
        /// Against the method as it is defined: all pairs of clusters, each union's cost from its members.
        #[test]
        fn the_clusters_are_those_of_the_definition(
            angles in prop::collection::vec(0.0f64..6.0, 1..14),
            wanted in 1usize..6,
        ) {
            let numbers: Vec<f32> =
                angles.iter().flat_map(|a| [a.cos() as f32 * 3.0, a.sin() as f32 * 3.0]).collect();
            let (pairs, _) = numbers.as_chunks::<2>();
            let vectors: Vec<[f64; 2]> = pairs
                .iter()
                .map(|pair| pair.map(f64::from))
                .map(|[x, y]| [x / x.hypot(y), y / x.hypot(y)])
                .collect();
            let mut sets: Vec<Vec<usize>> = (0..vectors.len()).map(|v| vec![v]).collect();
            while sets.len() > wanted {
                let mut best = (0, 1, f64::INFINITY);
                for a in 0..sets.len() {
                    for b in a + 1..sets.len() {
                        let both: Vec<usize> = sets[a].iter().chain(&sets[b]).copied().collect();
                        let cost = spread(&vectors, &both) - spread(&vectors, &sets[a]) - spread(&vectors, &sets[b]);
                        if cost < best.2 - 1e-12 {
                            best = (a, b, cost);
                        }
                    }
                }
                let gone = sets.remove(best.1);
                sets[best.0].extend(gone);
            }
            let mut expected = vec![0; vectors.len()];
            sets.sort_by_key(|set| set.iter().min().copied());
            for (cluster, set) in sets.iter().enumerate() {
                set.iter().for_each(|vector| expected[*vector] = cluster);
            }
            prop_assert_eq!(clusters(&numbers, 2, wanted), expected);
        }
    }
}
