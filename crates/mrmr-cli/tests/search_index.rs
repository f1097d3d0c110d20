//! `mrmr search`: approximate indexes, held to exact search, kept in files, in little memory.

#![allow(clippy::unwrap_used)]

mod support;

use serde_json::Value;
use support::{many, mrmr, npy, vectors};

const MANY: &str = "--corpus-vectors D.npy --query-vectors Q.npy";

/// The smallest effort of each system, at which something is missing.
const HASTY: [(&str, &str); 3] = [
    ("hnsw", "--ef 1 --m 2 --ef-construction 2"),
    ("ivf", "--lists 100 --probes 1"),
    ("pq", "--segments 2 --rescored 10"),
];

#[test]
fn what_an_index_misses_is_shown_with_what_it_costs() {
    let folder = many();
    for (system, hasty) in HASTY {
        let said = mrmr(
            folder.path(),
            &format!(
                "search {MANY} -k 1 --memory 1G --system {system} {hasty} --against-exact --qrels qrels.txt -m RR@10 -m R@100 -o {system}.trec"
            ),
        );
        insta::assert_snapshot!(format!("against_{system}"), said);
        let run = std::fs::read_to_string(folder.path().join(format!("{system}.trec"))).unwrap();
        assert!(run.lines().all(|line| line.ends_with(system)), "{run}");
    }
}

#[test]
fn without_judgements_recall_is_shown_alone_and_a_report_goes_to_a_file() {
    let folder = many();
    for (system, hasty) in HASTY {
        let options = format!("search -q {MANY} -k 10 --system {system} {hasty} --against-exact");
        let said = mrmr(folder.path(), &options);
        insta::assert_snapshot!(format!("against_{system}_alone"), said);
        let said = mrmr(folder.path(), &format!("{options} -o - --report r.json"));
        assert_eq!(said.code, Some(0), "{said}");
        assert_eq!(said.stdout.lines().count(), 400);
        let report = std::fs::read_to_string(folder.path().join("r.json")).unwrap();
        let report: Value = serde_json::from_str(&report).unwrap();
        assert_eq!(report["schema"], "mrmr.against_exact/1");
        let recall = report["recall"].as_f64().unwrap();
        assert!(recall > 0.0 && recall < 1.0, "{recall}");
        assert_eq!(report["by_query"].as_array().unwrap().len(), 40);
    }
}

#[test]
fn a_sweep_has_each_effort_with_its_recall_and_is_drawn() {
    let folder = many();
    let at = folder.path();
    for (system, build, efforts, name) in [
        ("hnsw", "--m 8", "ef=10..2000", "ef"),
        ("ivf", "--lists 50", "probes=1..50", "probes"),
        ("pq", "--segments 4", "rescored=10..2000", "rescored"),
    ] {
        let options = format!("search -q {MANY} -k 10 --system {system} {build} --sweep {efforts}");
        let said = mrmr(
            at,
            &format!("{options} --qrels qrels.txt -m RR@10 -o sweep.json --svg sweep.svg"),
        );
        assert_eq!((said.code, said.stdout.as_str()), (Some(0), ""), "{said}");
        let sweep = std::fs::read_to_string(at.join("sweep.json")).unwrap();
        let sweep: Value = serde_json::from_str(&sweep).unwrap();
        assert_eq!(sweep["schema"], "mrmr.sweep/1");
        assert_eq!(sweep["effort"], name);
        let steps = sweep["steps"].as_array().unwrap();
        let recalls: Vec<f64> = steps
            .iter()
            .map(|step| step["recall"].as_f64().unwrap())
            .collect();
        assert_eq!(steps[0]["effort"], Value::Null);
        assert_eq!((recalls[0], recalls[recalls.len() - 1]), (1.0, 1.0));
        assert!(recalls[1] <= recalls[2], "{recalls:?}");
        assert_eq!(steps[0]["measures"]["RR@10"], 1.0);
        let svg = std::fs::read_to_string(at.join("sweep.svg")).unwrap();
        assert!(svg.starts_with("<svg ") && svg.contains("<desc id=\"desc\">2000 documents"));
        let said = mrmr(at, &format!("{options} -o again.svg"));
        assert_eq!(said.code, Some(0), "{said}");
        let again = std::fs::read_to_string(at.join("again.svg")).unwrap();
        assert_eq!(
            again.matches("<circle").count(),
            svg.matches("<circle").count()
        );
        let said = mrmr(at, &options);
        assert!(said.stdout.contains("queries/s"), "{said}");
    }
}

