//! Blocks of any size against an index of the whole.

use mrmr_core::Ids;
use mrmr_formats::vectors::{VectorBlocks, VectorOptions};
use proptest::prelude::*;

use super::*;
use crate::filter::Restriction;
use crate::index::Index;
use crate::retriever::Retriever;

#[derive(Clone, Debug)]
struct Case {
    dimension: usize,
    rows: Vec<f32>,
    queries: Vec<f32>,
    k: usize,
    block: usize,
    excluded: Vec<usize>,
    candidates: Vec<usize>,
}

/// A few values, so that rows repeat, with one column far larger than the others.
fn numbers(dimension: usize, rows: usize) -> impl Strategy<Value = Vec<f32>> {
    let number = prop_oneof![3 => (-2i8..3).prop_map(f32::from), 2 => -1.0f32..1.0];
    prop::collection::vec(number, dimension * rows).prop_map(move |mut numbers| {
        for row in numbers.chunks_exact_mut(dimension) {
            row[0] *= if dimension > 17 { 300.0 } else { 1.0 };
        }
        numbers
    })
}

fn case() -> impl Strategy<Value = Case> {
    let sizes = (prop_oneof![1usize..8, 18usize..24], 0usize..120, 1usize..6);
    sizes.prop_flat_map(|(dimension, rows, queries)| {
        (
            numbers(dimension, rows),
            numbers(dimension, queries),
            1usize..30,
            1usize..130,
            prop::collection::vec(0..rows.max(1), 0..5),
            prop::collection::vec(0..rows.max(1), 0..9),
        )
            .prop_map(
                move |(rows, queries, k, block, excluded, candidates)| Case {
                    dimension,
                    rows,
                    queries,
                    k,
                    block,
                    excluded,
                    candidates,
                },
            )
    })
}

fn id(row: usize) -> String {
    format!("d{}", row * 7919 % 1009)
}

impl Case {
    fn rows(&self) -> Vectors {
        Vectors::new(self.dimension, self.rows.clone()).unwrap()
    }

    /// The first query names its candidates, the others exclude some rows, one of them unknown.
    fn queries(&self, restricted: bool) -> VectorQueries {
        let vectors = Vectors::new(self.dimension, self.queries.clone()).unwrap();
        let count = vectors.len();
        let ids = (0..count).map(|query| format!("q{query}")).collect();
        let queries = VectorQueries::new(ids, vectors).unwrap();
        if !restricted || self.rows.is_empty() {
            return queries;
        }
        let mut excluded: Vec<String> = self.excluded.iter().map(|row| id(*row)).collect();
        excluded.push("nowhere".to_owned());
        let restriction = |query: usize| Restriction {
            candidates: (query == 0).then(|| self.candidates.iter().map(|row| id(*row)).collect()),
            excluded: excluded.clone(),
        };
        queries
            .with_restrictions((0..count).map(restriction).collect())
            .unwrap()
    }

