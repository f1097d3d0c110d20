//! Lists and codes against the exact index.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use mrmr_core::{DocId, Ids, Result};
use mrmr_search::{
    Approximate, ExactIndex, Filter, Index, IvfIndex, IvfParams, Metric, Neighbour, PqIndex,
    PqParams, Vectors,
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

/// Rows around 20 centres.
fn clustered(rows: usize, dimension: usize, seed: u64) -> Vectors {
    let centres = noise(20 * dimension, 99);
    let mut numbers = noise(rows * dimension, seed);
    for (place, x) in numbers.iter_mut().enumerate() {
        let (row, column) = (place / dimension, place % dimension);
        *x = centres[row % 20 * dimension + column] + *x * 0.4;
    }
    Vectors::new(dimension, numbers).unwrap()
}

fn ivf(metric: Metric, rows: &Vectors, lists: usize, probes: usize) -> IvfIndex {
    let params = IvfParams {
        lists: Some(lists),
        probes,
        seed: 5,
    };
    let builder = IvfIndex::builder(metric, rows.clone()).params(params);
    builder.build(&()).unwrap().0
}

fn pq(metric: Metric, rows: &Vectors, segments: usize, rescored: usize) -> PqIndex {
    let params = PqParams {
        segments: Some(segments),
        rescored,
        seed: 5,
    };
    let builder = PqIndex::builder(metric, rows.clone()).params(params);
    builder.build(&()).unwrap().0
}

fn exact(metric: Metric, rows: &Vectors) -> ExactIndex {
    ExactIndex::builder(metric, rows.clone()).build().unwrap().0
}

fn recall(found: &[Vec<Neighbour>], truth: &[Vec<Neighbour>]) -> f64 {
    let (mut hits, mut all) = (0, 0);
    for (found, truth) in found.iter().zip(truth) {
        let rows: Vec<u32> = found.iter().map(|neighbour| neighbour.row).collect();
        hits += truth
            .iter()
            .filter(|neighbour| rows.contains(&neighbour.row))
            .count();
        all += truth.len();
    }
    hits as f64 / all as f64
}

#[test]
fn a_few_lists_or_scores_find_most_neighbours_of_rows_in_clusters() {
    let (rows, queries) = (clustered(2000, 24, 1), clustered(40, 24, 2));
    for metric in Metric::ALL {
        let truth = exact(*metric, &rows).search(&queries, 10).unwrap();
        let lists = ivf(*metric, &rows, 40, 6).search(&queries, 10).unwrap();
        assert!(
            recall(&lists, &truth) > 0.9,
            "{metric}: {}",
            recall(&lists, &truth)
        );
        let codes = pq(*metric, &rows, 6, 60).search(&queries, 10).unwrap();
        assert!(
            recall(&codes, &truth) > 0.9,
            "{metric}: {}",
            recall(&codes, &truth)
        );
        let alone = pq(*metric, &rows, 12, 0).search(&queries, 10).unwrap();
        assert!(
            recall(&alone, &truth) > 0.5,
            "{metric}: {}",
            recall(&alone, &truth)
        );
    }
}

#[test]
fn answers_are_the_same_for_any_number_of_threads_and_batch() {
    let (rows, queries) = (clustered(700, 10, 3), clustered(21, 10, 4));
    for metric in Metric::ALL {
        let mut expected: Option<Vec<Vec<Vec<Neighbour>>>> = None;
        for threads in [1, 2, 3] {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| {
                let indexes: [Box<dyn Index>; 3] = [
                    Box::new(ivf(*metric, &rows, 30, 3)),
                    Box::new(pq(*metric, &rows, 3, 20)),
                    Box::new(pq(*metric, &rows, 4, 0)),
                ];
                for batch in [1, 4, 21] {
                    let found = indexes.iter().map(|index| {
                        let starts = (0..queries.len()).step_by(batch);
                        let batches =
                            starts.map(|n| queries.slice(n..queries.len().min(n + batch)));
                        batches
                            .flat_map(|batch| index.search(&batch, 7).unwrap())
                            .collect()
                    });
                    let found: Vec<Vec<Vec<Neighbour>>> = found.collect();
                    assert!(
                        *expected.get_or_insert(found.clone()) == found,
                        "{metric} {threads} {batch}"
                    );
                }
            });
        }
    }
}

#[test]
fn further_lists_are_looked_through_until_there_are_k_rows() {
    let rows = clustered(200, 8, 5);
    let queries = clustered(5, 8, 6);
    for metric in Metric::ALL {
        let index = ivf(*metric, &rows, 50, 1);
        let filter = Filter::default().without(0..150);
        let filters = vec![filter; 5];
        for k in [1, 30, 50, 51, 1000] {
            for found in index.search_filtered(&queries, k, &filters).unwrap() {
                assert_eq!(found.len(), k.min(50));
                assert!(found.iter().all(|neighbour| neighbour.row >= 150));
            }
        }
        let only = vec![Filter::only([3, 9, 4]).without([9]); 5];
        let truth = exact(*metric, &rows)
            .search_filtered(&queries, 9, &only)
            .unwrap();
        assert_eq!(index.search_filtered(&queries, 9, &only).unwrap(), truth);
        let index = pq(*metric, &rows, 2, 5);
        assert_eq!(index.search_filtered(&queries, 9, &only).unwrap(), truth);
        assert_eq!(
            index.search_filtered(&queries, 60, &filters).unwrap()[0].len(),
            50
        );
    }
}

