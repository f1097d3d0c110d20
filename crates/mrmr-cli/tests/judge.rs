//! `mrmr judge`: what it writes, warns of and refuses.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Output};

fn mrmr(folder: &Path, line: &str) -> Output {
    Command::new(assert_cmd::cargo::cargo_bin("mrmr"))
        .args(line.split(' '))
        .current_dir(folder)
        .output()
        .unwrap()
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

const PASSAGES: &str = concat!(
    "{\"_id\": \"p1\", \"title\": \"Rome\", \"text\": \"The city of the popes.\"}\n",
    "{\"_id\": \"p2\", \"title\": \"Italy\", \"text\": \"Its capital is ROME; no other.\"}\n",
    "{\"_id\": \"p3\", \"title\": \"Romer\", \"text\": \"A weir. 42 metres, caf\u{e9}.\"}\n",
);

#[test]
fn whole_tokens_match_and_titles_only_when_asked_for() {
    let questions = concat!(
        "{\"_id\": 1, \"answers\": [\"rome\"]}\n",
        "{\"_id\": \"q2\", \"answers\": [\"cafe\u{301}\"]}\n",
        "{\"_id\": \"q3\", \"answers\": [\"Paris\", \"of popes\"]}\n",
    );
    let folder = folder(&[("q.jsonl", questions), ("p.jsonl", PASSAGES)]);
    let qrels = || std::fs::read_to_string(folder.path().join("out.txt")).unwrap();
    let out = mrmr(folder.path(), "judge answers q.jsonl p.jsonl -o out.txt");
    assert!(out.status.success(), "{}", stderr(&out));
    assert_eq!(qrels(), "1 0 p2 1\nq2 0 p3 1\nq3 0 p1 0\n");
    mrmr(
        folder.path(),
        "judge answers q.jsonl p.jsonl -o out.txt --titles --unanswered drop",
    );
    assert_eq!(qrels(), "1 0 p1 1\n1 0 p2 1\nq2 0 p3 1\n");
    mrmr(
        folder.path(),
        "judge answers q.jsonl p.jsonl -o out.txt --normalization squad",
    );
    assert_eq!(qrels(), "1 0 p2 1\nq2 0 p1 0\nq3 0 p1 1\n");
}

#[test]
fn noisy_and_empty_answers_are_told() {
    let questions = "{\"_id\": \"q\", \"answers\": [\"No\", \"42\", \"\u{200b}\", \"weir\"]}\n";
    let folder = folder(&[("q.jsonl", questions), ("p.jsonl", PASSAGES)]);
    let told = stderr(&mrmr(
        folder.path(),
        "judge answers q.jsonl p.jsonl -o out.txt",
    ));
    assert!(
        told.contains("warning: 2 answers are likely to be found"),
        "{told}"
    );
    assert!(
        told.contains("q 'No' (yes or no), q '42' (a number)"),
        "{told}"
    );
    assert!(
        told.contains("1 answer without any token left out, of q"),
        "{told}"
    );
}

#[test]
fn a_line_of_another_form_is_named() {
    let twice = "{\"_id\": \"q\", \"answers\": []}\n\n{\"_id\": \"q\", \"answers\": []}\n";
    let folder = folder(&[
        ("lacks.jsonl", "{\"_id\": \"q\", \"answer\": \"x\"}\n"),
        ("twice.jsonl", twice),
        ("broken.jsonl", "{\"_id\"\n"),
        (
            "list.jsonl",
            "{\"id\": 1, \"label\": \"a\", \"hypotheses\": [{\"label\": \"a\"}]}\n",
        ),
        ("p.jsonl", PASSAGES),
    ]);
    for (line, told) in [
        (
            "judge answers lacks.jsonl p.jsonl -o out.txt",
            "error: lacks.jsonl:1: expected a key 'answers', found _id, answer",
        ),
        (
            "judge answers twice.jsonl p.jsonl -o out.txt",
            "error: twice.jsonl:3: question 'q' stands at line 1 already",
        ),
        (
            "judge answers broken.jsonl p.jsonl -o out.txt",
            "error: broken.jsonl:1: expected a JSON object",
        ),
        (
            "judge nbest list.jsonl -o out.txt --run out.run",
            "error: list.jsonl:1: 'hypotheses': expected {\"label\": ..., \"score\": number}",
        ),
        (
            "judge nbest list.jsonl -o out.txt --run out.txt",
            "error: out.txt: two results would be written to one file",
        ),
    ] {
        let out = mrmr(folder.path(), line);
        assert_eq!(out.status.code(), Some(2), "{line}");
        assert!(stderr(&out).starts_with(told), "{}", stderr(&out));
        assert!(!folder.path().join("out.txt").exists(), "{line}");
    }
}

#[test]
fn a_right_label_that_is_not_listed_stays_in_the_judgements() {
    let lists = concat!(
        "{\"id\": \"a\", \"hypotheses\": [{\"label\": \"turn on\", \"score\": 0.5}, {\"label\": \"off\", \"score\": 0.5}], \"label\": \"off\"}\n",
        "{\"id\": \"b\", \"hypotheses\": [{\"label\": \"off\", \"score\": 2}], \"label\": \"stop\"}\n",
    );
    let folder = folder(&[("lists.jsonl", lists)]);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let out = mrmr(
        folder.path(),
        "judge nbest lists.jsonl -o out.txt --run out.run",
    );
    let told = stderr(&out);
    assert!(
        told.contains("1 item whose right label is not in the list (b)"),
        "{told}"
    );
    assert!(told.contains("1 list has equal scores"), "{told}");
    assert_eq!(read("out.txt"), "a 0 off 1\nb 0 stop 1\n");
    assert_eq!(
        read("out.run"),
        "a\tQ0\tturn on\t1\t0.5\tnbest\na\tQ0\toff\t2\t0.5\tnbest\nb\tQ0\toff\t1\t2\tnbest\n"
    );
}

const CHUNKS: &str = concat!(
    "{\"_id\": \"c1\", \"document\": \"d\", \"start\": 0, \"end\": 10}\n",
    "{\"_id\": \"c2\", \"document\": \"d\", \"start\": 8, \"end\": 20}\n",
    "{\"_id\": \"c3\", \"document\": \"e\", \"start\": 0, \"end\": 10}\n",
);

#[test]
fn a_chunk_is_relevant_by_the_share_that_is_asked_for() {
    // Query a: 4 of 8 characters in c1, 6 of 8 in c2. Query b: whole in c2, a sixth of it. Query c: nowhere.
    let spans = concat!(
        "{\"_id\": \"a\", \"document\": \"d\", \"start\": 6, \"end\": 14}\n",
        "{\"_id\": \"b\", \"document\": \"d\", \"start\": 18, \"end\": 20}\n",
        "{\"_id\": \"c\", \"document\": \"f\", \"start\": 0, \"end\": 2}\n",
    );
    let folder = folder(&[("s.jsonl", spans), ("c.jsonl", CHUNKS)]);
    let judge = |options: &str| {
        let line = format!("judge spans s.jsonl c.jsonl -o out.txt{options}");
        let out = mrmr(folder.path(), &line);
        assert!(out.status.success(), "{}", stderr(&out));
        let written = std::fs::read_to_string(folder.path().join("out.txt")).unwrap();
        (written, stderr(&out))
    };
    let (written, told) = judge("");
    assert_eq!(written, "a 0 c1 1\na 0 c2 1\nb 0 c2 1\nc 0 c1 0\n");
    assert!(
        told.contains(
            "ceiling: 1 of 3 spans are held entirely by a chunk; cut: a (line 1), c (line 3)"
        ),
        "{told}"
    );
    assert_eq!(
        judge(" --threshold 0.6").0,
        "a 0 c2 1\nb 0 c2 1\nc 0 c1 0\n"
    );
    assert_eq!(judge(" --share chunk").0, "a 0 c2 1\nb 0 c1 0\nc 0 c1 0\n");
    assert_eq!(
        judge(" --share both --threshold 0.5").0,
        "a 0 c2 1\nb 0 c1 0\nc 0 c1 0\n"
    );
}

#[test]
fn a_text_is_located_where_it_stands_once_in_either_unit() {
    let documents =
        "{\"_id\": \"d\", \"title\": \"T\", \"text\": \"\u{e9}\u{e9}\u{e9} one two one\"}\n";
    let folder = folder(&[
        ("d.jsonl", documents),
        (
            "s.jsonl",
            "{\"_id\": \"q\", \"document\": \"d\", \"text\": \"two\"}\n",
        ),
        (
            "often.jsonl",
            "{\"_id\": \"q\", \"document\": \"d\", \"text\": \"one\"}\n",
        ),
        (
            "long.jsonl",
            "{\"_id\": \"q\", \"document\": \"d\", \"start\": 0, \"end\": 6, \"text\": \"\u{e9}\u{e9}\u{e9}\"}\n",
        ),
        (
            "characters.jsonl",
            "{\"_id\": \"c\", \"document\": \"d\", \"start\": 8, \"end\": 11}\n",
        ),
        (
            "bytes.jsonl",
            "{\"_id\": \"c\", \"document\": \"d\", \"start\": 11, \"end\": 14}\n",
        ),
    ]);
    for unit in ["characters", "bytes"] {
        let line = format!(
            "judge spans s.jsonl {unit}.jsonl --documents d.jsonl --threshold 1 --share both --unit {unit} -o out.txt"
        );
        assert!(mrmr(folder.path(), &line).status.success());
        let written = std::fs::read_to_string(folder.path().join("out.txt")).unwrap();
        assert_eq!(written, "q 0 c 1\n", "{unit}");
    }
    for (line, told) in [
        (
            "judge spans often.jsonl bytes.jsonl --documents d.jsonl -o no.txt",
            "error: often.jsonl:1: the text stands in document 'd' more than once",
        ),
        (
            "judge spans s.jsonl bytes.jsonl -o no.txt",
            "error: s.jsonl:1: 'start' and 'end' are missing",
        ),
        (
            "judge spans long.jsonl bytes.jsonl -o no.txt",
            "error: long.jsonl:1: the offsets span 6, the text 3",
        ),
        (
            "judge spans s.jsonl bytes.jsonl --threshold 0 -o no.txt",
            "error: threshold 0: expected a share above 0",
        ),
    ] {
        let out = mrmr(folder.path(), line);
        assert_eq!(out.status.code(), Some(2), "{line}");
        assert!(stderr(&out).starts_with(told), "{}", stderr(&out));
    }
}

#[test]
fn clicks_are_added_up_and_graded_by_the_class_of_their_query() {
    let rows = concat!(
        "class\tquery\tdocument\tclicks\timpressions\n",
        "navigational\tnike\ta\t30\t50\n",
        "navigational\tnike\ta\t10\t50\n",
        "navigational\tnike\tb\t20\t100\n",
        "navigational\tnike\tc\t9\t9\n",
        "exploratory\tshoes\ta\t1\t50\n",
        "exploratory\tshoes\tb\t1\t51\n",
        "exploratory\tshoes\tc\t30\t100\n",
        "exploratory\tseldom\tc\t1\t2\n",
        "exploratory\tdull\tc\t0\t20\n",
    );
    let folder = folder(&[("c.tsv", rows)]);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    let out = mrmr(
        folder.path(),
        "judge clicks c.tsv -o out.txt --slices s.tsv",
    );
    let told = stderr(&out);
    assert!(out.status.success(), "{told}");
    assert_eq!(
        read("out.txt"),
        "nike 0 a 1\nnike 0 b 0\nshoes 0 a 1\nshoes 0 b 0\nshoes 0 c 3\ndull 0 c 0\n"
    );
    assert_eq!(
        read("s.tsv"),
        "query-id\tslice\ndull\texploratory\nnike\tnavigational\nshoes\texploratory\n"
    );
    assert!(
        told.contains("2 pairs shown less than 10 times not judged"),
        "{told}"
    );
    assert!(
        told.contains("1 query without a judgement, left out: seldom"),
        "{told}"
    );
    assert!(
        told.contains("1 query without a relevant document, counted 0: dull"),
        "{told}"
    );
}

#[test]
fn rows_of_clicks_that_contradict_themselves_are_named() {
    let header = "query,document,clicks,impressions,class\n";
    let first = format!("{header}q,a,1,20,exploratory\n");
    let folder = folder(&[
        ("more.csv", &format!("{first}q,b,3,2,exploratory\n")),
        ("two.csv", &format!("{first}q,b,1,2,navigational\n")),
        ("class.csv", &format!("{first}p,b,1,2,other\n")),
        ("header.csv", "query,document,clicks\n"),
        ("few.csv", &first),
    ]);
    for (line, told) in [
        ("more.csv", "error: more.csv:3: 3 clicks in 2 impressions"),
        (
            "two.csv",
            "error: two.csv:3: query 'q' is navigational here, but exploratory at line 2",
        ),
        (
            "class.csv",
            "error: class.csv:3: 'class': expected navigational",
        ),
        (
            "header.csv",
            "error: header.csv:1: expected a header with query, document",
        ),
        (
            "few.csv --min-impressions 21",
            "error: few.csv: no document was shown 21 times",
        ),
        ("few.csv --bounds 0.2,0.1", "error: bounds: expected shares"),
    ] {
        let line = format!("judge clicks {line} -o out.txt --slices s.tsv");
        let out = mrmr(folder.path(), &line);
        assert_eq!(out.status.code(), Some(2), "{line}");
        assert!(stderr(&out).starts_with(told), "{}", stderr(&out));
        assert!(!folder.path().join("out.txt").exists(), "{line}");
    }
}
