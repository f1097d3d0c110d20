//! Writing runs and judgements, and reading them back.

#![allow(clippy::unwrap_used)]

use std::io::Write;

use mrmr_core::{DuplicatePolicy, Error, Origin, Qrels, RankingPolicy, Run};
use mrmr_formats::Input;
use mrmr_formats::output::{
    write_atomically, write_qrels_trec, write_run_json, write_run_parquet, write_run_trec,
};
use mrmr_formats::qrels::{QrelsOptions, read_qrels};
use mrmr_formats::run::{RunOptions, read_run};
use proptest::prelude::*;

type Writer = fn(&Run, RankingPolicy, &mut (dyn Write + Send)) -> Result<(), Error>;

fn trec(run: &Run, policy: RankingPolicy, out: &mut (dyn Write + Send)) -> Result<(), Error> {
    write_run_trec(run, policy, out)
}

fn json(run: &Run, policy: RankingPolicy, out: &mut (dyn Write + Send)) -> Result<(), Error> {
    write_run_json(run, policy, out)
}

fn run(rows: &[(String, String, f64)]) -> Run {
    let mut builder = Run::builder("a name", Origin::memory("rows"));
    for (number, (query, document, score)) in rows.iter().enumerate() {
        builder.add(query, document, *score, number as u64).unwrap();
    }
    builder.finish(DuplicatePolicy::Best).unwrap().0
}

/// Each query with its documents in order, scores by their bits.
fn ranked(run: &Run) -> Vec<(String, Vec<(String, u64)>)> {
    let ranked = |query| {
        let ranking = run.ranking(query, RankingPolicy::default());
        let entry = |entry: &mrmr_core::Entry| {
            (
                run.documents().name(entry.document).to_owned(),
                entry.score.to_bits(),
            )
        };
        let entries = ranking.entries().iter().map(entry).collect();
        (run.queries().name(query).to_owned(), entries)
    };
    run.queries().keys().map(ranked).collect()
}

fn written(run: &Run, write: Writer) -> Vec<u8> {
    let mut out = Vec::new();
    write(run, RankingPolicy::default(), &mut out).unwrap();
    out
}

fn id() -> impl Strategy<Value = String> {
    // Nothing but control characters is left out: spaces, quotes, marks, any script.
    prop_oneof![
        "[a-z0-9]{1,8}",
        "\\PC{1,12}",
        "[ #{\\[\"',;|\u{feff}\u{a0}]{1,3}\\PC{0,3}",
    ]
}

fn score() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<f64>().prop_filter("a score is a number", |score| !score.is_nan()),
        Just(f64::INFINITY),
        Just(f64::NEG_INFINITY),
        Just(0.0),
        Just(-0.0),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_written_run_reads_back_as_it_was(rows in prop::collection::vec((id(), id(), score()), 0..12)) {
        let run = run(&rows);
        for write in [trec as Writer, json, write_run_parquet] {
            let bytes = written(&run, write);
            let (back, _) = read_run(&Input::memory("run", bytes), &RunOptions::default()).unwrap();
            prop_assert_eq!(ranked(&back), ranked(&run));
        }
    }

    #[test]
    fn no_bytes_make_the_readers_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), text in "[\\[{}\"':,\\\\ \t\nq0-9.eE+#-]{0,60}") {
        for bytes in [bytes, text.into_bytes()] {
            let input = Input::memory("x", bytes);
            let _ = read_run(&input, &RunOptions::default());
            let _ = read_qrels(&input, &QrelsOptions::default());
        }
    }
}

#[test]
fn a_run_is_written_in_the_order_of_its_queries_and_of_the_policy() {
    let rows = [
        ("q2", "a", 1.0),
        ("q1", "b", 0.1),
        ("q2", "c", f64::INFINITY),
        ("q2", "b", 1.0),
    ];
    let run = run(&rows.map(|(query, document, score)| (query.into(), document.into(), score)));
    assert_eq!(
        String::from_utf8(written(&run, trec)).unwrap(),
        "q2 Q0 c 1 inf a_name\nq2 Q0 b 2 1 a_name\nq2 Q0 a 3 1 a_name\nq1 Q0 b 1 0.1 a_name\n"
    );
}

#[test]
fn an_id_with_a_space_brings_tabs() {
    let run = run(&[
        ("q".into(), "a b".into(), 1.0),
        ("q".into(), "c".into(), 0.5),
    ]);
    assert_eq!(
        String::from_utf8(written(&run, trec)).unwrap(),
        "q\tQ0\ta b\t1\t1\ta_name\nq\tQ0\tc\t2\t0.5\ta_name\n"
    );
}

