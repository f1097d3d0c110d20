//! The graph from the points: the same to the last bit for any number of threads.
//!
//! Points are linked in batches. All of a batch look for their neighbours at once, in the graph as it was
//! before the batch; then the links are made, and the links back, each point's by itself and in one order.

use mrmr_core::{Event, Observer};
use rayon::prelude::*;

use super::graph::Graph;
use super::params::HnswParams;
use super::points::Points;
use super::pool::key;
use super::scratch::{Scratch, Scratches};
use super::select::select;
use super::walk::{Map, everyone};

/// A batch is at most this share of what is there; points of one batch do not find each other.
const SHARE: usize = 32;
/// A batch has at most so many points.
const LARGEST: usize = 1024;

/// The links of all points; `sizes` says how many are on each layer.
pub(super) fn construct(
    points: &Points,
    sizes: &[usize],
    params: &HnswParams,
    scratches: &Scratches,
    observer: &dyn Observer,
) -> Graph {
    let mut graph = Graph::new(sizes, params);
    let mut done = 0;
    while done < points.len() {
        let end = points.len().min(done + (done / SHARE).clamp(1, LARGEST));
        let batch: Vec<u32> = (done as u32..end as u32).collect();
        let map = Map {
            points,
            graph: &graph,
            known: done,
        };
        let found: Vec<Vec<Vec<u32>>> = batch
            .par_iter()
            .map_init(
                || scratches.lend(),
                |lent, point| map.neighbours(*point, params, &mut lent.scratch),
            )
            .collect();
        link(&mut graph, points, &batch, &found, scratches);
        let rows = batch.iter().map(|point| points.rows(*point).len());
        observer.observe(Event::Advanced(rows.sum::<usize>() as u64));
        done = end;
    }
    graph
}

impl Map<'_> {
    /// The neighbours of a new point, on each of its layers from the lowest.
    fn neighbours(&self, point: u32, params: &HnswParams, scratch: &mut Scratch) -> Vec<Vec<u32>> {
        let origin = self.points.origin(point);
        let layers = self.graph.layers.iter();
        let layers = layers.take_while(|layer| layer.len() > point as usize);
        let mut found = vec![Vec::new(); layers.count()];
        self.enter(origin, scratch);
        self.descend(origin, found.len() - 1, scratch);
        for (layer, found) in found.iter_mut().enumerate().rev() {
            self.walk(origin, layer, params.ef_construction, &everyone, scratch);
            let candidates = scratch.pool.nearest();
            *found = select(self.points, origin, candidates, params.m, &mut scratch.dots);
        }
        found
    }
}

/// Links the points of a batch to the neighbours that were found for them, and back.
fn link(
    graph: &mut Graph,
    points: &Points,
    batch: &[u32],
    found: &[Vec<Vec<u32>>],
    scratches: &Scratches,
) {
    for (number, layer) in graph.layers.iter_mut().enumerate() {
        let mut back: Vec<(u32, u32)> = Vec::new();
        for (point, found) in batch.iter().zip(found) {
            if let Some(neighbours) = found.get(number) {
                layer.set(*point, neighbours);
                back.extend(neighbours.iter().map(|neighbour| (*neighbour, *point)));
            }
        }
        back.sort_unstable();
        let groups: Vec<&[(u32, u32)]> = back.chunk_by(|left, right| left.0 == right.0).collect();
        let frozen = &*layer;
        let changed: Vec<Vec<u32>> = groups
            .par_iter()
            .map_init(
                || scratches.lend(),
                |lent, group| {
                    let point = group[0].0;
                    let mut links = frozen.links(point).to_vec();
                    links.extend(group.iter().map(|(_, new)| *new));
                    within(points, point, links, frozen.degree, &mut lent.scratch)
                },
            )
            .collect();
        for (group, links) in groups.iter().zip(&changed) {
            layer.set(group[0].0, links);
        }
    }
}

/// The links, or a selection where they are too many.
fn within(
    points: &Points,
    point: u32,
    links: Vec<u32>,
    degree: usize,
    scratch: &mut Scratch,
) -> Vec<u32> {
    if links.len() <= degree {
        return links;
    }
    let origin = points.origin(point);
    let mut candidates = Vec::with_capacity(links.len());
    points.distances(origin, &links, &mut scratch.dots, |link, distance| {
        candidates.push((link, distance));
    });
    candidates.sort_unstable_by_key(|(link, distance)| key(*link, *distance));
    select(
        points,
        origin,
        candidates.into_iter(),
        degree,
        &mut scratch.dots,
    )
}
