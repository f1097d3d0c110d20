//! The nearest points so far, and which of them a walk has left behind.

/// Points by distance, ascending; equal ones by number. As many as fit are kept that count; those that do not
/// count (a filter keeps them from the answer) are kept as long as one that counts is behind them.
#[derive(Default)]
pub(super) struct Pool {
    /// The distance above, then the point, then one bit: whether the walk has been there.
    keys: Vec<u64>,
    limit: usize,
    counted: usize,
    /// All before have been visited.
    next: usize,
}

impl Pool {
    /// Room for so many that count; nothing in it.
    pub(super) fn clear(&mut self, limit: usize) {
        self.keys.clear();
        self.limit = limit;
        self.counted = 0;
        self.next = 0;
    }

    #[inline]
    pub(super) fn offer(&mut self, point: u32, distance: f32, counts: &impl Fn(u32) -> bool) {
        let key = key(point, distance);
        let full = self.counted == self.limit;
        if full && self.keys.last().is_some_and(|last| *last < key) {
            return;
        }
        let at = self.keys.partition_point(|kept| *kept < key);
        self.keys.insert(at, key);
        self.next = self.next.min(at);
        self.counted += usize::from(counts(point));
        // The last one always counts where the pool is full.
        while self.counted > self.limit || (self.counted == self.limit && !self.last_counts(counts))
        {
            if let Some(dropped) = self.keys.pop() {
                self.counted -= usize::from(counts(point_of(dropped)));
            }
        }
    }

    fn last_counts(&self, counts: &impl Fn(u32) -> bool) -> bool {
        self.keys.last().is_none_or(|last| counts(point_of(*last)))
    }

    /// The nearest point where the walk has not been; now it has.
    #[inline]
    pub(super) fn visit(&mut self) -> Option<u32> {
        let unseen = self.keys[self.next..].iter().position(|key| key & 1 == 0)?;
        self.next += unseen + 1;
        let key = &mut self.keys[self.next - 1];
        *key |= 1;
        Some(point_of(*key))
    }

    /// Where the walk may go next, if that is easily said.
    #[inline]
    pub(super) fn next(&self) -> Option<u32> {
        self.keys.get(self.next).map(|key| point_of(*key))
    }

    /// The points, nearest first.
    pub(super) fn points(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.keys.iter().map(|key| point_of(*key))
    }

    /// The points with their distances, nearest first.
    pub(super) fn nearest(&self) -> impl ExactSizeIterator<Item = (u32, f32)> + '_ {
        self.keys
            .iter()
            .map(|key| (point_of(*key), distance_of(*key)))
    }
}

fn point_of(key: u64) -> u32 {
    key as u32 >> 1
}

/// Orders as the distance does, and among equal ones as the point does. Points are below 2^31.
#[inline]
pub(super) fn key(point: u32, distance: f32) -> u64 {
    let bits = distance.to_bits();
    let ordered = match bits >> 31 {
        0 => bits | 1 << 31,
        _ => !bits,
    };
    u64::from(ordered) << 32 | u64::from(point) << 1
}

fn distance_of(key: u64) -> f32 {
    let ordered = (key >> 32) as u32;
    f32::from_bits(match ordered >> 31 {
        0 => !ordered,
        _ => ordered & !(1 << 31),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_pool_keeps_the_nearest_that_count_and_what_lies_before_them(
            distances in prop::collection::vec(-9i8..9, 0..60),
            limit in 1usize..9,
            every in 1u32..4,
        ) {
            let counts = |point: u32| point.is_multiple_of(every);
            let mut pool = Pool::default();
            pool.clear(limit);
            for (point, distance) in distances.iter().enumerate() {
                pool.offer(point as u32, f32::from(*distance) / 4.0, &counts);
            }
            let mut all: Vec<(i8, u32)> = distances.iter().copied().zip(0..).collect();
            all.sort_unstable();
            let mut counted = 0;
            let kept = all.iter().take_while(|(_, point)| {
                let before = counted;
                counted += usize::from(counts(*point));
                before < limit
            });
            let expected: Vec<(u32, f32)> = kept.map(|(d, point)| (*point, f32::from(*d) / 4.0)).collect();
            prop_assert_eq!(pool.nearest().collect::<Vec<_>>(), expected.clone());
            let mut visited = Vec::new();
            while let Some(point) = pool.visit() {
                visited.push(point);
            }
            prop_assert_eq!(visited, expected.iter().map(|near| near.0).collect::<Vec<_>>());
        }
    }
}
