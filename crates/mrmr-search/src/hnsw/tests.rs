//! What the graph is like inside; what it answers is tested from outside.

use std::collections::VecDeque;

use proptest::prelude::*;

use super::construct::construct;
use super::graph::{Graph, NONE};
use super::index::HnswIndex;
use super::params::HnswParams;
use super::points::Points;
use super::reach::{Reach, connect};
use super::scratch::{Scratch, Scratches};
use super::space::Space;
use crate::exact::ExactIndex;
use crate::filter::Filter;
use crate::index::Index;
use crate::kernels::Kernels;
use crate::metric::Metric;
use crate::rows::Rows;
use crate::top_k::Neighbour;
use crate::vectors::Vectors;

const SMALL: HnswParams = HnswParams {
    m: 4,
    ef_construction: 12,
    ef: 10,
    seed: 7,
};

/// Numbers that look random and are the same everywhere.
fn noise(count: usize, mut state: u64) -> Vec<f32> {
    let mut next = || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 40) as f32 / (1 << 23) as f32 - 1.0
    };
    (0..count).map(|_| next()).collect()
}

fn index(metric: Metric, rows: &Vectors, params: HnswParams, kernels: Kernels) -> HnswIndex {
    let rows = Rows::new(metric, rows.clone(), None).unwrap();
    HnswIndex::new(rows, params, kernels, &()).unwrap().0
}

/// The points that links lead to on the lowest layer, breadth first; written without a look at `Reach`.
fn reached(graph: &Graph) -> Vec<bool> {
    let layer = &graph.layers[0];
    let mut seen = vec![false; layer.len()];
    let mut queue: VecDeque<u32> = graph.entries(layer.len()).collect();
    while let Some(point) = queue.pop_front() {
        if !std::mem::replace(&mut seen[point as usize], true) {
            let places = &layer.links[point as usize * layer.degree..][..layer.degree];
            queue.extend(places.iter().filter(|link| **link != NONE));
        }
    }
    seen
}

/// Far apart groups, in which a graph of few links falls apart.
fn groups(rows: usize, dimension: usize, seed: u64) -> Vectors {
    let mut numbers = noise(rows * dimension, seed);
    for (row, numbers) in numbers.chunks_exact_mut(dimension).enumerate() {
        let group = row * 7 % 23;
        numbers[group % dimension] += 40.0 * (1 + group / dimension) as f32;
    }
    Vectors::new(dimension, numbers).unwrap()
}

#[test]
fn the_graph_and_the_answers_are_the_same_in_every_set_of_instructions_and_for_any_number_of_threads()
 {
    let rows = Vectors::new(70, noise(70 * 900, 1)).unwrap();
    let queries = Vectors::new(70, noise(70 * 20, 2)).unwrap();
    for metric in Metric::ALL {
        let first = index(*metric, &rows, SMALL, Kernels::detect());
        let expected = first.search(&queries, 5).unwrap();
        for (name, kernels) in Kernels::available() {
            let other = index(*metric, &rows, SMALL, kernels);
            assert!(other.graph == first.graph, "{name}");
            assert_eq!(other.search(&queries, 5).unwrap(), expected, "{name}");
        }
        for threads in [1, 2, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            pool.build().unwrap().install(|| {
                let other = index(*metric, &rows, SMALL, Kernels::detect());
                assert!(other.graph == first.graph, "{threads}");
                assert_eq!(other.search(&queries, 5).unwrap(), expected, "{threads}");
            });
        }
    }
}

#[test]
fn points_that_links_do_not_lead_to_are_counted_and_connected() {
    let mut most = 0;
    for seed in 0..12 {
        let vectors = groups(400, 5, seed);
        let rows = Rows::new(Metric::Euclidean, vectors, None).unwrap();
        let params = HnswParams {
            m: 2,
            ef_construction: 2,
            ef: 1,
            seed,
        };
        let space = Space::new(&rows);
        let (points, sizes) = Points::new(&rows, &space, &params, Kernels::detect()).unwrap();
        let scratches = Scratches::default();
        let mut graph = construct(&points, &sizes, &params, &scratches, &());
        let before = reached(&graph);
        let lost: Vec<u32> = (0..points.len() as u32)
            .filter(|point| !before[*point as usize])
            .collect();
        assert_eq!(Reach::new(&graph).missing(), lost);
        assert_eq!(connect(&mut graph, &points, &params, &scratches), lost);
        assert_eq!(Reach::new(&graph).missing(), [0u32; 0]);
        assert!(reached(&graph).iter().all(|seen| *seen));
        most = most.max(lost.len());

        let (_, notes) = HnswIndex::new(rows, params, Kernels::detect(), &()).unwrap();
        assert_eq!(notes.unreachable_rows, lost.len());
        assert_eq!(notes.unreachable_rows_left, 0);
    }
    assert!(most > 10, "the graphs hold together: nothing was tested");
}

