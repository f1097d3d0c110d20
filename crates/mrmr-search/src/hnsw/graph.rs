//! The links.

use std::ops::Range;

use super::params::HnswParams;

/// Layers of links, the lowest first.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Graph {
    pub(super) layers: Vec<Layer>,
}

/// The links of the first so many points: a fixed number of places for each, filled from the front.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Layer {
    pub(super) degree: usize,
    pub(super) links: Vec<u32>,
}

/// A place without a link.
pub(super) const NONE: u32 = u32::MAX;
/// No more points than these are the first of a walk.
const ENTRIES: usize = 256;

impl Graph {
    /// Points without links: on each layer so many.
    pub(super) fn new(sizes: &[usize], params: &HnswParams) -> Self {
        let layers = sizes.iter().enumerate().map(|(number, size)| {
            let degree = params.degree(number);
            Layer {
                degree,
                links: vec![NONE; size * degree],
            }
        });
        Graph {
            layers: layers.collect(),
        }
    }

    pub(super) fn top(&self) -> usize {
        self.layers.len() - 1
    }

    /// Where a walk starts: the points of the top layer, among the first `points` of all.
    pub(super) fn entries(&self, points: usize) -> Range<u32> {
        let size = self.layers[self.top()].len();
        0..size.min(ENTRIES).min(points) as u32
    }
}

impl Layer {
    /// How many points are on the layer.
    pub(super) fn len(&self) -> usize {
        self.links.len() / self.degree
    }

    /// The places for a point's links.
    #[inline]
    pub(super) fn places(&self, point: u32) -> &[u32] {
        &self.links[point as usize * self.degree..][..self.degree]
    }

    pub(super) fn places_mut(&mut self, point: u32) -> &mut [u32] {
        &mut self.links[point as usize * self.degree..][..self.degree]
    }

    /// The points that a point is linked to.
    #[inline]
    pub(super) fn links(&self, point: u32) -> &[u32] {
        let places = self.places(point);
        let end = places.iter().position(|link| *link == NONE);
        &places[..end.unwrap_or(places.len())]
    }

    pub(super) fn set(&mut self, point: u32, links: &[u32]) {
        let places = self.places_mut(point);
        places.fill(NONE);
        places[..links.len()].copy_from_slice(links);
    }
}
