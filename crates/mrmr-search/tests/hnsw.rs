//! Approximate search by a graph, against exact search.

#![allow(clippy::unwrap_used)]

use mrmr_core::{DocId, Ids};
use mrmr_search::{
    Approximate, ExactIndex, Filter, HnswIndex, HnswParams, Index, Metric, Neighbour, Vectors,
};
use proptest::prelude::*;

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

/// Rows around centres, of lengths that differ up to `spread` times.
fn clusters(rows: usize, dimension: usize, centres: usize, spread: f32, seed: u64) -> Vectors {
    let around = noise(centres * dimension, 99);
    let mut numbers = noise(rows * dimension, seed);
    for (row, numbers) in numbers.chunks_exact_mut(dimension).enumerate() {
        let centre = &around[row % centres * dimension..][..dimension];
        let length = 1.0 + (spread - 1.0) * (row % 10) as f32 / 9.0;
        for (x, centre) in numbers.iter_mut().zip(centre) {
            *x = (*x * 0.5 + centre) * length;
        }
    }
    Vectors::new(dimension, numbers).unwrap()
}

/// The share of the true neighbours that are found.
fn recall(found: &[Vec<Neighbour>], expected: &[Vec<Neighbour>]) -> f64 {
    let pairs = found.iter().zip(expected);
    let kept = pairs.map(|(found, expected)| {
        assert_eq!(found.len(), expected.len());
        // What is found is scored as exactly as in the exact answer.
        expected.iter().filter(|row| found.contains(row)).count()
    });
    kept.sum::<usize>() as f64 / expected.iter().map(Vec::len).sum::<usize>() as f64
}

fn both(metric: Metric, rows: &Vectors, ef: usize) -> (HnswIndex, ExactIndex) {
    let params = HnswParams {
        ef,
        ..HnswParams::default()
    };
    let builder = HnswIndex::builder(metric, rows.clone()).params(params);
    let (index, notes) = builder.build(&()).unwrap();
    assert_eq!(notes.unreachable_rows_left, 0);
    let exact = ExactIndex::builder(metric, rows.clone()).build().unwrap().0;
    (index, exact)
}

#[test]
fn nearly_all_neighbours_are_found_by_every_metric_in_clusters_and_without() {
    let cases = [
        (
            "uniform",
            Vectors::new(16, noise(16 * 2000, 1)).unwrap(),
            Vectors::new(16, noise(16 * 50, 2)).unwrap(),
        ),
        (
            "clusters",
            clusters(2000, 24, 20, 1.0, 3),
            clusters(50, 24, 20, 1.0, 4),
        ),
        (
            "lengths",
            clusters(2000, 24, 20, 5.0, 5),
            clusters(50, 24, 20, 1.0, 6),
        ),
    ];
    for (name, rows, queries) in &cases {
        for metric in Metric::ALL {
            let (mut index, exact) = both(*metric, rows, 64);
            let expected = exact.search(queries, 10).unwrap();
            let wide = recall(&index.search(queries, 10).unwrap(), &expected);
            assert!(wide >= 0.96, "{name}, {metric}: {wide}");
            index.set_effort(10).unwrap();
            let narrow = recall(&index.search(queries, 10).unwrap(), &expected);
            assert!(narrow < 1.0 && narrow < wide, "{name}, {metric}: {narrow}");
        }
    }
}

#[test]
fn a_few_rows_are_all_returned_best_first() {
    for count in 0..3 {
        let rows = Vectors::new(2, [1.0, 0.0, 0.5, 0.5][..count * 2].to_vec()).unwrap();
        let query = Vectors::new(2, vec![1.0, 0.0]).unwrap();
        let (index, notes) = HnswIndex::builder(Metric::Dot, rows).build(&()).unwrap();
        assert_eq!(notes.entry_points, count);
        let found = index.search(&query, 5).unwrap();
        let rows: Vec<u32> = found[0].iter().map(|near| near.row).collect();
        assert_eq!(rows, (0..count as u32).collect::<Vec<_>>());
        assert!(
            index
                .search(&Vectors::new(2, Vec::new()).unwrap(), 1)
                .unwrap()
                .is_empty()
        );
    }
}

#[test]
fn excluded_rows_never_come_back_and_as_many_others_do() {
    let rows = clusters(2000, 12, 10, 1.0, 8);
    let (index, exact) = both(Metric::Cosine, &rows, 40);
    let queries = rows.slice(0..30);
    for share in [1, 2, 10] {
        // The nearest rows are those that are left out, and numbers that are no rows do no harm.
        let nearest = exact.search(&queries, 600 / share).unwrap();
        let filters: Vec<Filter> = nearest
            .iter()
            .map(|near| Filter::default().without(near.iter().map(|n| n.row).chain([5000])))
            .collect();
        let expected = exact.search_filtered(&queries, 10, &filters).unwrap();
        let found = index.search_filtered(&queries, 10, &filters).unwrap();
        assert!(recall(&found, &expected) > 0.95);
        for (found, filter) in found.iter().zip(&filters) {
            assert!(found.iter().all(|near| !filter.excludes(near.row)));
        }
    }
}

#[test]
fn candidates_alone_compete_and_k_past_the_corpus_returns_it() {
    let rows = clusters(500, 12, 10, 1.0, 9);
    let (index, exact) = both(Metric::Euclidean, &rows, 8);
    let queries = rows.slice(3..5);
    let filters = [
        Filter::only([5, 9, 499, 77]),
        Filter::default().without([1, 2]),
    ];
    for k in [1, 3, 400, 498, 9999] {
        let found = index.search_filtered(&queries, k, &filters).unwrap();
        let expected = exact.search_filtered(&queries, k, &filters).unwrap();
        assert_eq!(found[0], expected[0]);
        assert_eq!(found[1].len(), k.min(498));
    }
    assert_eq!(
        index.search(&queries, 500).unwrap(),
        exact.search(&queries, 500).unwrap()
    );
}

