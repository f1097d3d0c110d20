//! Choices that look random and are the same everywhere.

/// Whole numbers that a seed determines (Steele, Lea, Flood 2014: SplitMix).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `end`, which is not 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }

    /// `count` of the items (all where there are fewer), in no order.
    pub(crate) fn sample(&mut self, mut items: Vec<u32>, count: usize) -> Vec<u32> {
        let count = count.min(items.len());
        for place in 0..count {
            let other = place + self.below(items.len() - place);
            items.swap(place, other);
        }
        items.truncate(count);
        items
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_distinct_items_and_the_same_ones_for_a_seed() {
        let draw = |seed| Random::new(seed).sample((0..1000).collect(), 300);
        let mut first = draw(7);
        assert_eq!(first, draw(7));
        assert_ne!(first, draw(8));
        first.sort_unstable();
        first.dedup();
        assert_eq!(first.len(), 300);
        assert_eq!(Random::new(1).sample(vec![4, 5], 9).len(), 2);
    }
}