#[test]
fn an_index_that_was_kept_answers_as_before_and_another_is_refused() {
    let folder = many();
    let at = folder.path();
    npy(at, "other.npy", 16, &support::noise(2000 * 16, 9));
    for (system, build) in [
        ("hnsw", "--m 8"),
        ("ivf", "--lists 50"),
        ("pq", "--segments 8"),
    ] {
        let options = format!("search -q {MANY} -k 10 --system {system}");
        let built = mrmr(
            at,
            &format!("{options} {build} --save-index {system}.index"),
        );
        assert_eq!(built.code, Some(0), "{built}");
        let file = at.join(format!("{system}.index"));
        let opened = mrmr(at, &format!("{options} --index {system}.index"));
        assert_eq!(opened.stdout, built.stdout);
        let bytes = std::fs::read(&file).unwrap();
        std::fs::write(at.join("cut.index"), &bytes[..bytes.len() / 2]).unwrap();
        for (what, options) in [
            ("build", format!("{options} {build} --index {system}.index")),
            (
                "metric",
                format!("{options} --metric dot --index {system}.index"),
            ),
            ("cut", format!("{options} --index cut.index")),
            ("none", format!("{options} --index D.npy")),
            (
                "vectors",
                format!("{options} --index {system}.index").replace("D.npy", "other.npy"),
            ),
        ] {
            insta::assert_snapshot!(format!("kept_{system}_{what}"), mrmr(at, &options));
        }
    }
}

#[test]
fn options_without_effect_are_refused_with_the_systems_they_are_for() {
    let folder = many();
    let mut all = String::new();
    for options in [
        "--system exact --ef 10",
        "--system hnsw --probes 3",
        "--system ivf --rescored 3",
        "--system exact --against-exact",
        "--system exact --save-index x",
        "--system hnsw --k1 2",
        "--system hnsw --qrels qrels.txt",
        "--system hnsw --against-exact -m RR",
        "--system hnsw --against-exact -o -",
        "--system hnsw --against-exact -o a.trec --report a.trec",
        "--system hnsw --against-exact --report a.xml",
        "--system hnsw --sweep probes=1..4",
        "--system hnsw --sweep ef=16..8",
        "--system hnsw --sweep ef=16 --format trec",
        "--system hnsw --sweep ef=16 --ef 8",
        "--system hnsw --sweep ef=16 --format junit",
        "--system hnsw --ef 0",
        "--system hnsw --m 1",
        "--format latex",
        "--memory big",
        "--memory 1K",
        "--system hnsw --memory 200K",
        "--system hnsw --against-exact --qrels qrels.txt -m nDCC",
    ] {
        let said = mrmr(folder.path(), &format!("search -q {MANY} {options}"));
        assert_eq!(
            (said.code, said.stdout.as_str()),
            (Some(2), ""),
            "{options}"
        );
        all += &format!("{options}\n{}\n", said.stderr);
    }
    insta::assert_snapshot!(all);
}

#[test]
fn documents_that_do_not_fit_are_searched_block_by_block_with_the_same_answer() {
    let folder = many();
    let at = folder.path();
    let (whole, parts) = (
        mrmr(at, &format!("search {MANY} -k 20 --memory 1G")),
        mrmr(at, &format!("search {MANY} -k 20 --memory 150K")),
    );
    assert_eq!(parts.stdout, whole.stdout);
    assert_eq!(whole.stdout.lines().count(), 800);
    assert!(
        parts
            .stderr
            .contains("150.0 KiB are there: the documents are searched 400 rows at a time\n"),
        "{parts}"
    );
    std::fs::write(at.join("not.tsv"), "0\t3\n").unwrap();
    let options = format!("search -q {MANY} -k 20 --exclude not.tsv");
    assert_eq!(
        mrmr(at, &format!("{options} --memory 150K")).stdout,
        mrmr(at, &format!("{options} --memory 1G")).stdout
    );
}

#[test]
fn the_answer_is_the_same_for_any_number_of_threads() {
    let folder = many();
    for (system, hasty) in HASTY {
        let run = |threads: usize| {
            let options = format!("search -q {MANY} -k 10 --system {system} {hasty}");
            mrmr(folder.path(), &format!("{options} --threads {threads}"))
        };
        assert_eq!(run(1), run(3));
        assert_eq!(run(1).stdout.lines().count(), 400);
    }
}

#[test]
fn what_cannot_be_read_from_standard_input_is_said() {
    let folder = vectors();
    for options in [
        "--corpus-vectors - --query-vectors q.npy",
        "--corpus-vectors d.npy --query-vectors -",
        "--corpus - --queries q.txt",
        "--corpus-vectors d.npy --query-vectors q.npy --corpus-ids - --query-ids -",
    ] {
        let said = mrmr(folder.path(), &format!("search -q {options}"));
        assert_eq!(said.code, Some(2), "{said}");
        assert!(said.stderr.contains("standard input"), "{said}");
    }
}

