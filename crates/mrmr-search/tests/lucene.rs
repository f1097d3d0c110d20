//! Equal to Lucene: terms, stems and rankings; `tests/fixtures/lucene/README.md` says what made them.

#![allow(clippy::unwrap_used)]

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;

use mrmr_search::{Analyzer, Bm25Index, Bm25Params, Norms, QueryWeighting};
use serde_json::Value;

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/lucene")
        .join(name)
}

fn json_lines(path: PathBuf) -> Vec<Value> {
    let lines = BufReader::new(File::open(path).unwrap()).lines();
    lines
        .map(|line| serde_json::from_str(&line.unwrap()).unwrap())
        .collect()
}

fn check_terms(analyzer: Analyzer, path: PathBuf) -> usize {
    let rows = json_lines(path);
    for row in &rows {
        let text = row["text"].as_str().unwrap();
        let expected: Vec<&str> = row["tokens"]
            .as_array()
            .unwrap()
            .iter()
            .map(|t| t.as_str().unwrap())
            .collect();
        assert_eq!(analyzer.terms(text), expected, "{text:?}");
    }
    rows.len()
}

#[test]
fn the_terms_of_every_text_are_lucenes() {
    assert!(check_terms(Analyzer::LuceneEnglish, fixture("analyzer.jsonl")) > 700);
}

#[test]
fn the_bigrams_of_every_text_are_lucenes() {
    assert!(check_terms(Analyzer::LuceneCjk, fixture("cjk.jsonl")) > 600);
}

#[test]
fn the_terms_of_every_text_are_those_of_bm25s() {
    assert!(check_terms(Analyzer::Bm25s, fixture("../bm25s/terms.jsonl")) > 700);
}

/// `bench/lucene/run.sh fuzz english 300000 SEED > FILE`, then this with LUCENE_FUZZ=FILE.
#[test]
#[ignore = "needs a file of random texts in LUCENE_FUZZ"]
fn the_terms_of_random_texts_are_lucenes() {
    let path = std::env::var("LUCENE_FUZZ").expect("LUCENE_FUZZ names the file");
    assert!(check_terms(Analyzer::LuceneEnglish, PathBuf::from(path)) > 0);
}

/// `bench/lucene/run.sh fuzz cjk 300000 SEED > FILE`, then this with LUCENE_CJK_FUZZ=FILE.
#[test]
#[ignore = "needs a file of random texts in LUCENE_CJK_FUZZ"]
fn the_bigrams_of_random_texts_are_lucenes() {
    let path = std::env::var("LUCENE_CJK_FUZZ").expect("LUCENE_CJK_FUZZ names the file");
    assert!(check_terms(Analyzer::LuceneCjk, PathBuf::from(path)) > 0);
}

/// Searches `corpus.jsonl` with `queries.jsonl` of a folder as one of Lucene's runs was made.
///
/// Every query must give the same documents in the same order with the same scores to the last bit.
fn check_rankings(texts: PathBuf, run: PathBuf, params: Bm25Params, depth: usize) {
    let read = |name: &str| {
        let rows = json_lines(texts.join(name)).into_iter();
        let text = |row: &Value, name: &str| row[name].as_str().unwrap().to_owned();
        rows.map(|row| (text(&row, "_id"), text(&row, "text")))
            .collect()
    };
    let queries: Vec<(String, String)> = read("queries.jsonl");
    let corpus: Vec<(String, String)> = read("corpus.jsonl");
    check_run(
        Analyzer::LuceneEnglish,
        &corpus,
        &queries,
        run,
        params,
        depth,
    );
}

