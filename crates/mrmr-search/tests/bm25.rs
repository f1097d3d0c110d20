//! What BM25 does beyond the rankings of Lucene: ties, filters, settings, threads.

#![allow(clippy::unwrap_used)]

use mrmr_search::{
    Analysis, Analyzer, Bm25Index, Bm25Params, Filter, Neighbour, Norms, QueryWeighting, StopWords,
};
use proptest::prelude::*;

fn index(texts: &[(&str, &str)]) -> Bm25Index {
    let mut builder = Bm25Index::builder(Bm25Params::default(), Analyzer::Whitespace);
    for (id, text) in texts {
        builder.add(id, *text).unwrap();
    }
    builder.build()
}

fn ids<'a>(index: &'a Bm25Index, found: &[Neighbour]) -> Vec<&'a str> {
    found
        .iter()
        .map(|neighbour| index.id(neighbour.row))
        .collect()
}

#[test]
fn ties_at_the_cut_off_go_by_document_id_descending() {
    let index = index(&[("10", "a b"), ("9", "a c"), ("x", "a d"), ("y", "e f")]);
    let found = index.search("a", 2, &Filter::default()).unwrap();
    assert_eq!(ids(&index, &found), ["x", "9"]);
    assert_eq!(found[0].score, found[1].score);
}

#[test]
fn only_documents_with_a_term_of_the_query_are_found() {
    let index = index(&[("a", "x y"), ("b", ""), ("c", "z")]);
    assert_eq!(index.documents_without_terms(), 1);
    let found = index.search("x q", 100, &Filter::default()).unwrap();
    assert_eq!(ids(&index, &found), ["a"]);
    assert_eq!(index.search("", 100, &Filter::default()).unwrap(), []);
}

#[test]
fn all_candidates_come_back_those_without_a_term_of_the_query_with_0() {
    let index = index(&[("a", "x"), ("b", "y"), ("c", ""), ("d", "x x")]);
    let filter = Filter::only([0, 1, 2]);
    let found = index.search("x", 10, &filter).unwrap();
    assert_eq!(ids(&index, &found), ["a", "c", "b"]);
    assert_eq!((found[1].score, found[2].score), (0.0, 0.0));
}

#[test]
fn excluded_documents_are_not_found_and_take_no_place() {
    let index = index(&[("a", "x"), ("b", "x x"), ("c", "x x x")]);
    let found = index
        .search("x", 2, &Filter::default().without([2]))
        .unwrap();
    assert_eq!(ids(&index, &found), ["b", "a"]);
    let found = index
        .search("x", 2, &Filter::only([1, 2]).without([1]))
        .unwrap();
    assert_eq!(ids(&index, &found), ["c"]);
}

#[test]
fn a_repeated_document_id_is_refused() {
    let mut builder = Bm25Index::builder(Bm25Params::default(), Analyzer::Whitespace);
    builder.add("a", "x").unwrap();
    assert_eq!(
        builder.add("a", "y").unwrap_err().to_string(),
        "document 'a' is there twice, the first time as row 0; ids are unique"
    );
}

#[test]
fn a_search_for_nothing_is_refused() {
    let index = index(&[]);
    let error = index.search("x", 0, &Filter::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "k is 0; expected how many rows to find, at least 1"
    );
    assert_eq!(index.search("x", 1, &Filter::default()).unwrap(), []);
}

#[test]
fn explanations_add_up_to_the_score() {
    let index = index(&[("a", "x y y z"), ("b", "x"), ("c", "w")]);
    let found = index.search("x y x w", 1, &Filter::default()).unwrap();
    let terms = index.explain("x y x w", found[0].row).unwrap();
    let named: Vec<(&str, u32, usize, u32)> = terms
        .iter()
        .map(|t| {
            (
                t.term.as_str(),
                t.query_frequency,
                t.document_frequency,
                t.frequency,
            )
        })
        .collect();
    assert_eq!(named, [("x", 2, 2, 1), ("y", 1, 1, 2)]);
    let sum: f64 = terms.iter().map(|term| f64::from(term.score)).sum();
    assert_eq!(f64::from(sum as f32), found[0].score);
    assert!(index.explain("x", 3).is_err());
}