#[test]
fn a_split_where_there_is_none_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (name, line) in [
        ("corpus.jsonl", r#"{"_id": "d", "text": "red"}"#),
        ("queries.jsonl", r#"{"_id": "q", "text": "red"}"#),
    ] {
        std::fs::write(at.join(name), line).unwrap();
    }
    let said = mrmr(
        at,
        "search -q --corpus . --queries queries.jsonl --split dev",
    );
    assert_eq!(said.code, Some(2));
    assert!(
        said.stderr
            .starts_with("error: queries.jsonl: the file has no splits, and 'dev' was asked for\n"),
        "{said}"
    );
}

#[test]
fn words_are_searched_in_an_index_that_was_kept() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let corpus =
        "{\"_id\": \"d1\", \"text\": \"red apples\"}\n{\"_id\": \"d2\", \"text\": \"pears\"}\n";
    std::fs::write(at.join("c.jsonl"), corpus).unwrap();
    std::fs::write(at.join("q.jsonl"), r#"{"_id": "q1", "text": "an apple"}"#).unwrap();
    let built = mrmr(
        at,
        "search --corpus c.jsonl --queries q.jsonl --k1 1.2 --save-index words.index",
    );
    assert_eq!(built.code, Some(0), "{built}");
    let opened = mrmr(
        at,
        "search --system bm25 --queries q.jsonl --index words.index",
    );
    assert_eq!(opened.stdout, built.stdout);
    insta::assert_snapshot!(opened);
    let said = mrmr(at, "search --queries q.jsonl --index words.index --k1 1.2");
    assert_eq!(
        said.stderr,
        "error: --k1 has no effect with --index: the index was built already\n"
    );
}

#[test]
fn every_bad_vector_is_an_error_and_numbers_that_lose_digits_are_counted() {
    let folder = vectors();
    let at = folder.path();
    npy(at, "inf.npy", 2, &[1.0, 2.0, f32::INFINITY, 1.0]);
    npy(at, "none.npy", 2, &[]);
    let fixtures = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../mrmr-formats/tests/fixtures/vectors");
    for file in ["same-id.parquet", "null-vector.parquet", "ragged.parquet"] {
        std::fs::copy(fixtures.join(file), at.join(file)).unwrap();
    }
    let mut all = String::new();
    for corpus in [
        "inf.npy",
        "none.npy",
        "same-id.parquet",
        "null-vector.parquet",
        "ragged.parquet",
        "d.npy --corpus-ids q.txt",
    ] {
        for system in ["exact", "hnsw"] {
            let said = mrmr(
                at,
                &format!(
                    "search -q --system {system} --query-vectors q.npy --corpus-vectors {corpus}"
                ),
            );
            assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""), "{said}");
            all += &format!("{system} {corpus}\n{}\n", said.stderr);
        }
    }
    insta::assert_snapshot!(all);
    // Of 64 bits, and one of them is not a number of 32.
    let mut bytes = std::fs::read(at.join("q.npy")).unwrap();
    let start = bytes.len() - 16;
    bytes.truncate(start);
    let header = bytes.windows(2).position(|two| two == b"f4").unwrap();
    bytes[header + 1] = b'8';
    for number in [0.1f64, 1.0, 0.5, 2.0] {
        bytes.extend(number.to_le_bytes());
    }
    std::fs::write(at.join("wide.npy"), bytes).unwrap();
    let said = mrmr(
        at,
        "search -q --query-vectors q.npy --corpus-vectors wide.npy -k 1",
    );
    assert_eq!(said.code, Some(0), "{said}");
    assert_eq!(
        said.stderr,
        "warning: wide.npy: 1 number of 64 bits loses digits: the search is over 32\n"
    );
}

#[test]
fn many_vectors_a_document_are_searched_whole_pooled_or_in_two_stages() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let examples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples");
    for file in ["pages.npy", "questions.npy"] {
        std::fs::copy(examples.join(file), at.join(file)).unwrap();
    }
    npy(at, "flat.npy", 16, &support::noise(32, 1));
    let files = "--corpus-vectors pages.npy --query-vectors questions.npy";
    let options = format!("search -q --system maxsim {files} -k 3");
    let whole = mrmr(at, &options);
    assert_eq!(whole.stdout.lines().count(), 15, "{whole}");
    let all = mrmr(at, &format!("{options} --first-stage 60"));
    assert_eq!(all.stdout, whole.stdout);
    let pooled = mrmr(at, &format!("{options} --first-stage 60 --pool 2"));
    assert_eq!(pooled.stdout, whole.stdout);
    let fewer = mrmr(at, &format!("{options} --pool 3"));
    assert_eq!((fewer.code, fewer.stdout.lines().count()), (Some(0), 15));
    assert_ne!(fewer.stdout, whole.stdout);
    for (options, message) in [
        (
            format!("{options} --against-exact"),
            "--against-exact needs --first-stage with maxsim, which is exact without it",
        ),
        (
            format!("{options} --metric euclidean"),
            "maxsim takes the metric cosine or dot, not euclidean",
        ),
        (
            options.replace("pages", "flat"),
            "flat.npy: expected three axes, items, vectors and components; found 2: shape (2, 16)",
        ),
        (
            format!("{options} --memory 5K"),
            "maxsim takes about 26.9 KiB, and 5.0 KiB are there",
        ),
    ] {
        let said = mrmr(at, &options);
        assert_eq!(said.code, Some(2), "{said}");
        assert!(
            said.stderr.starts_with(&format!("error: {message}\n")),
            "{said}"
        );
    }
}
