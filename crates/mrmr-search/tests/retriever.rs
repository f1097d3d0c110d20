//! Queries to runs: every query is there, the order is that of the ranking, progress is told.

#![allow(clippy::unwrap_used)]

use std::sync::Mutex;

use mrmr_core::{Event, Observer, RankingPolicy, Run};
use mrmr_search::{
    Analyzer, Bm25Index, Bm25Params, ExactIndex, Metric, Restriction, Retriever, TextQueries,
    VectorQueries, Vectors,
};

#[derive(Default)]
struct Log(Mutex<Vec<String>>);

impl Observer for Log {
    fn observe(&self, event: Event<'_>) {
        self.0.lock().unwrap().push(match event {
            Event::StepStarted {
                name, total, unit, ..
            } => format!("{name}: {total:?} {unit}"),
            Event::Advanced(units) => format!("+{units}"),
            Event::StepFinished => "done".into(),
            Event::Warning(text) => format!("warning: {text}"),
            _ => "?".into(),
        });
    }
}

fn bm25() -> Bm25Index {
    let mut builder = Bm25Index::builder(Bm25Params::default(), Analyzer::Whitespace);
    for (id, text) in [("d1", "a b"), ("d2", "a c"), ("d3", "c d")] {
        builder.add(id, text).unwrap();
    }
    builder.build()
}

fn order<'a>(run: &'a Run, query: &str) -> Vec<&'a str> {
    let ranking = run.ranking(run.queries().get(query).unwrap(), RankingPolicy::default());
    ranking
        .entries()
        .iter()
        .map(|entry| run.documents().name(entry.document))
        .collect()
}

#[test]
fn every_query_is_in_the_run_and_its_ranking_is_that_of_the_search() {
    let mut queries = TextQueries::new();
    queries.push("q1", "a").unwrap();
    queries.push("q2", "nothing").unwrap();
    let only = Restriction {
        candidates: Some(vec!["d3".into(), "d1".into()]),
        excluded: vec!["unknown".into()],
    };
    queries.push_restricted("q3", "a", only).unwrap();
    assert!(queries.push("q1", "again").is_err());
    let log = Log::default();
    let run = bm25().retrieve("bm25", &queries, 10, &log).unwrap();
    assert_eq!(run.name(), "bm25");
    assert_eq!(order(&run, "q1"), ["d2", "d1"]);
    assert_eq!(order(&run, "q2"), [""; 0]);
    assert_eq!(order(&run, "q3"), ["d1", "d3"]);
    assert_eq!(
        *log.0.lock().unwrap(),
        ["search: Some(3) queries", "+3", "done"]
    );
}

#[test]
fn a_candidate_that_is_no_document_is_an_error_that_names_the_query() {
    let mut queries = TextQueries::new();
    let restriction = Restriction {
        candidates: Some(vec!["d9".into()]),
        excluded: Vec::new(),
    };
    queries.push_restricted("q1", "a", restriction).unwrap();
    let error = bm25().retrieve("bm25", &queries, 10, &()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "queries: q1: candidate 'd9' is not among the documents"
    );
}

#[test]
fn no_queries_make_an_empty_run() {
    let run = bm25()
        .retrieve("bm25", &TextQueries::new(), 10, &())
        .unwrap();
    assert_eq!((run.queries().len(), run.len()), (0, 0));
    assert!(
        bm25()
            .retrieve("bm25", &TextQueries::new(), 0, &())
            .is_err()
    );
}

#[test]
fn vectors_make_a_run_in_batches_and_zero_queries_are_told() {
    let rows = Vectors::new(1, vec![1.0, 2.0, 2.0]).unwrap();
    let builder = ExactIndex::builder(Metric::Dot, rows.clone());
    let (index, _) = builder
        .ids(["a", "b", "c"].into_iter().collect())
        .build()
        .unwrap();
    let numbers: Vec<f32> = (0..300).map(|number| number as f32).collect();
    let ids = (0..300).map(|number| format!("q{number}")).collect();
    let queries = VectorQueries::new(ids, Vectors::new(1, numbers).unwrap()).unwrap();
    let log = Log::default();
    let run = index.retrieve("exact", &queries, 2, &log).unwrap();
    assert_eq!((run.queries().len(), run.len()), (300, 600));
    assert_eq!(order(&run, "q299"), ["c", "b"]);
    assert_eq!(
        *log.0.lock().unwrap(),
        [
            "warning: 1 query is a zero vector: nothing tells its documents apart by direction",
            "search: Some(300) queries",
            "+256",
            "+44",
            "done",
        ]
    );
    let (nameless, _) = ExactIndex::builder(Metric::Dot, rows).build().unwrap();
    let error = nameless.retrieve("exact", &queries, 2, &()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the index has rows without ids; a run needs document ids"
    );
}
