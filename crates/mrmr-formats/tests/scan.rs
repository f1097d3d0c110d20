//! Reading on over faults: what the strict readers accept is read the same, what they refuse is found.

#![allow(clippy::unwrap_used)]

use std::io::Write as _;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use mrmr_core::Run;
use mrmr_formats::findings::{Code, Findings, Severity};
use mrmr_formats::qrels::{QrelsOptions, read_qrels};
use mrmr_formats::run::{RunOptions, read_run};
use mrmr_formats::{Input, scan};

/// `code place: message` of every finding.
fn told(findings: &Findings) -> Vec<String> {
    findings
        .lists()
        .flat_map(|list| list.listed)
        .map(|finding| format!("{} {}: {}", finding.code, finding.place, finding.message))
        .collect()
}

fn run(name: &str, bytes: &[u8]) -> (Run, Vec<String>) {
    let scanned = scan::run(&Input::memory(name, bytes)).unwrap();
    let told = told(&scanned.findings);
    (scanned.run, told)
}

fn rows(run: &Run) -> Vec<(String, String, f64)> {
    let mut rows = Vec::new();
    for query in run.queries().keys() {
        for entry in run.entries(query) {
            rows.push((
                run.queries().name(query).to_owned(),
                run.documents().name(entry.document).to_owned(),
                entry.score,
            ));
        }
    }
    rows
}

#[test]
fn what_the_strict_reader_accepts_reads_the_same() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/runs");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    assert!(!paths.is_empty());
    for path in paths {
        let input = Input::path(&path);
        let Ok((strict, notes)) = read_run(&input, &RunOptions::default()) else {
            continue;
        };
        let scanned = scan::run(&input).unwrap();
        assert_eq!(rows(&scanned.run), rows(&strict), "{}", path.display());
        assert_eq!(scanned.run.name(), strict.name(), "{}", path.display());
        assert_eq!(scanned.file, notes.file, "{}", path.display());
        assert_eq!(
            scanned.findings.count(Severity::Error),
            0,
            "{}",
            path.display()
        );
    }
}

#[test]
fn the_first_error_is_that_of_the_strict_reader() {
    for text in [
        "q1 Q0 d1 1 2\nq1 Q0 d1 1 2 t\n",
        "q1 Q0 d1 1 2 t\nq1 Q0 d1 2 1 t\n",
        "q1 Q0 d1 1 x t\n",
        "q1 Q0 d1 1 nan t\n",
        "qid,docid,score\nq1,,1\n",
        "qid,docid,score\nq1,\"d,1\n",
        "a b\n",
        "qid,score\nq1,1\n",
        "{\"q1\": {\"d1\": \"x\"}}",
        "{\"q1\": {\"\": 1}}",
        "{\"q1\": {\"d1\" 1}}",
        "{\"q1\": {\"d1\": 1}, \"q2\": 3}",
        "[{\"qid\": \"q1\", \"score\": 1}]",
        "{\"qid\": \"q1\", \"docid\": \"d1\", \"score\": null}\n",
    ] {
        let input = Input::memory("run.txt", text.as_bytes());
        let strict = read_run(&input, &RunOptions::default()).unwrap_err();
        let (_, found) = run("run.txt", text.as_bytes());
        let errors: Vec<&str> = found
            .iter()
            .filter_map(|f| Some(f.split_once(' ')?.1))
            .collect();
        assert!(
            errors.contains(&strict.to_string().as_str()),
            "{strict}: {found:?}"
        );
    }
}

#[test]
fn conflicts_among_judgements_are_all_found_in_the_order_of_the_file() {
    let text = "q2 0 b 1\nq1 0 a 1\nq1 0 a 2\nq2 0 b 3\nq1 0 a 2\nq3 0 c 0\n";
    let input = Input::memory("qrels.txt", text.as_bytes());
    let error = read_qrels(&input, &QrelsOptions::default()).unwrap_err();
    let scanned = scan::qrels(&input).unwrap();
    let found = told(&scanned.findings);
    assert_eq!(
        found,
        [
            "conflicting-grades qrels.txt:3: query 'q1', document 'a': grade 2 here, but 1 at line 2; one pair has one grade",
            "conflicting-grades qrels.txt:4: query 'q2', document 'b': grade 3 here, but 1 at line 1; one pair has one grade",
            "identical-rows qrels.txt:5: query 'q1', document 'a': grade 2, as at line 3 already",
            "no-relevant qrels.txt:6: query 'q3' has no relevant document",
        ]
    );
    assert!(
        found
            .iter()
            .any(|finding| finding.ends_with(&error.to_string()))
    );
    assert_eq!(scanned.qrels.len(), 3);
}

