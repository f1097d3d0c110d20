//! Documents made to mislead a first pass, in every set of instructions, against all scores in 64 bits.

use super::index::MultiVectorIndex;
use super::max_sim::MaxSimIndex;
use super::multi_vectors::MultiVectors;
use crate::filter::Filter;
use crate::kernels::{Kernels, greatest};
use crate::metric::Metric;
use crate::top_k::{Neighbour, Precedence, TopK};

/// Numbers between -1 and 1 that look random and are the same everywhere.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f32 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 40) as f32 / (1 << 23) as f32 - 1.0
    }

    /// Items of the given lengths in turn.
    fn items(
        &mut self,
        count: usize,
        lengths: &[usize],
        dimension: usize,
        of: impl Fn(usize, usize, f32) -> f32,
    ) -> MultiVectors {
        let (mut data, mut offsets) = (Vec::new(), vec![0]);
        for item in 0..count {
            let length = lengths[item % lengths.len()];
            let start = offsets[item];
            for vector in start..start + length {
                data.extend((0..dimension).map(|column| of(vector, column, self.next())));
            }
            offsets.push(start + length);
        }
        MultiVectors::new(dimension, data, offsets).unwrap()
    }
}

/// MaxSim by its definition.
fn score(metric: Metric, query: &[f32], document: &[f32], dimension: usize) -> f64 {
    let mut sum = 0.0;
    for left in query.chunks_exact(dimension) {
        let scores = document
            .chunks_exact(dimension)
            .map(|right| metric.score(left, right));
        sum += scores.max_by(f64::total_cmp).unwrap();
    }
    sum
}

fn reference(
    metric: Metric,
    documents: &MultiVectors,
    query: &[f32],
    k: usize,
    may: impl Fn(u32) -> bool,
) -> Vec<Neighbour> {
    let mut top = TopK::new(k, &Precedence::Rows);
    for (row, document) in documents.items().enumerate() {
        if !document.is_empty() && may(row as u32) {
            let score = score(metric, query, document, documents.dimension());
            top.offer(row as u32, score);
        }
    }
    top.into_sorted()
}

/// Searches in every set of instructions, several numbers of threads and batches.
fn check(documents: &MultiVectors, queries: &MultiVectors, ks: &[usize]) {
    for metric in [Metric::Cosine, Metric::Dot] {
        let builder = MaxSimIndex::builder(documents.clone()).metric(metric);
        let (mut index, _) = builder.build().unwrap();
        for k in ks {
            let answer = |query| reference(metric, documents, query, *k, |_| true);
            let expected: Vec<_> = queries.items().map(answer).collect();
            let instructions = Kernels::available().zip(greatest::available());
            for ((name, kernels), (other, raise)) in instructions {
                assert_eq!(name, other);
                (index.kernels, index.raise) = (kernels, raise);
                for (threads, batch) in [(1, 1), (3, 2), (3, queries.len().max(1))] {
                    let pool = rayon::ThreadPoolBuilder::new()
                        .num_threads(threads)
                        .build()
                        .unwrap();
                    let starts = (0..queries.len()).step_by(batch);
                    let batches =
                        starts.map(|first| queries.slice(first..queries.len().min(first + batch)));
                    let found: Vec<_> = batches
                        .flat_map(|batch| pool.install(|| index.search(&batch, *k).unwrap()))
                        .collect();
                    assert!(
                        found == expected,
                        "{metric}, k {k}, {name}, {threads} threads, batches of {batch}"
                    );
                }
            }
        }
        // Without codes: every score in 64 bits.
        index.coded = None;
        let answer = |query| reference(metric, documents, query, ks[0], |_| true);
        let expected: Vec<_> = queries.items().map(answer).collect();
        assert_eq!(index.search(queries, ks[0]).unwrap(), expected);
    }
}

const LENGTHS: &[usize] = &[3, 17, 1, 40, 0, 16, 5, 31];
const QUERY_LENGTHS: &[usize] = &[4, 0, 33, 1, 129, 16];

#[test]
fn documents_and_queries_of_any_length() {
    let mut noise = Noise(1);
    let same = |_, _, x| x;
    check(
        &noise.items(80, LENGTHS, 12, same),
        &noise.items(7, QUERY_LENGTHS, 12, same),
        &[1, 10, 1000],
    );
    check(
        &noise.items(40, &[1], 3, same),
        &noise.items(9, &[1, 2], 3, same),
        &[1, 5],
    );
    check(
        &noise.items(6, &[0], 3, same),
        &noise.items(3, &[2, 0], 3, same),
        &[2],
    );
    check(
        &noise.items(0, &[1], 3, same),
        &noise.items(3, &[2, 0], 3, same),
        &[2],
    );
    check(
        &noise.items(5, &[2], 3, same),
        &noise.items(0, &[1], 3, same),
        &[2],
    );
}

#[test]
fn a_few_columns_far_larger_than_the_others() {
    let mut noise = Noise(2);
    let outlier = |_, column, x| if column % 17 == 3 { x * 1000.0 } else { x };
    check(
        &noise.items(50, LENGTHS, 40, outlier),
        &noise.items(5, QUERY_LENGTHS, 40, outlier),
        &[1, 10],
    );
}