/// The same for ids and texts.
fn check_run(
    analyzer: Analyzer,
    corpus: &[(String, String)],
    queries: &[(String, String)],
    run: PathBuf,
    params: Bm25Params,
    depth: usize,
) {
    let mut builder = Bm25Index::builder(params, analyzer);
    for (id, text) in corpus {
        builder.add(id, text.as_str()).unwrap();
    }
    let index = builder.build();
    let query_texts: Vec<&str> = queries.iter().map(|(_, text)| text.as_str()).collect();
    let found = index.search_all(&query_texts, depth, &[]).unwrap();

    let mut expected = String::new();
    let mut file = flate2::read::GzDecoder::new(File::open(run).unwrap());
    file.read_to_string(&mut expected).unwrap();
    let mut expected = expected.lines();
    for ((query, _), neighbours) in queries.iter().zip(found) {
        for (rank, neighbour) in neighbours.iter().enumerate() {
            let line: Vec<&str> = expected.next().unwrap().split(' ').collect();
            let score = neighbour.score as f32;
            assert_eq!(
                (
                    line[0],
                    line[2],
                    line[3],
                    line[4].parse::<f32>().unwrap().to_bits()
                ),
                (
                    query.as_str(),
                    index.id(neighbour.row),
                    (rank + 1).to_string().as_str(),
                    score.to_bits()
                ),
                "expected {}, found {score}",
                line[4]
            );
        }
    }
    assert_eq!(expected.next(), None);
}

#[test]
fn rankings_are_lucenes_to_the_last_bit() {
    for (name, k1, b, norms) in [
        ("lucene-0.9-0.4", 0.9, 0.4, Norms::Lucene),
        ("lucene-1.2-0.75", 1.2, 0.75, Norms::Lucene),
        ("exact-0.9-0.4", 0.9, 0.4, Norms::Exact),
    ] {
        let params = Bm25Params::new(k1, b, norms).unwrap();
        let run = fixture(&format!("mini/{name}.trec.gz"));
        check_rankings(fixture("mini"), run, params, 50);
    }
}

#[test]
fn rankings_of_bigrams_are_lucenes_to_the_last_bit() {
    let rows = json_lines(fixture("cjk.jsonl")).into_iter().enumerate();
    let texts: Vec<(String, String)> = rows
        .map(|(number, row)| (number.to_string(), row["text"].as_str().unwrap().to_owned()))
        .collect();
    let (params, run) = (Bm25Params::default(), fixture("cjk.trec.gz"));
    check_run(Analyzer::LuceneCjk, &texts, &texts, run, params, 50);
}

#[test]
fn query_side_rankings_are_lucenes_to_the_last_bit() {
    let params = Bm25Params::new(1.2, 0.75, Norms::Lucene)
        .unwrap()
        .with_query(QueryWeighting::Bm25qs);
    let run = fixture("mini/bm25qs-1.2-0.75.trec.gz");
    check_rankings(fixture("mini"), run, params, 50);
}

/// Texts as `bench/lucene/export.py` writes them, in the folder that THEOREMQA_JSONL names.
#[test]
#[ignore = "needs the texts of TheoremQA in THEOREMQA_JSONL"]
fn rankings_of_theoremqa_are_lucenes_to_the_last_bit() {
    let texts = PathBuf::from(std::env::var("THEOREMQA_JSONL").expect("THEOREMQA_JSONL names it"));
    for (name, k1, b, norms, depth) in [
        ("lucene-0.9-0.4", 0.9, 0.4, Norms::Lucene, 50),
        ("lucene-1.2-0.75", 1.2, 0.75, Norms::Lucene, 15),
        ("exact-0.9-0.4", 0.9, 0.4, Norms::Exact, 15),
    ] {
        let params = Bm25Params::new(k1, b, norms).unwrap();
        let run = fixture(&format!("theoremqa/{name}.trec.gz"));
        check_rankings(texts.clone(), run, params, depth);
    }
    let params = Bm25Params::new(1.2, 0.75, Norms::Lucene)
        .unwrap()
        .with_query(QueryWeighting::Bm25qs);
    let run = fixture("theoremqa/bm25qs-1.2-0.75.trec.gz");
    check_rankings(texts, run, params, 15);
}