#[test]
fn other_settings_on_the_same_postings_are_like_a_new_index() {
    let texts = [("a", "x y y z"), ("b", "x x x x x x x x x x y"), ("c", "w")];
    let params = Bm25Params::new(2.0, 1.0, Norms::Exact).unwrap();
    let mut builder = Bm25Index::builder(params, Analyzer::Whitespace);
    for (id, text) in texts {
        builder.add(id, text).unwrap();
    }
    let search = |index: &Bm25Index| index.search("x y", 5, &Filter::default()).unwrap();
    let changed = index(&texts).with_params(params).unwrap();
    assert_eq!(search(&changed), search(&builder.build()));
    assert_ne!(search(&changed), search(&index(&texts)));
}

/// BM25 by its formula, in 64 bits.
fn formula(texts: &[String], query: &str, row: usize, k1: f64, b: f64) -> f64 {
    let words = |text: &str| {
        text.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let texts: Vec<Vec<String>> = texts.iter().map(|text| words(text)).collect();
    let n = texts.iter().filter(|text| !text.is_empty()).count() as f64;
    let average = texts.iter().map(Vec::len).sum::<usize>() as f64 / n;
    let terms = words(query).into_iter().map(|term| {
        let count = |text: &Vec<String>| text.iter().filter(|word| **word == term).count() as f64;
        let df = texts.iter().filter(|text| count(text) > 0.0).count() as f64;
        let frequency = count(&texts[row]);
        let norm = k1 * (1.0 - b + b * texts[row].len() as f64 / average);
        if frequency == 0.0 {
            return 0.0;
        }
        (1.0 + (n - df + 0.5) / (df + 0.5)).ln() * frequency / (frequency + norm)
    });
    terms.sum()
}

proptest! {
    #[test]
    fn scores_are_those_of_the_formula(
        texts in prop::collection::vec("[abcd ]{0,12}", 1..12),
        query in "[abcde ]{0,8}",
        k1 in 0.0f32..3.0,
        b in 0.0f32..=1.0,
    ) {
        let params = Bm25Params::new(k1, b, Norms::Exact).unwrap();
        let mut builder = Bm25Index::builder(params, Analyzer::Whitespace);
        for (row, text) in texts.iter().enumerate() {
            builder.add(&row.to_string(), text.as_str()).unwrap();
        }
        let index = builder.build();
        let found = index.search(&query, 100, &Filter::default()).unwrap();
        for row in 0..texts.len() {
            let expected = formula(&texts, &query, row, f64::from(k1), f64::from(b));
            let score = found.iter().find(|n| n.row as usize == row).map_or(0.0, |n| n.score);
            prop_assert!((score - expected).abs() <= 1e-5 * expected.max(0.1), "{score} {expected}");
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_index_and_answers() {
    let text = |row: usize| format!("w{} w{} w{}", row % 7, row % 11, row % 13);
    let queries: Vec<String> = (0..50).map(text).collect();
    let search = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let mut builder = Bm25Index::builder(Bm25Params::default(), Analyzer::LuceneEnglish);
            for row in 0..20_000 {
                builder.add(&format!("d{row}"), text(row)).unwrap();
            }
            builder.build().search_all(&queries, 20, &[]).unwrap()
        })
    };
    let one = search(1);
    assert_eq!(one.len(), 50);
    assert_eq!(one, search(3));
}

#[test]
fn query_side_scores_are_those_of_the_formula() {
    let texts = [("a", "x y"), ("b", "x x z"), ("c", "y z z z w"), ("d", "w")];
    let params = Bm25Params::new(0.9, 0.4, Norms::Exact)
        .unwrap()
        .with_query(QueryWeighting::Bm25qs);
    let index = index(&texts).with_params(params).unwrap();
    // From a computation in 64 bits in another language.
    let scores = [
        ("x x z unknown", "b", 0.3343568803830155),
        ("x x z unknown", "a", 0.17407353027126146),
        ("x x z unknown", "c", 0.16651528297549417),
        ("w", "d", 0.17208589635355637),
        ("w", "c", 0.13102480426588095),
    ];
    for (query, document, expected) in scores {
        let found = index.search(query, 10, &Filter::default()).unwrap();
        let found = found.iter().find(|n| index.id(n.row) == document).unwrap();
        assert!((found.score - expected).abs() < 1e-6, "{query} {document}");
        let terms = index.explain(query, found.row).unwrap();
        let sum: f64 = terms.iter().map(|term| f64::from(term.score)).sum();
        assert_eq!(f64::from(sum as f32), found.score);
    }
}

#[test]
fn weighted_terms_score_as_the_text_that_repeats_them() {
    let index = index(&[("a", "x y"), ("b", "x x z"), ("c", "y z z z w")]);
    let all = Filter::default();
    let text = index.search("x z z q", 10, &all).unwrap();
    let terms = [("x", 1.0), ("z", 1.5), ("q", 7.0), ("z", 0.5)];
    assert_eq!(index.search_terms(&terms, 10, &all).unwrap(), text);
    for (weight, shown) in [
        (0.0, "0"),
        (-1.0, "-1"),
        (f32::NAN, "not a number"),
        (f32::INFINITY, "infinity"),
    ] {
        let error = index.search_terms(&[("x", weight)], 10, &all).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "BM25: the weight of the term 'x' is {shown}; expected a number above 0 and up to 1e30"
            )
        );
    }
}

