//! The rows that may be among the best k, by the bounds of their scores.

/// Keeps every row whose upper bound reaches the k-th best lower bound.
pub(crate) struct Survivors {
    k: usize,
    kept: Vec<Survivor>,
    capacity: usize,
    /// The k-th best lower bound when last looked, or what was given: rows below are not among the best.
    threshold: f64,
    /// How many may survive before they are given up.
    limit: usize,
    given_up: bool,
}

#[derive(Clone, Copy)]
struct Survivor {
    row: u32,
    lower: f64,
    upper: f64,
}

impl Survivors {
    /// None yet; rows that do not reach the threshold are not wanted.
    pub(crate) fn new(k: usize, limit: usize, threshold: f64) -> Self {
        Survivors {
            k,
            kept: Vec::new(),
            capacity: k.saturating_mul(2).max(64),
            threshold,
            limit,
            given_up: false,
        }
    }

    /// Whether a row with this upper bound may still be among the best.
    #[inline]
    pub(crate) fn may_hold(&self, upper: f64) -> bool {
        upper >= self.threshold
    }

    /// What rows must reach.
    #[inline]
    pub(crate) fn threshold(&self) -> f64 {
        self.threshold
    }

    /// Whether more rows survived than the limit: then some are missing here.
    pub(crate) fn are_given_up(&self) -> bool {
        self.given_up
    }

    /// Adds a row that may be among the best.
    pub(crate) fn add(&mut self, row: u32, (lower, upper): (f64, f64)) {
        self.kept.push(Survivor { row, lower, upper });
        if self.kept.len() >= self.capacity {
            self.prune();
            self.given_up |= self.kept.len() > self.limit;
            // Twice what is left: a fixed buffer would be pruned again and again where rows are alike.
            self.capacity = self.capacity.max(self.kept.len() * 2);
        }
    }

    /// Adds the survivors among other rows.
    pub(crate) fn join(mut self, other: Survivors) -> Survivors {
        self.threshold = self.threshold.max(other.threshold);
        self.kept.extend(other.kept);
        self.given_up |= other.given_up;
        self
    }

    /// Those that are left in the end, unless they are more than the limit.
    pub(crate) fn within_limit(mut self) -> Option<Survivors> {
        self.prune();
        (!self.given_up && self.kept.len() <= self.limit).then_some(self)
    }

    fn prune(&mut self) {
        if self.kept.len() > self.k {
            let order = |a: &Survivor, b: &Survivor| b.lower.total_cmp(&a.lower);
            let (_, nth, _) = self.kept.select_nth_unstable_by(self.k - 1, order);
            self.threshold = self.threshold.max(nth.lower);
            self.kept
                .retain(|survivor| survivor.upper >= self.threshold);
        }
    }

    /// The rows with their upper bounds, in no order.
    pub(crate) fn into_bounded_rows(mut self) -> Vec<(u32, f64)> {
        self.prune();
        let survivors = self.kept.into_iter();
        survivors
            .map(|survivor| (survivor.row, survivor.upper))
            .collect()
    }

    /// The rows, in no order.
    pub(crate) fn into_rows(mut self) -> impl Iterator<Item = u32> {
        self.prune();
        self.kept.into_iter().map(|survivor| survivor.row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_that_may_tie_with_the_last_place_survives() {
        let mut survivors = Survivors::new(1, 9, f64::NEG_INFINITY);
        survivors.add(0, (0.5, 0.7));
        survivors.add(1, (0.3, 0.5));
        survivors.add(2, (0.3, 0.49));
        let mut rows: Vec<u32> = survivors.into_rows().collect();
        rows.sort_unstable();
        assert_eq!(rows, [0, 1]);
    }
}
