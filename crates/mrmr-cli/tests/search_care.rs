//! `mrmr search`: what changes nothing, contradicts itself or would be lost is refused before the work begins.

#![allow(clippy::unwrap_used)]

mod support;

use std::path::Path;

use support::{Said, many, mrmr, noise, npy, vectors};

const MANY: &str = "--corpus-vectors D.npy --query-vectors Q.npy";
const VECTORS: &str =
    "--corpus-vectors d.npy --corpus-ids d.txt --query-vectors q.npy --query-ids q.txt";

/// What a refused call says.
fn refused(folder: &Path, options: &str) -> String {
    let said = mrmr(folder, &format!("search -q {options}"));
    assert_eq!(
        (said.code, said.stdout.as_str()),
        (Some(2), ""),
        "{options}: {said}"
    );
    said.stderr
}

/// `(options, what is said)`, each.
fn all_refused(folder: &Path, cases: &[(&str, &str)]) {
    for (options, message) in cases {
        let said = refused(folder, options);
        assert!(said.starts_with(&format!("error: {message}\n")), "{said}");
    }
}

#[test]
fn what_only_reports_heed_needs_a_report() {
    let folder = vectors();
    let search = |options: &str| format!("{VECTORS} {options}");
    for (options, message) in [
        ("--digits 2", "--digits needs --against-exact or --sweep"),
        ("--percent", "--percent needs --against-exact or --sweep"),
        ("--interval 0.9", "--interval needs --against-exact"),
        (
            "--system hnsw --against-exact --interval 0.9",
            "--interval needs --qrels FILE",
        ),
        (
            "--system hnsw --sweep ef=1 --interval 0.9",
            "--interval needs --against-exact",
        ),
        (
            "--system hnsw --against-exact --format json",
            "--format needs -o with --against-exact",
        ),
    ] {
        all_refused(folder.path(), &[(&search(options), message)]);
    }
    let shown = mrmr(
        folder.path(),
        &format!("search -q {VECTORS} -k 1 --system hnsw --against-exact --percent --digits 1"),
    );
    assert!(shown.stdout.contains("hnsw     100.0   100.0"), "{shown}");
}

#[test]
fn two_results_never_go_to_one_place_and_each_has_its_ending() {
    let folder = vectors();
    let sweep = format!("{VECTORS} --system hnsw --sweep ef=4");
    let against = format!("{VECTORS} --system hnsw --against-exact");
    let both = "the sweep and its drawing would both go to standard output";
    all_refused(
        folder.path(),
        &[
            (&format!("{sweep} --svg -"), both),
            (&format!("{sweep} --svg - -o -"), both),
            (
                &format!("{against} --report - -o -"),
                "the run and what --against-exact shows would both go to standard output",
            ),
            (
                &format!("{sweep} --svg ./x.svg -o x.svg"),
                "./x.svg: two results would be written to one file",
            ),
            (
                &format!("{sweep} --svg x.png"),
                "x.png: --svg draws an SVG; expected the ending .svg",
            ),
            (
                &format!("{sweep} -o x.trec"),
                "x.trec: the ending says no form of results; expected one of .txt, .tsv, .csv, .json, .jsonl, .ndjson, .md, .markdown, .tex, .html, .htm, .svg",
            ),
            (
                &format!("{against} --report x.svg"),
                "x.svg: the ending says no form of results; expected one of .txt, .tsv, .csv, .json, .jsonl, .ndjson, .md, .markdown, .tex, .html, .htm",
            ),
            (
                &format!("{VECTORS} --system hnsw --save-index -"),
                "--save-index - : an index goes to a file",
            ),
        ],
    );
    let drawn = mrmr(folder.path(), &format!("search -q {sweep} --svg - -o x.md"));
    assert!(drawn.stdout.starts_with("<svg "), "{drawn}");
    let shown = mrmr(folder.path(), &format!("search -q {against} --report -"));
    assert!(shown.stdout.starts_with("run "), "{shown}");
}