#[test]
fn zero_vectors_are_rows_and_queries_like_others() {
    let mut numbers = noise(8 * 600, 3);
    numbers[8 * 100..8 * 300].fill(0.0);
    let rows = Vectors::new(8, numbers).unwrap();
    let queries = Vectors::new(8, [vec![0.0; 8], noise(8, 4)].concat()).unwrap();
    let ids: Ids<DocId> = (0..600).map(|row| format!("d{row}")).collect();
    for metric in Metric::ALL {
        let builder = HnswIndex::builder(*metric, rows.clone()).ids(ids.clone());
        let (index, notes) = builder.build(&()).unwrap();
        assert_eq!((notes.zero_rows, notes.first_zero_row), (200, Some(100)));
        assert!(notes.repeated_rows >= 199);
        assert!(notes.warnings()[0].starts_with("200 zero vectors (the first is row 100)"));
        let builder = ExactIndex::builder(*metric, rows.clone()).ids(ids.clone());
        let exact = builder.build().unwrap().0;
        let found = index.search(&queries, 10).unwrap();
        let expected = exact.search(&queries, 10).unwrap();
        assert_eq!(found[0], expected[0], "{metric}");
        assert!(recall(&found[1..], &expected[1..]) >= 0.9, "{metric}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let rows = Vectors::new(2, vec![1.0; 6]).unwrap();
    let refused = |params| {
        let builder = HnswIndex::builder(Metric::Dot, rows.clone()).params(params);
        builder.build(&()).map(|_| ()).unwrap_err().to_string()
    };
    let usual = HnswParams::default();
    assert_eq!(
        refused(HnswParams { m: 1, ..usual }),
        "m is 1; expected 2 to 1024"
    );
    assert_eq!(
        refused(HnswParams {
            ef_construction: 15,
            ..usual
        }),
        "ef_construction is 15; expected at least m, 16"
    );
    assert_eq!(
        refused(HnswParams { ef: 0, ..usual }),
        "ef is 0; expected at least 1"
    );

    let (mut index, _) = HnswIndex::builder(Metric::Dot, rows.clone())
        .build(&())
        .unwrap();
    assert!(index.set_effort(0).is_err());
    assert_eq!((index.effort_name(), index.effort()), ("ef", 64));
    let message = |queries: &Vectors, k, filters: &[Filter]| {
        index
            .search_filtered(queries, k, filters)
            .unwrap_err()
            .to_string()
    };
    let query = rows.slice(0..1);
    assert_eq!(
        message(&query, 0, &[]),
        "k is 0; expected how many rows to find, at least 1"
    );
    assert_eq!(
        message(&Vectors::new(1, vec![1.0]).unwrap(), 1, &[]),
        "queries have 1 dimensions, the index has 2; expected the same number"
    );
    assert_eq!(
        message(&query, 1, &[Filter::only([3])]),
        "a filter has row 3 as a candidate; the index has 3 rows, counted from 0"
    );
    let wide = Vectors::new(1 << 18, vec![0.0; 1 << 18]).unwrap();
    let error = HnswIndex::builder(Metric::Dot, wide)
        .build(&())
        .map(|_| ())
        .unwrap_err();
    assert_eq!(
        error.message(),
        "vectors have 262144 dimensions; a graph takes up to 131072"
    );
    let builder = HnswIndex::builder(Metric::Dot, rows).ids(["a"].into_iter().collect());
    assert_eq!(
        builder.build(&()).map(|_| ()).unwrap_err().to_string(),
        "there are 1 ids for 3 vectors; expected one each"
    );
}

/// A factor for a whole vector: mostly 1, else huge or tiny to the ends of the range.
fn factor() -> impl Strategy<Value = f32> {
    prop_oneof![8 => Just(1.0f32), 1 => Just(1e37f32), 1 => Just(1e-38f32), 1 => Just(1e-43f32), 1 => Just(0.0f32)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Scores are the exact ones, order and ties too; and no row is there twice.
    #[test]
    fn an_answer_is_the_best_of_some_rows_whatever_their_sizes(
        rows in prop::collection::vec((prop::collection::vec(-3i8..4, 3), factor()), 0..300),
        query in (prop::collection::vec(-3i8..4, 3), factor()),
        metric in prop::sample::select(Metric::ALL),
        k in 1usize..20,
        ef in 1usize..20,
    ) {
        let vector = |(numbers, factor): &(Vec<i8>, f32)| -> Vec<f32> {
            numbers.iter().map(|x| f32::from(*x) * factor).collect()
        };
        let vectors = Vectors::new(3, rows.iter().flat_map(vector).collect()).unwrap();
        let query = Vectors::new(3, vector(&query)).unwrap();
        let params = HnswParams { m: 3, ef_construction: 5, ef, seed: 1 };
        let (index, notes) =
            HnswIndex::builder(metric, vectors.clone()).params(params).build(&()).unwrap();
        prop_assert_eq!(notes.unreachable_rows_left, 0);
        let found = index.search(&query, k).unwrap().remove(0);
        prop_assert_eq!(found.len(), k.min(rows.len()));
        for near in &found {
            let score = metric.score(query.row(0), vectors.row(near.row as usize));
            prop_assert_eq!(near.score.to_bits(), score.to_bits());
        }
        for pair in found.windows(2) {
            let tie = pair[0].score == pair[1].score && pair[0].row < pair[1].row;
            prop_assert!(pair[0].score > pair[1].score || tie);
        }
    }
}