#[test]
fn vectors_that_differ_below_32_bits() {
    let mut noise = Noise(3);
    let near = |row: usize, column, x: f32| {
        let base = ((column * 37 % 19) as f32 - 9.0) / 7.0;
        let step = if row.is_multiple_of(3) { 0.0 } else { x * 1e-7 };
        base * (1.0 + step)
    };
    check(
        &noise.items(40, LENGTHS, 33, near),
        &noise.items(5, QUERY_LENGTHS, 33, near),
        &[1, 20],
    );
}

#[test]
fn vectors_of_huge_and_tiny_norms_and_zero_vectors() {
    let mut noise = Noise(4);
    let sizes = [
        1.0, 1e-44, 1e-38, 1e-20, 1e-10, 1e-3, 1e6, 1e14, 1e17, 1e30, 3e38, 0.0,
    ];
    let sized = |row: usize, _, x: f32| x * sizes[row * 7 % sizes.len()];
    check(
        &noise.items(80, LENGTHS, 12, sized),
        &noise.items(12, &[1, 2, 5], 12, sized),
        &[1, 10],
    );
    let zero = |_, _, _| 0.0;
    check(
        &noise.items(20, &[1, 2], 4, sized),
        &noise.items(2, &[3], 4, zero),
        &[3],
    );
    check(
        &noise.items(20, &[1, 2], 4, zero),
        &noise.items(2, &[3], 4, sized),
        &[3],
    );
}

#[test]
fn vectors_far_from_the_origin_and_thousands_of_columns() {
    let mut noise = Noise(5);
    let stretched = |_, column: usize, x: f32| 100.0 + x / (1 + column * column) as f32;
    check(
        &noise.items(40, LENGTHS, 24, stretched),
        &noise.items(5, QUERY_LENGTHS, 24, stretched),
        &[1, 10],
    );
    let same = |_, _, x| x;
    check(
        &noise.items(9, &[2, 3], 2051, same),
        &noise.items(2, &[2], 2051, same),
        &[1, 4],
    );
}

#[test]
fn a_query_longer_than_codes_allow_is_scored_in_64_bits() {
    let documents = Noise(6).items(30, LENGTHS, 3, |_, _, x| x);
    let huge = MultiVectors::new(3, vec![3e38, 2e38, -1e38, 1.0, 0.0, 0.0], vec![0, 2]).unwrap();
    check(&documents, &huge, &[1, 5]);
}

#[test]
fn filters_let_through_what_they_name_and_nothing_without_vectors() {
    let mut noise = Noise(7);
    let documents = noise.items(60, LENGTHS, 8, |_, _, x| x);
    let queries = noise.items(4, &[5, 0], 8, |_, _, x| x);
    let (index, notes) = MaxSimIndex::builder(documents.clone()).build().unwrap();
    assert_eq!(
        (notes.empty_documents, notes.first_empty_document),
        (7, Some(4))
    );
    let filters = [
        Filter::only([4, 7, 9, 12, 59]),
        Filter::default().without([3, 5]),
        Filter::only([]),
        Filter::only([1, 2]).without([2]),
    ];
    let found = index.search_filtered(&queries, 3, &filters).unwrap();
    for ((query, filter), found) in queries.items().zip(&filters).zip(found) {
        let may = |row| {
            let among = filter.candidates().is_none_or(|rows| rows.contains(&row));
            among && !filter.excludes(row)
        };
        assert_eq!(found, reference(Metric::Cosine, &documents, query, 3, may));
    }
}

mod every_score {
    use super::*;
    use proptest::prelude::*;

    fn items(dimension: usize, most: usize) -> impl Strategy<Value = MultiVectors> {
        let lengths = prop::collection::vec(0..most, 1..20);
        lengths.prop_flat_map(move |lengths| {
            let total: usize = lengths.iter().sum();
            // Few values, so that there are ties.
            let number = prop_oneof![-1.0f32..1.0, Just(0.5f32), Just(0.0f32)];
            prop::collection::vec(number, total * dimension).prop_map(move |data| {
                let mut offsets = vec![0];
                for length in &lengths {
                    offsets.push(offsets[offsets.len() - 1] + length);
                }
                MultiVectors::new(dimension, data, offsets).unwrap()
            })
        })
    }

    proptest! {
        #[test]
        fn the_best_are_those_of_all_scores(
            (documents, queries) in (1usize..9).prop_flat_map(|d| (items(d, 40), items(d, 9))),
            k in 1usize..25,
            metric in prop_oneof![Just(Metric::Cosine), Just(Metric::Dot)],
        ) {
            let builder = MaxSimIndex::builder(documents.clone()).metric(metric);
            let (index, _) = builder.build().unwrap();
            let found = index.search(&queries, k).unwrap();
            for (query, found) in queries.items().zip(found) {
                prop_assert_eq!(&found, &reference(metric, &documents, query, k, |_| true));
                for neighbour in found {
                    let again = index.score(query, neighbour.row as usize);
                    prop_assert_eq!(again, Some(neighbour.score));
                }
            }
        }
    }
}