    fn scan(&self, metric: Metric, with_ids: bool, coded: bool) -> Scanned {
        let mut scan = ExactScan::new(metric, self.queries(with_ids), self.k).unwrap();
        scan.coded = Some(coded);
        let rows = self.rows();
        let ids: Vec<String> = (0..rows.len()).map(id).collect();
        for first in (0..rows.len()).step_by(self.block) {
            let block = first..rows.len().min(first + self.block);
            let ids = with_ids.then(|| &ids[block.clone()]);
            scan.add(rows.slice(block), ids).unwrap();
        }
        scan.finish().unwrap()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn blocks_of_any_size_and_threads_of_any_number_give_what_an_index_of_the_whole_gives(case in case()) {
        let pool = |threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let pools = [pool(1), pool(3)];
        for metric in Metric::ALL {
            let (index, notes) = ExactIndex::builder(*metric, case.rows()).build().unwrap();
            let expected = index.search(case.queries(false).vectors(), case.k).unwrap();
            let ids = (0..index.len()).map(id).collect::<Ids<DocId>>();
            let (named, _) = ExactIndex::builder(*metric, case.rows()).ids(ids).build().unwrap();
            let expected_run = named.retrieve("run", &case.queries(true), case.k, &()).unwrap();
            for (pool, coded) in pools.iter().zip([true, false]) {
                let found = pool.install(|| case.scan(*metric, false, coded));
                prop_assert_eq!(found.neighbours(), expected.clone());
                prop_assert_eq!(found.notes(), notes);
                let run = pool.install(|| case.scan(*metric, true, coded)).run("run").unwrap();
                for query in expected_run.queries().keys() {
                    let list = |run: &mrmr_core::Run| -> Vec<(String, f64)> {
                        let entries = run.entries(query).iter();
                        entries.map(|e| (run.documents().name(e.document).to_owned(), e.score)).collect()
                    };
                    prop_assert_eq!(list(&run), list(&expected_run));
                }
            }
        }
    }
}

fn fvecs(rows: &Vectors) -> Vec<u8> {
    let mut bytes = Vec::new();
    for row in rows.rows() {
        bytes.extend((row.len() as i32).to_le_bytes());
        bytes.extend(row.iter().flat_map(|x| x.to_le_bytes()));
    }
    bytes
}

#[test]
fn a_file_is_searched_as_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.fvecs");
    let numbers = |count: usize| (0..count).map(|x| (x * 7919 % 1009) as f32).collect();
    let rows = Vectors::new(7, numbers(7000)).unwrap();
    std::fs::write(&path, fvecs(&rows)).unwrap();
    let queries = || {
        let vectors = Vectors::new(7, numbers(70)).unwrap();
        VectorQueries::new((0..10).map(|query| query.to_string()).collect(), vectors).unwrap()
    };
    let ids: Vec<String> = (0..1000).map(|row| format!("{row}")).collect();
    let (index, _) = ExactIndex::builder(Metric::Cosine, rows)
        .ids(ids.iter().collect())
        .build()
        .unwrap();
    let expected = index.search(queries().vectors(), 5).unwrap();
    let open = || VectorBlocks::open(&path, &VectorOptions::default()).unwrap();
    for most in [1, 99, 4096] {
        let mut scan = ExactScan::new(Metric::Cosine, queries(), 5).unwrap();
        scan.add_file(&mut open(), most, Some(&ids), &()).unwrap();
        assert_eq!(scan.finish().unwrap().neighbours(), expected, "{most}");
    }
    let failed = |ids: &[String], path: &std::path::Path| {
        let mut scan = ExactScan::new(Metric::Cosine, queries(), 5).unwrap();
        let mut blocks = VectorBlocks::open(path, &VectorOptions::default()).unwrap();
        let error = scan.add_file(&mut blocks, 300, Some(ids), &()).unwrap_err();
        error.message().to_owned()
    };
    assert_eq!(
        failed(&ids[..999], &path),
        "expected an id for each of the vectors, found 999 ids for more of them"
    );
    let more: Vec<String> = (0..1001).map(|row| row.to_string()).collect();
    assert_eq!(
        failed(&more, &path),
        "expected an id for each of the 1000 vectors, found 1001 ids"
    );
    // What reading finds in a late block.
    let mut bytes = std::fs::read(&path).unwrap();
    let last = bytes.len() - 4;
    bytes[last..].copy_from_slice(&f32::NAN.to_le_bytes());
    let broken = folder.path().join("broken.fvecs");
    std::fs::write(&broken, bytes).unwrap();
    assert_eq!(
        failed(&ids, &broken),
        "expected finite numbers, found NaN in component 6"
    );
}

#[test]
fn what_does_not_fit_is_refused() {
    let one = || Vectors::new(1, vec![1.0]).unwrap();
    let queries = || VectorQueries::new(["q"].into_iter().collect(), one()).unwrap();
    assert!(ExactScan::new(Metric::Dot, queries(), 0).is_err());

    let restriction = Restriction {
        candidates: Some(vec!["a".to_owned(), "b".to_owned()]),
        excluded: Vec::new(),
    };
    let restricted = queries().with_restrictions(vec![restriction]).unwrap();
    let mut scan = ExactScan::new(Metric::Dot, restricted.clone(), 3).unwrap();
    scan.add(one(), Some(&["a"])).unwrap();
    let error = scan.finish().err().unwrap();
    assert_eq!(
        error.to_string(),
        "queries: q: candidate 'b' is not among the documents"
    );
    let mut scan = ExactScan::new(Metric::Dot, restricted, 3).unwrap();
    let error = scan.add(one(), None::<&[&str]>).unwrap_err();
    assert_eq!(
        error.to_string(),
        "queries are restricted to documents by id, but the rows have no ids"
    );

    let mut scan = ExactScan::new(Metric::Dot, queries(), 3).unwrap();
    scan.add(one(), None::<&[&str]>).unwrap();
    assert_eq!(
        scan.add(one(), Some(&["a"])).unwrap_err().to_string(),
        "some rows have ids, others have none"
    );
    let two = Vectors::new(2, vec![1.0, 2.0]).unwrap();
    assert!(scan.add(two, None::<&[&str]>).is_err());
    assert!(scan.finish().unwrap().run("x").is_err());
}