#[test]
fn stop_words_are_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    std::fs::write(at.join("stop.txt"), "the\n").unwrap();
    for name in ["c.jsonl", "q.jsonl"] {
        std::fs::write(at.join(name), r#"{"_id": "1", "text": "red"}"#).unwrap();
    }
    std::fs::write(at.join("none.jsonl"), "").unwrap();
    all_refused(
        at,
        &[
            (
                "--corpus c.jsonl --queries q.jsonl --stop-words stop.txt -o stop.txt",
                "stop.txt: the results would be written over a file that is read",
            ),
            (
                "--corpus c.jsonl --queries none.jsonl",
                "none.jsonl: expected queries, found none",
            ),
            (
                "--corpus none.jsonl --queries q.jsonl",
                "none.jsonl: expected documents, found none",
            ),
        ],
    );
    assert_eq!(
        std::fs::read_to_string(at.join("stop.txt")).unwrap(),
        "the\n"
    );
}

#[test]
fn efforts_that_make_no_difference_are_searched_once_and_a_sweep_asks_for_ten() {
    let folder = many();
    for (system, efforts, line, rows) in [
        (
            "hnsw",
            "ef=1..20",
            "ef counts from 10 to 2000: less is searched as 10, more as 2000",
            vec!["exact", "10", "16", "20"],
        ),
        (
            "pq",
            "rescored=5,10,3000",
            "rescored counts from 10 to 2000: less is searched as 10, more as 2000",
            vec!["exact", "10", "2000"],
        ),
        (
            "ivf --lists 4",
            "probes=1..64",
            "probes counts from 1 to 4: less is searched as 1, more as 4",
            vec!["exact", "1", "2", "4"],
        ),
    ] {
        let said = mrmr(
            folder.path(),
            &format!("search -q {MANY} --system {system} --sweep {efforts}"),
        );
        assert!(said.stdout.contains(line), "{said}");
        assert!(said.stdout.contains("recall@10 "), "{said}");
        let table = said.stdout.split_once("─\n").unwrap().1;
        let table = table.split_once("\n\n").unwrap().0.lines();
        let found: Vec<&str> = table.map(|row| row.split(' ').next().unwrap()).collect();
        assert_eq!(found, rows, "{said}");
    }
}

/// A search of documents with ids of their own, in a Parquet file, in as much memory.
fn of_parquet(list: &str, content: &str, options: &str, memory: &str) -> Said {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let fixtures =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../mrmr-formats/tests/fixtures/vectors");
    std::fs::copy(fixtures.join("list-f32.parquet"), at.join("d.parquet")).unwrap();
    std::fs::write(at.join(list), content).unwrap();
    mrmr(
        at,
        &format!(
            "search -q --corpus-vectors d.parquet --query-vectors d.parquet -k 1 --memory {memory} {options} {list}"
        ),
    )
}

#[test]
fn lists_are_held_to_the_documents_in_blocks_too() {
    // 320 bytes hold one row and its results.
    for memory in ["1G", "320"] {
        let said = of_parquet("not.tsv", "a\tx\na\tb\n", "--exclude", memory);
        assert_eq!(said.stdout.lines().count(), 2, "{said}");
        assert!(
            said.stderr.contains(
                "warning: not.tsv: 1 of 2 excluded documents is not in the corpus, 'x' among them\n"
            ),
            "{said}"
        );
        let said = of_parquet("only.tsv", "a\ta\nb\tz\n", "--candidates", memory);
        assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""), "{said}");
        assert!(
            said.stderr.contains(
                "error: only.tsv:2: candidate 'z' of query 'b' is not among the documents\n"
            ),
            "{said}"
        );
    }
}

#[test]
fn documents_with_the_id_of_their_query_are_counted() {
    let folder = vectors();
    let at = folder.path();
    std::fs::write(at.join("q.txt"), "east\nq2\n").unwrap();
    let said = mrmr(at, &format!("search {VECTORS} -k 4 --drop-self"));
    assert!(
        said.stderr
            .contains("note: 1 query has the id of a document, which is left out for it\n"),
        "{said}"
    );
    assert_eq!(said.stdout.lines().count(), 7, "{said}");
}

