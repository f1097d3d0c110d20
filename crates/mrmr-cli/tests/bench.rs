//! `mrmr bench` over small data sets in MRMR's layout.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::sync::Arc;

use assert_cmd::Command;
use mrmr_core::{
    Collection, Content, DocId, Field, Image, Media, Origin, Part, Qrels, QueryId, Record,
};
use mrmr_formats::captions::{Captions, Subset, write_captions};
use mrmr_formats::dataset::write_mrmr;
use serde_json::Value;

/// A 1 x 1 picture.
const PNG: &[u8] = include_bytes!("../../../testdata/dot.png");

/// Queries (id, text, category), documents (id, text) and judgements (query, document).
fn write(
    folder: &Path,
    queries: &[(&str, &str, Option<&str>)],
    documents: &[(&str, &str)],
    judgements: &[(&str, &str)],
) {
    let mut query_records: Collection<QueryId> = Collection::new(Origin::memory("queries"));
    for (number, (id, text, category)) in queries.iter().enumerate() {
        let mut record = Record::new(*text);
        if let Some(category) = category {
            let field = Field::Text((*category).to_owned());
            record.fields.insert("category".to_owned(), field);
        }
        query_records.push(id, record, number as u64).unwrap();
    }
    let mut document_records: Collection<DocId> = Collection::new(Origin::memory("documents"));
    for (number, (id, text)) in documents.iter().enumerate() {
        document_records
            .push(id, Record::new(*text), number as u64)
            .unwrap();
    }
    let mut qrels = Qrels::builder(Origin::memory("qrels"));
    for (number, (query, document)) in judgements.iter().enumerate() {
        qrels.add(query, document, 1.0, number as u64).unwrap();
    }
    write_mrmr(
        folder,
        &query_records,
        &document_records,
        &qrels.finish().unwrap().0,
    )
    .unwrap();
}

/// Negation: two pictures, four candidates each, the gold one `q_1`.
fn write_negation(folder: &Path) {
    let picture = || Record {
        content: Content::new([Part::Image(Image {
            label: "image 1".to_owned(),
            media: Media::Bytes(Arc::from(PNG)),
        })]),
        ..Record::default()
    };
    let mut queries: Collection<QueryId> = Collection::new(Origin::memory("queries"));
    let mut documents: Collection<DocId> = Collection::new(Origin::memory("documents"));
    let mut qrels = Qrels::builder(Origin::memory("qrels"));
    for (number, query) in ["7", "8"].iter().enumerate() {
        queries.push(query, picture(), number as u64).unwrap();
        for (n, animal) in ["cat", "dog", "horse", "sheep"].iter().enumerate() {
            let text = format!("there is no {animal} in the picture {query}");
            let id = format!("{query}_{}", n + 1);
            documents
                .push(&id, Record::new(text), (number * 4 + n) as u64)
                .unwrap();
        }
        qrels
            .add(query, &format!("{query}_1"), 1.0, number as u64)
            .unwrap();
    }
    write_mrmr(folder, &queries, &documents, &qrels.finish().unwrap().0).unwrap();
}

fn mrmr(arguments: &[&str], paths: &[&Path]) -> (Option<i32>, String, String) {
    let output = Command::cargo_bin("mrmr")
        .unwrap()
        .args(arguments)
        .args(paths)
        .output()
        .unwrap();
    (
        output.status.code(),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

fn json(arguments: &[&str], path: &Path) -> (Value, String) {
    let (code, stdout, stderr) = mrmr(
        &[&["bench", "--format", "json"], arguments].concat(),
        &[path],
    );
    assert_eq!(code, Some(0), "{stderr}");
    (serde_json::from_str(&stdout).unwrap(), stderr)
}

#[test]
fn negation_ranks_its_candidates_alone_and_calls_out_chance() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("negation");
    write_negation(&root);
    let (report, stderr) = json(&["--task", "negation", "--per-query"], &root);
    let task = &report["tasks"][0];
    let hit = &task["measures"][0];
    assert_eq!(hit["measure"], "Success@1");
    // A picture has no words: every candidate scores 0, and the gold one has the smallest id.
    assert_eq!(hit["value"], 0.0);
    assert_eq!(hit["tie_averaged"], 0.25);
    assert_eq!(task["coverage"]["queries_with_all_scores_equal"], 2);
    assert_eq!(task["coverage"]["top10_documents"], 8);
    assert!(
        stderr
            .contains("Success@1 is 0.0000, at or under chance (0.25); tie-averaged it is 0.2500"),
        "{stderr}"
    );
    assert_eq!(report["average"]["value"], Value::Null);
}

#[test]
fn captions_stand_for_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("negation");
    write_negation(&root);
    let mut captions = Captions::new();
    captions
        .insert(Subset::Query, "7", "image 1", "a cat on a mat")
        .unwrap();
    let file = folder.path().join("captions.json");
    write_captions(&captions, &file).unwrap();
    let arguments = [
        "--task",
        "negation",
        "--content",
        "captions",
        "--captions",
        file.to_str().unwrap(),
    ];
    let (report, stderr) = json(&arguments, &root);
    assert_eq!(report["tasks"][0]["measures"][0]["value"], 0.5);
    assert!(
        stderr.contains("1 image has no caption (query 8: image 1)"),
        "{stderr}"
    );
}