#[test]
fn an_id_that_trec_lines_cannot_hold_is_an_error() {
    let mut out = Vec::new();
    let with_tab = run(&[("q".into(), "a\tb".into(), 1.0)]);
    let error = write_run_trec(&with_tab, RankingPolicy::default(), &mut out).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the id of a document holds a tab or a line end, which TREC lines cannot hold: \"a\\tb\""
    );
    assert_eq!(error.hints(), ["write JSON"]);
    let nameless = run(&[(String::new(), "a".into(), 1.0)]);
    let error = write_run_trec(&nameless, RankingPolicy::default(), &mut out).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the id of a query is empty, which TREC lines cannot hold"
    );
}

#[test]
fn written_judgements_read_back_as_they_were() {
    let mut builder = Qrels::builder(Origin::memory("rows"));
    let rows = [
        ("q 1", "b", 0.5),
        ("q 1", "a", -1.0),
        ("\u{feff}q", "b", 3.0),
    ];
    for (number, (query, document, grade)) in rows.into_iter().enumerate() {
        builder.add(query, document, grade, number as u64).unwrap();
    }
    let (qrels, _) = builder.finish().unwrap();
    let mut out = Vec::new();
    write_qrels_trec(&qrels, &mut out).unwrap();
    assert_eq!(
        String::from_utf8_lossy(&out),
        "q 1\t0\tb\t0.5\nq 1\t0\ta\t-1\n\u{feff}q\t0\tb\t3\n"
    );
    let (back, _) = read_qrels(&Input::memory("qrels", out), &QrelsOptions::default()).unwrap();
    assert_eq!(format!("{back:?}"), format!("{qrels:?}"));
}

#[test]
fn judgements_by_subtopic_keep_their_subtopics() {
    let text = "1 1 a 2\n1 2 a 1\n1 2 b 0\n";
    let read = |text: &[u8]| {
        let input = Input::memory("qrels", text);
        read_qrels(&input, &QrelsOptions::default()).unwrap().0
    };
    let mut out = Vec::new();
    write_qrels_trec(&read(text.as_bytes()), &mut out).unwrap();
    assert_eq!(String::from_utf8_lossy(&out), text);

    // An empty name, and one with a space, need tabs.
    let text = "1\t\ta\t2\n1\tb c\ta\t1\n";
    out.clear();
    write_qrels_trec(&read(text.as_bytes()), &mut out).unwrap();
    assert_eq!(String::from_utf8_lossy(&out), text);
}

#[test]
fn a_failed_write_leaves_what_was_there_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.txt");
    std::fs::write(&path, "old").unwrap();
    let error = write_atomically(&path, |out| {
        out.write_all(b"half").map_err(Error::io)?;
        Err::<(), _>(Error::data("no more"))
    })
    .unwrap_err();
    assert_eq!(error.to_string(), format!("{}: no more", path.display()));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_path_that_cannot_be_written_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("no/run.txt");
    let error = write_atomically(&path, |_| Ok(())).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with(&format!("{}: No such file", path.display())),
        "{error}"
    );
    let gone = folder.path().join("no");
    assert_eq!(
        error.hints(),
        [format!("the folder '{}' does not exist", gone.display())]
    );
    let error = write_atomically(folder.path(), |_| Ok(())).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "{}: expected a file to write, found a folder",
            folder.path().display()
        )
    );
}

#[cfg(unix)]
#[test]
fn links_are_followed_permissions_kept_and_devices_written_to() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let (file, link) = (folder.path().join("file"), folder.path().join("link"));
    std::fs::write(&file, "old").unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
    symlink(&file, &link).unwrap();
    write_atomically(&link, |out| out.write_all(b"new").map_err(Error::io)).unwrap();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "new");
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(
        std::fs::metadata(&file).unwrap().permissions().mode() & 0o777,
        0o640
    );
    write_atomically("/dev/null".as_ref(), |out| {
        out.write_all(b"x").map_err(Error::io)
    })
    .unwrap();
    assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
}

#[cfg(unix)]
#[test]
fn a_named_pipe_is_read_like_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    assert!(made.unwrap().success());
    let writer = {
        let path = path.clone();
        std::thread::spawn(move || {
            let mut pipe = std::fs::OpenOptions::new().write(true).open(path).unwrap();
            for part in ["q1 Q", "0 d1 1 2.5 t\nq1 Q0", " d2 2 1 t"] {
                pipe.write_all(part.as_bytes()).unwrap();
                pipe.flush().unwrap();
            }
        })
    };
    let (run, _) = read_run(&Input::path(&path), &RunOptions::default()).unwrap();
    writer.join().unwrap();
    assert_eq!((run.len(), run.name()), (2, "t"));
}