#[test]
fn stop_words_can_be_left_in_and_chosen() {
    let text = "The the WHICH cats";
    for (analyzer, stop_words, expected) in [
        (Analyzer::Bm25s, StopWords::Lucene, &["which", "cats"][..]),
        (
            Analyzer::Bm25s,
            StopWords::None,
            &["the", "the", "which", "cats"],
        ),
        (
            Analyzer::Bm25s,
            StopWords::custom(["which", "cats"]),
            &["the", "the"],
        ),
        (
            Analyzer::LuceneEnglish,
            StopWords::custom(["cats"]),
            &["the", "the", "which"],
        ),
        (
            Analyzer::LuceneCjk,
            StopWords::None,
            &["the", "the", "which", "cats"],
        ),
        (
            Analyzer::Whitespace,
            StopWords::Lucene,
            &["The", "WHICH", "cats"],
        ),
    ] {
        let analysis = Analysis::new(analyzer, stop_words.clone());
        assert_eq!(analysis.terms(text), expected, "{analyzer} {stop_words}");
    }
    let mut builder = Bm25Index::builder(
        Bm25Params::default(),
        Analysis::new(Analyzer::LuceneEnglish, StopWords::None),
    );
    builder.add("a", "to be or not to be").unwrap();
    let index = builder.build();
    assert_eq!(index.documents_without_terms(), 0);
    assert_eq!(index.search("be", 1, &Filter::default()).unwrap().len(), 1);
}

/// Documents of words whose frequencies fall off, with many ties.
fn many(seed: u64, documents: usize) -> Vec<String> {
    let mut state = seed;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
        (state >> 33) % below
    };
    let mut text = |_| {
        let length = 1 + draw(30);
        let words = (0..length).map(|_| {
            let range = 1 + draw(60);
            format!("w{}", draw(range))
        });
        words.collect::<Vec<_>>().join(" ")
    };
    (0..documents).map(&mut text).collect()
}

#[test]
fn what_is_skipped_never_changes_the_best() {
    for (seed, k1, b, norms, query) in [
        (1, 0.9, 0.4, Norms::Lucene, QueryWeighting::Bag),
        (2, 1.2, 1.0, Norms::Exact, QueryWeighting::Bm25qs),
        (3, 0.0, 0.0, Norms::Lucene, QueryWeighting::Bag),
        (4, 1e9, 0.75, Norms::Exact, QueryWeighting::Bag),
    ] {
        let params = Bm25Params::new(k1, b, norms).unwrap().with_query(query);
        let mut builder = Bm25Index::builder(params, Analyzer::Whitespace);
        for (row, text) in many(seed, 5_000).iter().enumerate() {
            builder.add(&row.to_string(), text.as_str()).unwrap();
        }
        let index = builder.build();
        for (number, query) in many(seed + 10, 20).iter().enumerate() {
            let excluded = (0..number as u32 % 3).map(|row| row * 7);
            let filter = Filter::default().without(excluded);
            // No threshold is known for as many: every row is scored.
            let all = index.search(query, 100_000, &filter).unwrap();
            for k in [1, 7, 10, 64, 300, 1000] {
                let best = index.search(query, k, &filter).unwrap();
                assert_eq!(best, all[..k.min(all.len())], "{query}, {k}");
            }
        }
    }
}