#[test]
fn a_run_of_the_authors_is_measured_on_the_candidates_alone() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("negation");
    write_negation(&root);
    let run = folder.path().join("model.json");
    std::fs::write(
        &run,
        r#"{"query-test-7": {"corpus-test-7_1": 0.9, "corpus-test-7_2": 0.1, "corpus-test-8_1": 2.0},
            "query-test-8": {"corpus-test-8_1": 0.1, "corpus-test-8_2": 0.7}}"#,
    )
    .unwrap();
    let (report, stderr) = json(
        &["--task", "negation", "--run", run.to_str().unwrap()],
        &root,
    );
    assert_eq!(report["tasks"][0]["measures"][0]["value"], 0.5);
    assert!(
        stderr.contains("1 answers of the run are not among the candidates"),
        "{stderr}"
    );
}

#[test]
fn the_average_is_that_of_all_eleven_sub_tasks_or_none() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let documents = [
        ("d1", "red apples"),
        ("d2", "green pears"),
        ("d3", "blue plums"),
    ];
    let ask = |categories: &[&str]| -> Vec<(String, String, String)> {
        categories
            .iter()
            .enumerate()
            .map(|(n, category)| (format!("q{n}"), "apples".to_owned(), (*category).to_owned()))
            .collect()
    };
    let write_task = |name: &str, categories: &[&str], gold: &str| {
        let queries = ask(categories);
        let rows: Vec<(&str, &str, Option<&str>)> = queries
            .iter()
            .map(|(id, text, category)| (id.as_str(), text.as_str(), Some(category.as_str())))
            .collect();
        let judged: Vec<(&str, &str)> = queries
            .iter()
            .map(|(id, _, _)| (id.as_str(), gold))
            .collect();
        write(&root.join(name), &rows, &documents, &judged);
    };
    write_task(
        "knowledge",
        &["Art_Theory", "Pharmacy", "Biology", "History", "Cooking"],
        "d1",
    );
    write_task(
        "theorem",
        &["Math", "Energy_and_Power", "Electronics", "Finance"],
        "d1",
    );
    write(
        &root.join("design"),
        &[("q", "apples", None)],
        &documents,
        &[("q", "d2"), ("q", "gone")],
    );
    write_negation(&root.join("negation"));

    let (report, stderr) = json(&[], root);
    assert_eq!(report["average"]["missing"], serde_json::json!(["Traffic"]));
    assert!(
        stderr.contains("knowledge: 1 query has a category that no sub-task of knowledge names"),
        "{stderr}"
    );
    assert!(
        stderr.contains("design: 1 relevant document is missing from the corpus (gone)"),
        "{stderr}"
    );

    write(
        &root.join("traffic"),
        &[("q", "plums", None)],
        &documents,
        &[("q", "d3")],
    );
    let (report, _) = json(&[], root);
    // Eight sub-tasks of 1, design 0, traffic 1, negation 0.
    let average = report["average"]["value"].as_f64().unwrap();
    assert!((average - 9.0 / 11.0).abs() < 1e-12, "{average}");
    assert_eq!(
        report["sub_tasks"].as_array().unwrap().len(),
        12,
        "eleven and the unknown category"
    );
    assert_eq!(
        report["tasks"][2]["data"]["orphan_golds"],
        serde_json::json!(["gone"])
    );

    let (_, table, _) = mrmr(&["bench", "-q", "--digits", "2"], &[root]);
    assert!(table.contains("average of 11"), "{table}");
}

#[test]
fn results_and_runs_are_written_and_score_alike() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("fruit");
    let documents = [
        ("d1", "red apples"),
        ("d2", "green pears"),
        ("d3", "blue plums and apples"),
    ];
    write(
        &root,
        &[("a", "apples", None), ("p", "pears", None)],
        &documents,
        &[("a", "d3"), ("p", "d2")],
    );
    let out = folder.path().join("out");
    let (report, _) = json(&["-o", out.to_str().unwrap()], &root);
    let results: Value =
        serde_json::from_slice(&std::fs::read(out.join("results.json")).unwrap()).unwrap();
    assert_eq!(
        results["tasks"][0]["measures"],
        report["tasks"][0]["measures"]
    );
    let qrels = root.join("qrels/test-00000-of-00001.parquet");
    for name in ["fruit.bm25.trec", "fruit.bm25.json"] {
        let arguments = ["score", "--format", "json", "-m", "nDCG@10"];
        let (code, stdout, stderr) = mrmr(&arguments, &[&qrels, &out.join(name)]);
        assert_eq!(code, Some(0), "{stderr}");
        let scored: Value = serde_json::from_str(&stdout).unwrap();
        assert_eq!(
            scored["runs"][0]["measures"][0]["value"], report["tasks"][0]["measures"][0]["value"],
            "{name}"
        );
    }
}

