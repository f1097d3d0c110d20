//! MaxSim as its users see it: ids, ties, runs, two stages.

#![allow(clippy::unwrap_used)]

use mrmr_core::RankingPolicy;
use mrmr_search::{
    ExactIndex, MaxSimIndex, Metric, MultiVectorIndex, MultiVectorQueries, MultiVectors, Neighbour,
    Pooling, Restriction, Retriever, TwoStage, Vectors,
};

/// Items that look random, in a few clusters.
fn items(count: usize, dimension: usize, seed: usize) -> MultiVectors {
    let (mut data, mut offsets) = (Vec::new(), vec![0]);
    let number = |i: usize| ((i * 7919 + 13) % 1009) as f32 / 504.5 - 1.0;
    for item in 0..count {
        let length = (item * 5 + seed) % 9;
        for vector in 0..length {
            let place = (item * 31 + vector * 17 + seed) * dimension;
            let centre = item % 4 * 100;
            data.extend((0..dimension).map(|c| number(centre + c) + number(place + c)));
        }
        offsets.push(offsets[item] + length);
    }
    MultiVectors::new(dimension, data, offsets).unwrap()
}

fn rows(found: &[Neighbour]) -> Vec<u32> {
    found.iter().map(|neighbour| neighbour.row).collect()
}

#[test]
fn equal_documents_go_by_the_larger_id_and_empty_ones_are_never_returned() {
    let documents = MultiVectors::new(1, vec![1.0, 1.0, 2.0], vec![0, 1, 1, 2, 3]).unwrap();
    let ids = ["b", "z", "c", "a"].into_iter().collect();
    let (index, notes) = MaxSimIndex::builder(documents).ids(ids).build().unwrap();
    assert_eq!(notes.warnings().len(), 1);
    let queries = MultiVectors::new(1, vec![1.0], vec![0, 1, 1]).unwrap();
    let found = index.search(&queries, 2).unwrap();
    assert_eq!((rows(&found[0]), rows(&found[1])), (vec![2, 0], vec![2, 0]));
    assert_eq!((found[0][0].score, found[1][0].score), (1.0, 0.0));
    assert_eq!(rows(&index.search(&queries, 99).unwrap()[0]), [2, 0, 3]);
}

#[test]
fn what_does_not_fit_is_refused() {
    let documents = || MultiVectors::new(2, vec![1.0, 0.0], vec![0, 1]).unwrap();
    let euclidean = MaxSimIndex::builder(documents()).metric(Metric::Euclidean);
    assert!(euclidean.build().is_err());
    let two = ["a", "b"].into_iter().collect();
    assert!(MaxSimIndex::builder(documents()).ids(two).build().is_err());
    let (index, _) = MaxSimIndex::builder(documents()).build().unwrap();
    assert!(index.search(&documents(), 0).is_err());
    let other = MultiVectors::new(1, vec![1.0], vec![0, 1]).unwrap();
    assert!(index.search(&other, 1).is_err());
    let single = Vectors::new(2, vec![1.0; 4]).unwrap();
    let (single, _) = ExactIndex::builder(Metric::Cosine, single).build().unwrap();
    assert!(TwoStage::by_index(index, Box::new(single), 5).is_err());
    let (index, _) = MaxSimIndex::builder(documents()).build().unwrap();
    assert!(TwoStage::by_means(index, 0).is_err());
}

#[test]
fn a_run_has_every_query_and_the_ranking_of_the_search() {
    let documents = MultiVectors::new(2, vec![1.0, 0.0, 0.0, 1.0], vec![0, 1, 2]).unwrap();
    let ids = ["east", "north"].into_iter().collect();
    let (index, _) = MaxSimIndex::builder(documents).ids(ids).build().unwrap();
    let vectors = MultiVectors::new(2, vec![0.0, 1.0, 0.0, 1.0], vec![0, 1, 2]).unwrap();
    let only_east = Restriction {
        candidates: Some(vec!["east".into()]),
        excluded: Vec::new(),
    };
    let queries = MultiVectorQueries::new(["q1", "q2"].into_iter().collect(), vectors).unwrap();
    let queries = queries
        .with_restrictions(vec![Restriction::default(), only_east])
        .unwrap();
    let run = index.retrieve("maxsim", &queries, 10, &()).unwrap();
    let order = |query: &str| -> Vec<&str> {
        let query = run.queries().get(query).unwrap();
        let ranking = run.ranking(query, RankingPolicy::default());
        let entries = ranking.entries().iter();
        entries
            .map(|entry| run.documents().name(entry.document))
            .collect()
    };
    assert_eq!(
        (order("q1"), order("q2")),
        (vec!["north", "east"], vec!["east"])
    );
}

#[test]
fn two_stages_with_all_candidates_find_what_exact_search_finds() {
    let (documents, queries) = (items(60, 6, 3), items(12, 6, 7));
    let exact = || MaxSimIndex::builder(documents.clone()).build().unwrap().0;
    let truth = exact().search(&queries, 5).unwrap();
    let stages = [
        TwoStage::by_means(exact(), 60).unwrap(),
        TwoStage::by_pooled(exact(), 3, Pooling::Hierarchical, 60).unwrap(),
        TwoStage::by_pooled(exact(), 2, Pooling::Sequential, 60).unwrap(),
    ];
    for mut index in stages {
        assert_eq!(index.search(&queries, 5).unwrap(), truth);
        let all = index.recalls(&queries, 5).unwrap();
        assert!(all.iter().all(|recall| *recall == 1.0));
        // As many candidates as are wanted: some are missed, and none has another score.
        index.set_effort(1).unwrap();
        assert_eq!((index.effort_name(), index.effort()), ("candidates", 1));
        let few = index.recalls(&queries, 5).unwrap();
        assert!(few.iter().sum::<f64>() < all.iter().sum::<f64>());
        assert!(few.iter().sum::<f64>() > 0.0);
        let found = index.search(&queries, 5).unwrap();
        for (query, found) in queries.items().zip(found) {
            assert_eq!(found.len(), 5);
            for neighbour in found {
                let score = index.exact().score(query, neighbour.row as usize);
                assert_eq!(score, Some(neighbour.score));
            }
        }
    }
}