#[test]
fn a_relevant_document_cannot_be_excluded() {
    let folder = vectors();
    let at = folder.path();
    std::fs::write(at.join("qrels.txt"), "q1 0 east 2\nq1 0 slope 0\n").unwrap();
    std::fs::write(at.join("not.tsv"), "q1 slope\nq1 east\n").unwrap();
    std::fs::write(at.join("fine.tsv"), "q1 slope\nq2 east\n").unwrap();
    let options = format!("{VECTORS} --system hnsw --against-exact --qrels qrels.txt --exclude");
    all_refused(
        at,
        &[(
            &format!("{options} not.tsv"),
            "not.tsv:2: excluded document 'east' of query 'q1' is judged relevant: grade 2",
        )],
    );
    let said = mrmr(at, &format!("search -q {options} fine.tsv"));
    assert_eq!(said.code, Some(0), "{said}");
}

#[test]
fn a_header_that_promises_more_than_there_is_takes_no_memory() {
    let folder = vectors();
    let at = folder.path();
    let bytes = std::fs::read(at.join("d.npy")).unwrap();
    let text = String::from_utf8_lossy(&bytes[..128]).into_owned();
    let lie = text_with_rows(&text, "2147483648");
    std::fs::write(at.join("lie.npy"), [lie.as_slice(), &bytes[128..]].concat()).unwrap();
    all_refused(
        at,
        &[(
            "--corpus-vectors lie.npy --query-vectors q.npy",
            "lie.npy: expected 17179869184 bytes of numbers (4294967296 of '<f4'), found 32",
        )],
    );
}

/// The first 128 bytes of a file, saying that it has another number of rows than 4.
fn text_with_rows(text: &str, rows: &str) -> Vec<u8> {
    let head: Vec<u8> = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    let header = text[text.find('{').unwrap()..].replace("(4,", &format!("({rows},"));
    let header = format!("{:<117}\n", header.trim_end());
    [head, header.into_bytes()].concat()
}

#[cfg(unix)]
#[test]
fn a_pipe_is_not_searched_block_by_block() {
    let folder = vectors();
    let at = folder.path();
    npy(at, "many.npy", 2, &noise(2000, 3));
    let fifo = at.join("pipe.npy");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.unwrap().success());
    let bytes = std::fs::read(at.join("many.npy")).unwrap();
    let writer = std::thread::spawn(move || {
        // The reader may be gone before all is written.
        let _ = std::fs::write(fifo, bytes);
    });
    let said = refused(
        at,
        "--corpus-vectors pipe.npy --query-vectors q.npy -k 1 --memory 5K",
    );
    writer.join().unwrap();
    assert!(
        said.contains("hint: a file would be searched block by block; a pipe is read once\n"),
        "{said}"
    );
}

#[test]
fn memory_counts_the_pooled_vectors() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples");
    for file in ["pages.npy", "questions.npy"] {
        std::fs::copy(examples.join(file), at.join(file)).unwrap();
    }
    let files = "--corpus-vectors pages.npy --query-vectors questions.npy";
    for (options, pooled) in [
        ("", None),
        ("--first-stage 5", Some(60)),
        ("--first-stage 5 --pool 3", Some(60)),
        ("--pool 1", Some(165)),
    ] {
        let said = mrmr(
            at,
            &format!("search {files} --system maxsim -k 1 {options}"),
        );
        let line = said
            .stderr
            .lines()
            .find(|line| line.starts_with("memory: about"));
        // 16 numbers of 4 bytes, 16 of codes, 32 for the rest.
        let part =
            pooled.map(|count: u64| format!("pooled {:.1} KiB", (count * 112) as f64 / 1024.0));
        match part {
            Some(part) => assert!(line.unwrap().contains(&part), "{part}: {said}"),
            None => assert!(!line.unwrap().contains("pooled"), "{said}"),
        }
    }
}