#[test]
fn a_quote_that_nobody_closes_hides_no_line_behind_it() {
    let (run, found) = run(
        "run.csv",
        b"qid,docid,score\nq1,\"d1,1\nq1,d2,2\nq1,d3,x\nq1,\"d\n4\",4\n",
    );
    assert_eq!(
        found,
        [
            "bad-score run.csv:4: expected a number as score, found \"x\"",
            "field-count run.csv:2: expected 3 fields, found 2: \"q1,\"d1,1\\nq1,d2,2\\nq1,d3,x\\nq1,\"d\"",
        ]
    );
    let ids: Vec<String> = rows(&run).into_iter().map(|row| row.1).collect();
    assert_eq!(ids, ["d2", "d\n4"]);
    let lines: String = (0..100_000).map(|n| format!("q1,d{n},{n}\n")).collect();
    let text = format!("qid,docid,score\nq1,\"d,1\n{lines}");
    let (run, found) = self::run("run.csv", text.as_bytes());
    assert_eq!(
        found,
        ["open-quote run.csv:2: a quote is opened here and never closed"]
    );
    assert_eq!(run.len(), 100_000);
}

#[test]
fn the_format_is_that_of_most_lines_where_the_first_is_no_record() {
    let (run_, found) = run(
        "run.txt",
        b"3 lines follow\nq1 Q0 d1 1 2 t\nq1 Q0 d2 2 1 t\n",
    );
    assert_eq!(run_.len(), 2);
    assert_eq!(
        found,
        ["field-count run.txt:1: expected 6 fields, found 3: \"3 lines follow\""]
    );
    let (run_, found) = run("run.txt", b"q1 d1 1\nq1 Q0 d1 1 2 t\nq1 d2 2\n");
    assert_eq!((run_.len(), found.len()), (2, 2), "{found:?}");
}