#[test]
fn links_are_distinct_within_their_layer_and_never_to_oneself() {
    let graph = index(Metric::Cosine, &groups(700, 6, 3), SMALL, Kernels::detect()).graph;
    assert!(graph.layers.len() > 1);
    for layer in &graph.layers {
        for point in 0..layer.len() as u32 {
            let mut links = layer.links(point).to_vec();
            assert!(
                links
                    .iter()
                    .all(|link| *link != point && (*link as usize) < layer.len())
            );
            let count = links.len();
            assert!(
                layer.places(point)[count..]
                    .iter()
                    .all(|link| *link == NONE)
            );
            links.sort_unstable();
            links.dedup();
            assert_eq!(links.len(), count);
        }
    }
}

/// The rows that a walk finds, whether or not a search would walk.
fn walked(index: &HnswIndex, query: &[f32], effort: usize, filter: &Filter) -> Vec<u32> {
    let mut scratch = Scratch::default();
    assert!(index.find(query, effort, filter, &mut scratch));
    scratch.rows
}

fn rows_of(neighbours: &[Neighbour]) -> Vec<u32> {
    neighbours.iter().map(|neighbour| neighbour.row).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn a_walk_with_all_effort_finds_every_row_that_is_allowed(
        count in 1usize..200,
        seed in 0u64..1000,
        metric in prop::sample::select(Metric::ALL),
        every in 1u32..5,
        m in 2usize..5,
    ) {
        // Few values, so that rows repeat.
        let numbers = noise(count * 3, seed).into_iter().map(|x| (x * 2.0).round()).collect();
        let rows = Vectors::new(3, numbers).unwrap();
        let params = HnswParams { m, ef_construction: m, ef: 1, seed };
        let index = index(metric, &rows, params, Kernels::detect());
        let excluded: Vec<u32> = (0..count as u32).filter(|row| row % every == 1).collect();
        let allowed = count - excluded.len();
        let mut found = walked(&index, &[1.0, 2.0, -1.0], count, &Filter::default().without(excluded.clone()));
        found.sort_unstable();
        let expected: Vec<u32> = (0..count as u32).filter(|row| !excluded.contains(row)).collect();
        prop_assert_eq!(&found, &expected);
        for effort in [1, 3] {
            let found = walked(&index, &[1.0, 2.0, -1.0], effort, &Filter::default().without(excluded.clone()));
            prop_assert!(found.len() >= effort.min(allowed));
            prop_assert!(found.iter().all(|row| !excluded.contains(row)));
        }
    }
}

#[test]
fn thousands_of_equal_rows_are_one_point_and_all_of_them_are_found() {
    let dimension = 8;
    let mut numbers = noise(dimension * 300, 5);
    let copy: Vec<f32> = numbers[..dimension].to_vec();
    for _ in 0..3000 {
        numbers.extend(&copy);
    }
    // At cosine similarity, twice the vector is at the same place too.
    numbers.extend(copy.iter().map(|x| x * 2.0));
    let rows = Vectors::new(dimension, numbers).unwrap();
    let built = Rows::new(Metric::Cosine, rows.clone(), None).unwrap();
    let (index, notes) = HnswIndex::new(built, SMALL, Kernels::detect(), &()).unwrap();
    assert_eq!(notes.repeated_rows, 3001);
    assert_eq!(notes.unreachable_rows_left, 0);
    let found = walked(&index, &copy, 1, &Filter::default());
    assert_eq!(found.len(), 3002);

    let (exact, _) = ExactIndex::builder(Metric::Cosine, rows.clone())
        .build()
        .unwrap();
    let queries = rows.slice(0..40);
    let (found, expected) = (
        index.search(&queries, 20).unwrap(),
        exact.search(&queries, 20).unwrap(),
    );
    assert_eq!(rows_of(&found[0]), rows_of(&expected[0]));
    let pairs = found.iter().zip(&expected);
    let kept: usize = pairs
        .map(|(found, expected)| expected.iter().filter(|row| found.contains(row)).count())
        .sum();
    assert!(kept * 100 >= 95 * 40 * 20, "{kept}");
}
