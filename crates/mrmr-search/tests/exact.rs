//! Exact search against the plainest possible reference: every score in 64 bits, sorted.

#![allow(clippy::unwrap_used)]

use mrmr_core::{DocId, Ids};
use mrmr_search::{ExactIndex, Filter, Index, Metric, Neighbour, Vectors};
use proptest::prelude::*;

fn vectors(rows: &[Vec<f32>], dimension: usize) -> Vectors {
    Vectors::new(dimension, rows.concat()).unwrap()
}

/// All rows that the filter lets through, best first, equal scores by the larger id or smaller row.
fn reference(
    rows: &Vectors,
    query: &[f32],
    metric: Metric,
    ids: Option<&[String]>,
    k: usize,
    filter: &Filter,
) -> Vec<Neighbour> {
    let allowed = |row: &u32| {
        filter.candidates().is_none_or(|c| c.contains(row)) && !filter.excluded().contains(row)
    };
    let mut all: Vec<Neighbour> = (0..rows.len() as u32)
        .filter(allowed)
        .map(|row| Neighbour {
            row,
            score: metric.score(query, rows.row(row as usize)),
        })
        .collect();
    all.sort_by(|a, b| {
        let ties = match ids {
            Some(ids) => ids[b.row as usize]
                .as_bytes()
                .cmp(ids[a.row as usize].as_bytes()),
            None => a.row.cmp(&b.row),
        };
        b.score.partial_cmp(&a.score).unwrap().then(ties)
    });
    all.truncate(k);
    all
}

#[derive(Clone, Debug)]
struct Case {
    dimension: usize,
    rows: Vec<Vec<f32>>,
    queries: Vec<Vec<f32>>,
    metric: Metric,
    k: usize,
    with_ids: bool,
    excluded: Vec<u32>,
}

/// A number of a few values, so that rows repeat, or of any size.
fn number() -> impl Strategy<Value = f32> {
    prop_oneof![
        4 => (-2i8..3).prop_map(f32::from),
        2 => -1.0f32..1.0,
        // Near each other, below what a 32-bit sum tells apart.
        2 => (0u32..4).prop_map(|bits| f32::from_bits(0x3F80_0000 + bits)),
    ]
}

/// A factor for a whole vector: mostly 1, else huge or tiny to the ends of the range.
fn factor() -> impl Strategy<Value = f32> {
    prop_oneof![8 => Just(1.0f32), 1 => Just(1e37f32), 1 => Just(1e-38f32), 1 => Just(1e-43f32), 1 => Just(0.0f32)]
}

