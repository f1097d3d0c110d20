//! Accumulators that are used again from query to query.

use std::sync::Mutex;

/// A score that no row has: the row was not touched.
pub(super) const UNTOUCHED: f64 = -1.0;

/// One accumulator a row, and which of them were touched.
#[derive(Default)]
pub(super) struct Scratch {
    pub(super) scores: Vec<f64>,
    pub(super) touched: Vec<u32>,
}

impl Scratch {
    /// Adds to a row.
    #[inline]
    pub(super) fn add(&mut self, row: u32, contribution: f32) {
        let score = &mut self.scores[row as usize];
        if *score == UNTOUCHED {
            *score = 0.0;
            self.touched.push(row);
        }
        *score += f64::from(contribution);
    }

    /// Forgets all scores, at the cost of the touched rows only.
    fn clear(&mut self) {
        for row in self.touched.drain(..) {
            self.scores[row as usize] = UNTOUCHED;
        }
    }
}

/// As many accumulators as queries were ever searched at once.
#[derive(Default)]
pub(super) struct ScratchPool(Mutex<Vec<Scratch>>);

impl ScratchPool {
    /// Lends a clean accumulator of `rows` rows.
    pub(super) fn with<T>(&self, rows: usize, work: impl FnOnce(&mut Scratch) -> T) -> T {
        let lent = self.0.lock().ok().and_then(|mut pool| pool.pop());
        let mut scratch = lent.unwrap_or_default();
        scratch.scores.resize(rows, UNTOUCHED);
        let result = work(&mut scratch);
        scratch.clear();
        if let Ok(mut pool) = self.0.lock() {
            pool.push(scratch);
        }
        result
    }
}
