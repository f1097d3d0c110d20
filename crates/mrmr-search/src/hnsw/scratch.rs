//! Room that walks work in, kept for the next one.

use std::sync::{Mutex, PoisonError};

use super::pool::Pool;
use crate::kernels::Strip;

/// What one walk works in.
#[derive(Default)]
pub(super) struct Scratch {
    pub(super) seen: Seen,
    pub(super) pool: Pool,
    /// Neighbours that were not seen before.
    pub(super) fresh: Vec<u32>,
    pub(super) dots: Vec<i32>,
    pub(super) entries: Vec<(u32, f32)>,
    /// Where a walk over a layer starts.
    pub(super) starts: Vec<(u32, f32)>,
    /// A query.
    pub(super) numbers: Vec<f64>,
    pub(super) strips: Vec<Strip>,
    /// Rows to score again.
    pub(super) rows: Vec<u32>,
}

/// Which points a walk has come across: those with the number of the walk.
#[derive(Default)]
pub(super) struct Seen {
    marks: Vec<u16>,
    walk: u16,
}

impl Seen {
    /// Nothing has been seen of so many points.
    pub(super) fn clear(&mut self, points: usize) {
        if self.walk == u16::MAX || self.marks.len() != points {
            self.marks.clear();
            self.marks.resize(points, 0);
            self.walk = 0;
        }
        self.walk += 1;
    }

    /// Whether a point is seen for the first time; now it has been.
    #[inline]
    pub(super) fn first(&mut self, point: u32) -> bool {
        let mark = &mut self.marks[point as usize];
        let first = *mark != self.walk;
        *mark = self.walk;
        first
    }
}

/// Room that is free.
#[derive(Default)]
pub(super) struct Scratches(Mutex<Vec<Scratch>>);

impl Scratches {
    /// Room for one walk after another; it is free again when it is dropped.
    pub(super) fn lend(&self) -> Lent<'_> {
        let mut free = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Lent {
            scratch: free.pop().unwrap_or_default(),
            owner: self,
        }
    }
}

/// Room that is in use.
pub(super) struct Lent<'a> {
    pub(super) scratch: Scratch,
    owner: &'a Scratches,
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        let mut free = self.owner.0.lock().unwrap_or_else(PoisonError::into_inner);
        free.push(std::mem::take(&mut self.scratch));
    }
}
