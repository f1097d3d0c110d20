//! From neighbour to neighbour, nearer and nearer.

use super::graph::{Graph, Layer, NONE};
use super::points::{Origin, Points};
use super::scratch::Scratch;
use crate::kernels::prefetch;

/// How many of the nearest on a layer a walk starts from on the next.
const WIDTH: usize = 2;

/// A graph under way or complete: links among the first `known` points.
#[derive(Clone, Copy)]
pub(super) struct Map<'a> {
    pub(super) points: &'a Points,
    pub(super) graph: &'a Graph,
    pub(super) known: usize,
}

impl Map<'_> {
    /// Looks at the entries.
    pub(super) fn enter(&self, origin: Origin<'_>, scratch: &mut Scratch) {
        let entries = self.graph.entries(self.known);
        scratch.fresh.clear();
        scratch.fresh.extend(entries);
        scratch.pool.clear(WIDTH);
        scratch.entries.clear();
        let (pool, entries) = (&mut scratch.pool, &mut scratch.entries);
        self.points.distances(
            origin,
            &scratch.fresh,
            &mut scratch.dots,
            |point, distance| {
                pool.offer(point, distance, &everyone);
                entries.push((point, distance));
            },
        );
    }

    /// From the entries down to the layer above `layer`; the nearest ones there are in the pool.
    pub(super) fn descend(&self, origin: Origin<'_>, layer: usize, scratch: &mut Scratch) {
        for layer in (layer + 1..self.graph.layers.len()).rev() {
            self.walk(origin, layer, WIDTH, &everyone, scratch);
        }
    }

    /// Goes over a layer, from the nearest points of the one above and, on the lowest, from the entries as
    /// well, so that every point that can be reached from them is found where the pool is large enough.
    pub(super) fn walk(
        &self,
        origin: Origin<'_>,
        layer: usize,
        limit: usize,
        counts: &impl Fn(u32) -> bool,
        scratch: &mut Scratch,
    ) {
        scratch.seen.clear(self.points.len());
        scratch.begin(layer, limit, counts);
        let layer = &self.graph.layers[layer];
        while let Some(point) = scratch.pool.visit() {
            self.look_around(origin, layer, point, counts, scratch);
        }
    }

    #[inline]
    fn look_around(
        &self,
        origin: Origin<'_>,
        layer: &Layer,
        point: u32,
        counts: &impl Fn(u32) -> bool,
        scratch: &mut Scratch,
    ) {
        scratch.fresh.clear();
        for link in layer.places(point) {
            if *link == NONE {
                break;
            }
            if scratch.seen.first(*link) {
                self.points.prefetch_position(*link);
                scratch.fresh.push(*link);
            }
        }
        let pool = &mut scratch.pool;
        self.points.distances(
            origin,
            &scratch.fresh,
            &mut scratch.dots,
            |point, distance| {
                pool.offer(point, distance, counts);
            },
        );
        if let Some(next) = pool.next() {
            prefetch(layer.places(next));
        }
    }
}

impl Scratch {
    fn begin(&mut self, layer: usize, limit: usize, counts: &impl Fn(u32) -> bool) {
        let seen = &mut self.seen;
        let from_above = self.pool.nearest().take(WIDTH);
        let entries = if layer == 0 {
            self.entries.as_slice()
        } else {
            &[]
        };
        let starts = from_above.chain(entries.iter().copied());
        self.starts.clear();
        self.starts
            .extend(starts.filter(|(point, _)| seen.first(*point)));
        self.pool.clear(limit);
        for (point, distance) in &self.starts {
            self.pool.offer(*point, *distance, counts);
        }
    }
}

pub(super) fn everyone(_: u32) -> bool {
    true
}