/// A number of a few values, so that rows repeat, or of any size.
fn number() -> impl Strategy<Value = f32> {
    prop_oneof![
        4 => (-2i8..3).prop_map(f32::from),
        2 => -1.0f32..1.0,
        1 => prop::sample::select(&[0.0f32, 1e37, 1e-38, 1e-43, 3e5][..]),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn with_all_lists_or_all_scores_the_answer_is_the_exact_one(
        (dimension, rows, queries) in (1usize..9, 0usize..80, 0usize..5).prop_flat_map(|(dimension, rows, queries)| (
            Just(dimension),
            prop::collection::vec(number(), dimension * rows),
            prop::collection::vec(number(), dimension * queries),
        )),
        metric in prop::sample::select(Metric::ALL),
        lists in 1usize..100,
        k in prop_oneof![1usize..8, Just(1000)],
        excluded in prop::collection::vec(0u32..100, 0..4),
    ) {
        let rows = Vectors::new(dimension, rows).unwrap();
        let queries = Vectors::new(dimension, queries).unwrap();
        let ids: Ids<DocId> = (0..rows.len()).map(|row| format!("d{row}")).collect();
        let filters = vec![Filter::default().without(excluded); queries.len()];
        let index = ExactIndex::builder(metric, rows.clone()).ids(ids.clone()).build().unwrap().0;
        let truth = index.search_filtered(&queries, k, &filters).unwrap();

        let params = IvfParams { lists: Some(lists), probes: lists, seed: 1 };
        let builder = IvfIndex::builder(metric, rows.clone()).ids(ids.clone()).params(params);
        let found = builder.build(&()).unwrap().0.search_filtered(&queries, k, &filters).unwrap();
        prop_assert_eq!(&found, &truth);

        let params = PqParams { segments: None, rescored: 1000, seed: 1 };
        let builder = PqIndex::builder(metric, rows.clone()).ids(ids).params(params);
        let mut index = builder.build(&()).unwrap().0;
        let found = index.search_filtered(&queries, k, &filters).unwrap();
        prop_assert_eq!(&found, &truth);
        index.set_effort(0).unwrap();
        let found = index.search_filtered(&queries, k, &filters).unwrap();
        for (found, truth) in found.iter().zip(&truth) {
            prop_assert_eq!(found.len(), truth.len());
            prop_assert!(found.iter().all(|neighbour| !neighbour.score.is_nan()));
        }
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let rows = clustered(10, 6, 1);
    let none = IvfParams {
        probes: 0,
        ..IvfParams::default()
    };
    let error = IvfIndex::builder(Metric::Dot, rows.clone())
        .params(none)
        .build(&());
    assert_eq!(
        error.err().unwrap().to_string(),
        "probes is 0; expected at least 1"
    );
    let many = PqParams {
        segments: Some(7),
        ..PqParams::default()
    };
    let error = PqIndex::builder(Metric::Dot, rows.clone())
        .params(many)
        .build(&());
    assert_eq!(
        error.err().unwrap().to_string(),
        "segments is 7; expected 1 to 6 for vectors of 6 dimensions"
    );
    let mut index = ivf(Metric::Dot, &rows, 3, 1);
    assert!(index.set_effort(0).is_err());
    assert!(index.search(&rows, 0).is_err());
    assert!(pq(Metric::Dot, &rows, 3, 1).search(&rows, 0).is_err());
}

/// Whatever is done to a file, opening it is an error, and the right one gives the same answers.
fn check_file<I: Index>(
    index: &I,
    rows: &Vectors,
    save: impl Fn(&Path),
    open: impl Fn(&Path, Metric, Vectors) -> Result<I>,
) {
    let folder = tempfile::tempdir().unwrap();
    let (path, broken) = (folder.path().join("index"), folder.path().join("broken"));
    save(&path);
    let opened = open(&path, Metric::Cosine, rows.clone()).unwrap();
    assert_eq!(
        opened.search(rows, 4).unwrap(),
        index.search(rows, 4).unwrap()
    );

    let message =
        |metric, rows: &Vectors| open(&path, metric, rows.clone()).err().unwrap().to_string();
    assert!(message(Metric::Dot, rows).contains("metric cosine; expected dot"));
    assert!(message(Metric::Cosine, &rows.slice(1..rows.len())).contains("vectors of"));
    let mut other = rows.as_slice().to_vec();
    other[0] += 1.0;
    let other = Vectors::new(rows.dimension(), other).unwrap();
    assert!(message(Metric::Cosine, &other).contains("other vectors"));

    let bytes = std::fs::read(&path).unwrap();
    let refused = |bytes: &[u8]| {
        std::fs::write(&broken, bytes).unwrap();
        open(&broken, Metric::Cosine, rows.clone())
            .err()
            .unwrap()
            .to_string()
    };
    for length in 0..bytes.len() {
        refused(&bytes[..length]);
    }
    for place in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[place] ^= 1;
        let message = refused(&changed);
        match place {
            0..8 => assert!(message.contains("this is no index of"), "{message}"),
            8..12 => assert!(message.contains("reads format 1"), "{message}"),
            _ => {}
        }
    }
}

#[test]
fn a_file_gives_the_same_answers_and_a_broken_or_foreign_one_an_error() {
    let rows = clustered(9, 2, 7);
    let index = ivf(Metric::Cosine, &rows, 2, 1);
    let open = |path: &Path, metric, rows| IvfIndex::open(path, metric, rows, None);
    check_file(&index, &rows, |path| index.save(path).unwrap(), open);
    let index = pq(Metric::Cosine, &rows, 1, 3);
    let open = |path: &Path, metric, rows| PqIndex::open(path, metric, rows, None);
    check_file(&index, &rows, |path| index.save(path).unwrap(), open);
}