#[test]
fn vectors_of_numpy_are_searched_exactly() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("fruit");
    write(
        &root,
        &[("a", "x", None)],
        &[("d1", "x"), ("d2", "y")],
        &[("a", "d2")],
    );
    let npy = |name: &str, rows: &[[f32; 2]]| {
        let mut header = format!(
            "{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, 2), }}",
            rows.len()
        );
        header += &" ".repeat(63 - (10 + header.len()) % 64);
        header.push('\n');
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.bytes());
        bytes.extend(rows.iter().flatten().flat_map(|x| x.to_le_bytes()));
        std::fs::write(folder.path().join(name), bytes).unwrap();
        folder.path().join(name).display().to_string()
    };
    let ids = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).unwrap();
        folder.path().join(name).display().to_string()
    };
    let queries = npy("q.npy", &[[0.0, 2.0]]);
    let corpus = npy("d.npy", &[[3.0, 1.0], [0.1, 1.0]]);
    let (query_ids, corpus_ids) = (ids("q.txt", "a\n"), ids("d.txt", "d1\nd2\n"));
    let arguments = [
        "--system",
        "exact",
        "--query-vectors",
        &queries,
        "--query-ids",
        &query_ids,
        "--corpus-vectors",
        &corpus,
        "--corpus-ids",
        &corpus_ids,
    ];
    let (report, _) = json(&arguments, &root);
    assert_eq!(report["tasks"][0]["measures"][0]["value"], 1.0);

    let short = ids("short.txt", "d1\n");
    let arguments = [
        "bench",
        "--system",
        "exact",
        "--query-vectors",
        &queries,
        "--query-ids",
        &query_ids,
        "--corpus-vectors",
        &corpus,
        "--corpus-ids",
        &short,
    ];
    let (code, _, stderr) = mrmr(&arguments, &[&root]);
    assert_eq!(code, Some(2));
    assert!(stderr.contains("short.txt"), "{stderr}");
}

#[test]
fn what_is_not_there_is_said() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, part) in [
        (vec!["--task", "theorems"], "MRMR has no task 'theorems'"),
        (vec!["--content", "captions"], "expected a data set"),
        (vec!["--k1", "-1"], "expected a data set"),
        (vec!["--task", "theorem"], "theorem"),
    ] {
        let (code, _, stderr) = mrmr(
            &[&["bench"], arguments.as_slice()].concat(),
            &[folder.path()],
        );
        assert_eq!(code, Some(2), "{stderr}");
        assert!(stderr.contains(part), "{stderr}");
        assert!(stderr.contains("error: "), "{stderr}");
    }
}

#[test]
fn options_that_would_not_be_heeded_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("fruit");
    write(&root, &[("a", "x", None)], &[("d1", "x")], &[("a", "d1")]);
    let run = folder.path().join("r.txt");
    std::fs::write(&run, "a Q0 d1 1 2 t\n").unwrap();
    let run = run.to_str().unwrap();
    let twice = [
        format!("theorem={run}"),
        format!("theorem={run}"),
        format!("traffic={run}"),
    ];
    for (arguments, message) in [
        (
            vec!["--metric", "dot"],
            "--metric has no effect with --system bm25",
        ),
        (
            vec!["--query-vectors", "x.npy"],
            "--query-vectors has no effect with --system bm25",
        ),
        (
            vec!["--system", "exact", "--k1", "2"],
            "--k1 has no effect with --system exact",
        ),
        (
            vec!["--system", "exact", "--analyzer", "bm25s"],
            "--analyzer has no effect with --system exact",
        ),
        (
            vec!["--run", run, "--query-weighting", "bag"],
            "--query-weighting has no effect with --run",
        ),
        (
            vec!["--run", run, "--stop-words", "none"],
            "--stop-words has no effect with --run",
        ),
        (
            vec!["--run", run, "--depth", "5"],
            "--depth has no effect with --run",
        ),
        (
            vec!["--run", run, "--run", run],
            "2 runs are given for one task; bench measures one at a time",
        ),
        (
            vec!["--task", "theorem", "--run", &twice[0], "--run", &twice[1]],
            "two runs are given for the task theorem",
        ),
        (
            vec!["--task", "theorem", "--run", &twice[0], "--run", &twice[2]],
            "a run is given for traffic, which is not measured",
        ),
    ] {
        let (code, _, stderr) = mrmr(&[&["bench"], arguments.as_slice()].concat(), &[&root]);
        assert_eq!(code, Some(2), "{stderr}");
        assert_eq!(
            stderr.lines().next(),
            Some(format!("error: {message}").as_str())
        );
    }
}