fn case() -> impl Strategy<Value = Case> {
    (
        prop_oneof![Just(1usize), 2usize..20],
        0usize..150,
        0usize..40,
    )
        .prop_flat_map(|(dimension, rows, queries)| {
            let vector = move || {
                (prop::collection::vec(number(), dimension), factor()).prop_map(
                    |(vector, factor)| vector.into_iter().map(|x| x * factor).collect::<Vec<f32>>(),
                )
            };
            (
                prop::collection::vec(vector(), rows),
                prop::collection::vec(vector(), queries),
                prop::sample::select(Metric::ALL),
                prop_oneof![1usize..8, Just(1000)],
                any::<bool>(),
                prop::collection::vec(0u32..150, 0..4),
            )
                .prop_map(move |(rows, queries, metric, k, with_ids, excluded)| Case {
                    dimension,
                    rows,
                    queries,
                    metric,
                    k,
                    with_ids,
                    excluded,
                })
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_answer_is_that_of_the_reference_to_the_last_bit(case in case()) {
        let rows = vectors(&case.rows, case.dimension);
        let queries = vectors(&case.queries, case.dimension);
        let ids: Vec<String> = (0..rows.len()).map(|row| format!("d{row}")).collect();
        let mut builder = ExactIndex::builder(case.metric, rows.clone());
        if case.with_ids {
            builder = builder.ids(ids.iter().collect::<Ids<DocId>>());
        }
        let (index, notes) = builder.build().unwrap();
        let zero = |row: &&Vec<f32>| row.iter().all(|x| *x == 0.0);
        prop_assert_eq!(notes.zero_rows, case.rows.iter().filter(zero).count());

        let filters = vec![Filter::default().without(case.excluded.iter().copied()); queries.len()];
        let found = index.search_filtered(&queries, case.k, &filters).unwrap();
        prop_assert_eq!(found.len(), queries.len());
        let named = case.with_ids.then_some(ids.as_slice());
        for (query, found) in queries.rows().zip(&found) {
            let expected = reference(&rows, query, case.metric, named, case.k, &filters[0]);
            prop_assert_eq!(found, &expected);
        }
        // One query at a time: another path through blocks, groups and shards.
        for (row, found) in found.iter().enumerate() {
            let alone = index.search_filtered(&queries.slice(row..row + 1), case.k, &filters[..1]).unwrap();
            prop_assert_eq!(&alone[0], found);
        }
    }
}

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

#[test]
fn many_rows_give_the_same_answer_for_any_number_of_threads() {
    let rows = Vectors::new(48, noise(48 * 3000, 1)).unwrap();
    let queries = Vectors::new(48, noise(48 * 70, 2)).unwrap();
    for metric in Metric::ALL {
        let (index, _) = ExactIndex::builder(*metric, rows.clone()).build().unwrap();
        let found = index.search(&queries, 10).unwrap();
        for (query, found) in queries.rows().zip(&found) {
            assert_eq!(
                *found,
                reference(&rows, query, *metric, None, 10, &Filter::default())
            );
        }
        for threads in [1, 3, 7] {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            assert_eq!(pool.install(|| index.search(&queries, 10)).unwrap(), found);
        }
    }
}

#[test]
fn candidates_alone_compete_and_all_of_them_come_back() {
    let rows = Vectors::new(1, vec![5.0, 4.0, 3.0, 2.0]).unwrap();
    let (index, _) = ExactIndex::builder(Metric::Dot, rows).build().unwrap();
    let query = Vectors::new(1, vec![1.0]).unwrap();
    let filter = Filter::only([3, 1, 0]).without([0]);
    let found = index.search_filtered(&query, 9, &[filter]).unwrap();
    assert_eq!(
        found[0],
        [
            Neighbour { row: 1, score: 4.0 },
            Neighbour { row: 3, score: 2.0 }
        ]
    );
}

#[test]
fn what_does_not_fit_is_refused() {
    let rows = Vectors::new(2, vec![0.0; 6]).unwrap();
    let (index, notes) = ExactIndex::builder(Metric::Cosine, rows.clone())
        .build()
        .unwrap();
    assert_eq!(
        notes.warnings(),
        ["3 zero vectors (the first is row 0) have similarity 0 to every query"]
    );
    let message = |queries: &Vectors, k, filters: &[Filter]| {
        index
            .search_filtered(queries, k, filters)
            .unwrap_err()
            .to_string()
    };
    let query = Vectors::new(2, vec![1.0, 0.0]).unwrap();
    let other = Vectors::new(1, vec![1.0]).unwrap();
    assert_eq!(
        message(&query, 0, &[]),
        "k is 0; expected how many rows to find, at least 1"
    );
    assert_eq!(
        message(&other, 1, &[]),
        "queries have 1 dimensions, the index has 2; expected the same number"
    );
    assert_eq!(
        message(&query, 1, &[Filter::only([3])]),
        "a filter has row 3 as a candidate; the index has 3 rows, counted from 0"
    );
    assert_eq!(
        message(&query, 1, &[Filter::default(), Filter::default()]),
        "there are 2 filters for 1 queries; expected none or one a query"
    );
    let error = ExactIndex::builder(Metric::Dot, rows)
        .ids(["a"].into_iter().collect())
        .build();
    assert_eq!(
        error.err().unwrap().to_string(),
        "there are 1 ids for 3 vectors; expected one each"
    );
}