#[test]
fn parquet_is_read_over_its_faults() {
    let text =
        |values: &[Option<&str>]| -> ArrayRef { Arc::new(StringArray::from(values.to_vec())) };
    let scores: ArrayRef = Arc::new(Float64Array::from(vec![2.0, 1.0, f64::NAN, 0.5, 0.1]));
    let texts = text(&[Some("2"), Some("1"), Some("0,9"), Some("0.5"), None]);
    let third = [
        "bad-score x: row 2: column 'score': expected a number, found \"0,9\"",
        "nan-score x: row 2: expected a number as score for document 'd3' of query 'q1', found NaN",
    ];
    for (scores, third, fifth) in [(scores, third[1], None), (texts, third[0], Some(()))] {
        let columns = [
            (
                "query_id",
                text(&[Some("q1"), None, Some("q1"), Some("q1"), Some("q1")]),
            ),
            (
                "corpus_id",
                text(&[Some("d1"), Some("d2"), Some("d3"), Some("d1"), Some("d5")]),
            ),
            ("score", scores),
        ];
        let batch = RecordBatch::try_from_iter(columns).unwrap();
        let mut bytes = Vec::new();
        let mut writer =
            parquet::arrow::ArrowWriter::try_new(&mut bytes, batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        let (run, found) = run("x", &bytes);
        let mut expected = vec![
            third,
            "duplicate-document x: row 3: query 'q1': document 'd1' is there twice, with score 0.5 here and 2 at row 0",
            "empty-id x: row 1: expected the id of a query, found nothing",
        ];
        if fifth.is_some() {
            expected.push("bad-score x: row 4: expected a number as score for document 'd5' of query 'q1', found nothing");
        }
        let mut found = found;
        found.sort();
        expected.sort_unstable();
        assert_eq!(found, expected);
        assert_eq!(run.len(), if fifth.is_some() { 1 } else { 2 });
    }
}

#[test]
fn a_data_set_of_several_files_is_read_over_its_faults() {
    let folder = tempfile::tempdir().unwrap();
    let texts =
        |values: &[Option<&str>]| -> ArrayRef { Arc::new(StringArray::from(values.to_vec())) };
    let write = |path: &str, columns: Vec<(&str, ArrayRef)>| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let batch = RecordBatch::try_from_iter(columns).unwrap();
        let file = std::fs::File::create(path).unwrap();
        let mut writer = parquet::arrow::ArrowWriter::try_new(file, batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
    };
    let records = |ids: &[Option<&str>], text: &[Option<&str>], modality: &[Option<&str>]| {
        vec![
            ("id", texts(ids)),
            ("text", texts(text)),
            ("modality", texts(modality)),
        ]
    };
    let text = Some("text");
    write(
        "query/test.parquet",
        records(
            &[Some("q1"), Some("q2")],
            &[Some("a"), Some("b")],
            &[text, text],
        ),
    );
    write(
        "corpus/test-00000-of-00002.parquet",
        records(
            &[Some("d1"), None, Some("d2")],
            &[Some("see <image 1>"), Some("a"), Some("a")],
            &[Some("image,text"), text, Some("image")],
        ),
    );
    write(
        "corpus/test-00001-of-00002.parquet",
        records(
            &[Some("d2"), Some("d3"), Some("d3")],
            &[Some("a"), None, Some("b")],
            &[text, text, text],
        ),
    );
    write(
        "qrels/test.parquet",
        vec![
            (
                "query_id",
                texts(&[Some("q1"), Some("q1"), Some("q9"), Some("q1")]),
            ),
            (
                "corpus_id",
                texts(&[Some("d1"), Some("d1"), Some("d8"), None]),
            ),
            (
                "score",
                texts(&[Some("1"), Some("2"), Some("1"), Some("1")]),
            ),
        ],
    );
    let options = mrmr_formats::dataset::DatasetOptions::default();
    let scanned = scan::dataset(folder.path(), &options).unwrap();
    let root = format!("{}/", folder.path().display());
    let found: Vec<String> = told(&scanned.findings)
        .into_iter()
        .map(|finding| finding.replace(&root, ""))
        .collect();
    assert_eq!(
        found,
        [
            "conflicting-grades qrels/test.parquet: row 1: query 'q1', document 'd1': grade 2 here, but 1 at row 0; one pair has one grade",
            "duplicate-id corpus/test-00001-of-00002.parquet: row 0: id 'd2' is there already, at row 2 of corpus/test-00000-of-00002.parquet; ids are unique",
            "duplicate-id corpus/test-00001-of-00002.parquet: row 2: id 'd3' is there already, at row 1; ids are unique",
            "empty-id qrels/test.parquet: row 3: expected a value, found null in column 'corpus_id'",
            "empty-id corpus/test-00000-of-00002.parquet: row 1: expected an id, found null in column 'id'",
            "empty-record corpus: row 4: document 'd3' has neither text nor image",
            "missing-image corpus: row 0: document 'd1' names an image that is not there",
            "modality-mismatch corpus: row 0: document 'd1' holds text, and its column 'modality' says image,text",
            "modality-mismatch corpus: row 2: document 'd2' holds text, and its column 'modality' says image",
            "modality-mismatch corpus: row 4: document 'd3' holds empty, and its column 'modality' says text",
            "orphan-gold qrels/test.parquet: row 2: document 'd8' is relevant, and missing from the corpus",
            "unjudged-query query/test.parquet: row 1: query 'q2' has no judgement",
            "unknown-query qrels/test.parquet: row 2: query 'q9' is judged, and not among the queries",
        ]
    );
    std::fs::write(
        folder.path().join("corpus/test-00001-of-00002.parquet"),
        b"PAR1",
    )
    .unwrap();
    std::fs::remove_dir_all(folder.path().join("query")).unwrap();
    let scanned = scan::dataset(folder.path(), &options).unwrap();
    assert_eq!(scanned.findings.count_of(Code::BrokenFile), 1);
    assert_eq!(scanned.findings.count_of(Code::MissingPart), 1);
    assert_eq!(scanned.dataset.corpus.len(), 2);
}

#[test]
fn a_compressed_file_that_is_cut_off_is_checked_as_far_as_it_goes() {
    let lines: String = (0..3000)
        .map(|n| {
            format!(
                "q{} Q0 d{n} 1 {n}{} t\n",
                n / 10,
                if n == 3 { "x" } else { "" }
            )
        })
        .collect();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(lines.as_bytes()).unwrap();
    let gz = encoder.finish().unwrap();
    let (_, found) = run("run.gz", &gz);
    assert_eq!(
        found,
        ["bad-score run.gz:4: expected a number as score, found \"3x\""]
    );
    let cut = scan::run(&Input::memory("run.gz", &gz[..gz.len() / 2])).unwrap();
    assert_eq!(cut.findings.count_of(Code::BadScore), 1);
    let list = cut
        .findings
        .lists()
        .find(|list| list.code == Code::BrokenFile);
    assert_eq!(
        list.unwrap().listed[0].hints,
        [
            "the file is cut off; copy or download it again",
            "what follows was not checked"
        ]
    );
    assert!(cut.run.len() > 100);
}

#[test]
fn what_cannot_be_opened_is_an_error() {
    assert!(scan::run(&Input::path("no/such/file")).is_err());
    assert!(scan::qrels(&Input::path(".")).is_err());
}

/// Queries of four lines each, in an order; of every third one the ranks contradict the scores.
fn ranked(order: impl Iterator<Item = usize>) -> String {
    let line = |at: usize| {
        let (query, rank) = (at / 4, at % 4);
        let score = if query % 3 == 0 && rank == 2 {
            9
        } else {
            4 - rank
        };
        format!("q{query} Q0 d{rank} {rank} {score} t\n")
    };
    order.map(line).collect()
}

#[test]
fn ranks_are_compared_by_query_in_whatever_order_the_lines_stand() {
    const QUERIES: usize = 3000;
    let lines = 4 * QUERIES;
    let grouped = ranked(0..lines);
    // 7919 is prime to the number of lines: every line comes once.
    let shuffled = ranked((0..lines).map(|step| step * 7919 % lines));
    for text in [grouped, shuffled] {
        let input = Input::memory("run.txt", text.as_bytes());
        let findings = scan::run(&input).unwrap().findings;
        assert_eq!(findings.count_of(Code::RankAgainstScore), 1000);
        let list = findings.lists();
        let mut list = list.filter(|list| list.code == Code::RankAgainstScore);
        let told: Vec<(String, String)> = list
            .next()
            .unwrap()
            .listed
            .iter()
            .map(|finding| (finding.place.to_string(), finding.message.clone()))
            .collect();
        let first = text
            .lines()
            .position(|line| line.contains(" 2 9 t"))
            .unwrap()
            + 1;
        assert_eq!(told[0].0, format!("run.txt:{first}"));
        for (place, message) in told {
            let line = place.rsplit(':').next().unwrap().parse::<usize>().unwrap();
            let line = text.lines().nth(line - 1).unwrap();
            let query = line.split(' ').next().unwrap();
            assert!(line.contains(" 2 9 t") && message.contains(&format!("'{query}'")));
        }
        let (_, notes) = read_run(&input, &RunOptions::default()).unwrap();
        assert_eq!(notes.rank_disagreements, 1000);
        assert_eq!(notes.first_rank_disagreement.unwrap().number, first as u64);
    }
}

#[test]
fn a_rank_contradicts_the_score_of_a_line_behind_another_query() {
    let (_, told) = run("run.txt", b"q Q0 a 1 1 t\nr Q0 a 1 1 t\nq Q0 b 2 5 t\n");
    assert_eq!(
        told,
        [
            "query-scattered run.txt:3: query 'q' comes again behind other queries; it began at line 1",
            "rank-against-score run.txt:3: query 'q': the score here is above that of a better rank; the scores count",
        ]
    );
}