#[test]
fn results_are_kept_where_trec_cannot_hold_an_id_and_a_bad_folder_shows_first() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("odd");
    write(
        &root,
        &[("a", "x", None)],
        &[("d\n1", "x")],
        &[("a", "d\n1")],
    );
    let out = folder.path().join("out");
    let (report, stderr) = json(&["-o", out.to_str().unwrap()], &root);
    assert_eq!(report["tasks"][0]["measures"][0]["value"], 1.0);
    assert!(
        stderr.contains("the run is there as JSON alone"),
        "{stderr}"
    );
    assert!(out.join("odd.bm25.json").is_file() && out.join("results.json").is_file());
    assert!(!out.join("odd.bm25.trec").exists());

    let file = folder.path().join("file");
    std::fs::write(&file, "mine").unwrap();
    let (code, stdout, stderr) = mrmr(&["bench", "-o", file.to_str().unwrap()], &[&root]);
    assert_eq!((code, stdout.as_str()), (Some(2), ""));
    assert!(
        stderr.contains("expected a folder for the results, found a file"),
        "{stderr}"
    );
}

#[test]
fn a_query_does_not_find_itself_where_it_must_not() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("arguments");
    let documents = [("q", "cats are good"), ("d", "cats are bad")];
    write(
        &root,
        &[("q", "cats are good", None)],
        &documents,
        &[("q", "d")],
    );
    let (report, _) = json(&["-m", "RR"], &root);
    assert_eq!(report["tasks"][0]["measures"][1]["value"], 0.5);
    let (report, _) = json(&["-m", "RR", "--drop-self"], &root);
    assert_eq!(report["tasks"][0]["measures"][1]["value"], 1.0);
}

#[test]
fn a_run_that_lacks_candidates_is_called_out() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("negation");
    write_negation(&root);
    let run = folder.path().join("r.json");
    std::fs::write(
        &run,
        r#"{"7": {"7_1": 2, "7_2": 1}, "8": {"8_1": 4, "8_2": 3, "8_3": 2, "8_4": 1}}"#,
    )
    .unwrap();
    let (_, stderr) = json(
        &["--task", "negation", "--run", run.to_str().unwrap()],
        &root,
    );
    assert!(
        stderr.contains("no score for some candidates of 1 query"),
        "{stderr}"
    );
}

#[test]
fn pictures_without_captions_cannot_be_searched_by_words() {
    let folder = tempfile::tempdir().unwrap();
    let demo = folder.path().join("demo");
    let (code, _, stderr) = mrmr(&["demo", "-q"], &[&demo]);
    assert_eq!(code, Some(0), "{stderr}");
    let (code, _, stderr) = mrmr(&["bench"], &[&demo]);
    assert_eq!(code, Some(2));
    assert!(
        stderr.contains("no document has a word under the content rule 'text'"),
        "{stderr}"
    );
    let (_, table, _) = mrmr(&["demo", "-q", "--per-query"], &[&demo]);
    assert!(
        table.lines().any(|line| line.starts_with("satisfied")),
        "{table}"
    );
}

#[test]
fn words_are_cut_and_queries_weighted_as_asked_and_the_results_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().join("cities");
    let (queries, corpus) = (
        [("q", "京都 the the", None)],
        [("d1", "東京都に行く"), ("d2", "都の京"), ("d3", "the")],
    );
    write(&root, &queries, &corpus, &[("q", "d1")]);
    let out = folder.path().join("out");
    let (code, _, stderr) = mrmr(
        &[
            "bench",
            "--analyzer",
            "lucene-cjk",
            "--stop-words",
            "none",
            "--query-weighting",
            "bm25qs",
            "-o",
            out.to_str().unwrap(),
        ],
        &[&root],
    );
    assert_eq!(code, Some(0), "{stderr}");
    let run = std::fs::read_to_string(out.join("cities.bm25.trec")).unwrap();
    let found: Vec<&str> = run.lines().map(|l| l.split(' ').nth(2).unwrap()).collect();
    assert_eq!(found, ["d3", "d1"], "{run}");
    let results = std::fs::read_to_string(out.join("results.json")).unwrap();
    for setting in [
        "lucene-cjk",
        "bm25qs",
        "\"none\"",
        "query weighting",
        "stop words",
    ] {
        assert!(results.contains(setting), "{setting}: {results}");
    }
}
