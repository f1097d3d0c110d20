//! Whether every point can be found.

use super::graph::{Graph, NONE};
use super::params::HnswParams;
use super::points::Points;
use super::scratch::Scratches;
use super::walk::{Map, everyone};

/// From where each point is reached on the lowest layer, starting at the entries.
pub(super) struct Reach {
    from: Vec<u32>,
    queue: Vec<u32>,
}

/// An entry, which needs no link.
const ENTRY: u32 = u32::MAX - 1;

impl Reach {
    pub(super) fn new(graph: &Graph) -> Self {
        let mut reach = Reach {
            from: vec![NONE; graph.layers[0].len()],
            queue: Vec::new(),
        };
        for entry in graph.entries(reach.from.len()) {
            reach.add(entry, ENTRY);
        }
        reach.spread(graph);
        reach
    }

    fn reaches(&self, point: u32) -> bool {
        self.from[point as usize] != NONE
    }

    /// The points that are not reached, ascending.
    pub(super) fn missing(&self) -> Vec<u32> {
        let all = 0..self.from.len() as u32;
        all.filter(|point| !self.reaches(*point)).collect()
    }

    fn add(&mut self, point: u32, from: u32) {
        self.from[point as usize] = from;
        self.queue.push(point);
    }

    /// Goes on from the points that were added, breadth first.
    fn spread(&mut self, graph: &Graph) {
        let mut next = 0;
        while next < self.queue.len() {
            let point = self.queue[next];
            for link in graph.layers[0].links(point) {
                if !self.reaches(*link) {
                    self.add(*link, point);
                }
            }
            next += 1;
        }
        self.queue.clear();
    }

    /// A place for one more link from a point: a free one, or the last that no other point is reached by.
    fn spare(&self, graph: &Graph, point: u32) -> Option<usize> {
        let places = graph.layers[0].places(point);
        let free = places.iter().position(|link| *link == NONE);
        free.or_else(|| {
            places
                .iter()
                .rposition(|link| self.from[*link as usize] != point)
        })
    }
}

/// Links each point that cannot be reached from the nearest one that can and has a place for it; nothing that
/// was reached is cut off. Returns the points that could not be reached before.
pub(super) fn connect(
    graph: &mut Graph,
    points: &Points,
    params: &HnswParams,
    scratches: &Scratches,
) -> Vec<u32> {
    let mut reach = Reach::new(graph);
    let missing = reach.missing();
    let mut lent = scratches.lend();
    for point in &missing {
        if reach.reaches(*point) {
            continue;
        }
        let map = Map {
            points,
            graph,
            known: points.len(),
        };
        let origin = points.origin(*point);
        map.enter(origin, &mut lent.scratch);
        map.descend(origin, 0, &mut lent.scratch);
        map.walk(
            origin,
            0,
            params.ef_construction,
            &everyone,
            &mut lent.scratch,
        );
        // There are more places than points, so that somewhere one is left.
        let near = lent.scratch.pool.points();
        let found = near
            .chain(0..points.len() as u32)
            .filter(|near| reach.reaches(*near))
            .find_map(|near| Some((near, reach.spare(graph, near)?)));
        if let Some((near, place)) = found {
            graph.layers[0].places_mut(near)[place] = *point;
            reach.add(*point, near);
            reach.spread(graph);
        }
    }
    missing
}
