//! `mrmr rerank` by models of each kind. Their weights are random: the orders mean nothing, the ways to them do.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod support;

use std::os::unix::fs::symlink;
use std::path::Path;

use insta::assert_snapshot;
use support::{Said, mrmr};

const RUN: &str = "\
q1 Q0 d1 1 9 first
q1 Q0 d2 2 8 first
q1 Q0 d3 3 7 first
q1 Q0 d4 4 6 first
q2 Q0 d4 1 5 first
q2 Q0 d3 2 4 first
";

/// Two queries, four documents, a run of them and models beside.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../mrmr-models/tests/fixtures");
    for model in [
        "tiny-bert",
        "tiny-colbert",
        "tiny-cross-encoder",
        "tiny-clip",
    ] {
        symlink(fixtures.join(model), at.join(model)).unwrap();
    }
    let write = |name: &str, text: &str| std::fs::write(at.join(name), text).unwrap();
    write(
        "queries.jsonl",
        "{\"_id\": \"q1\", \"text\": \"why is the sky blue\"}\n\
         {\"_id\": \"q2\", \"text\": \"a cat and a fish\"}\n",
    );
    write(
        "corpus.jsonl",
        "{\"_id\": \"d1\", \"text\": \"the sky scatters blue light\"}\n\
         {\"_id\": \"d2\", \"title\": \"Fish\", \"text\": \"fish live in water\"}\n\
         {\"_id\": \"d3\", \"text\": \"a cat ate a fish\"}\n\
         {\"_id\": \"d4\", \"text\": \"0123456789 !?\"}\n",
    );
    write("first.run", RUN);
    folder
}

fn rerank(at: &Path, run: &str, more: &str) -> Said {
    let sides = "--queries queries.jsonl --corpus corpus.jsonl";
    mrmr(at, &format!("rerank {run} {sides} {more}"))
}

/// Scores to three digits: the last bits of a network are those of the processor.
fn rounded(said: Said) -> Said {
    let lines = said.stdout.lines().map(|line| {
        let mut fields: Vec<String> = line.split(' ').map(str::to_owned).collect();
        if let Some(score) = fields.get_mut(4) {
            *score = format!("{:.3}", score.parse::<f64>().unwrap());
        }
        fields.join(" ") + "\n"
    });
    Said {
        stdout: lines.collect(),
        ..said
    }
}

#[test]
fn each_kind_of_model_reranks_to_the_depth() {
    let folder = folder();
    for model in ["tiny-cross-encoder", "tiny-bert", "tiny-colbert", "hashing"] {
        let said = rerank(
            folder.path(),
            "first.run",
            &format!("--model {model} --depth 3"),
        );
        assert_snapshot!(format!("by_{model}"), rounded(said));
    }
}

#[test]
fn what_is_below_the_depth_is_kept_in_its_order_or_dropped() {
    let folder = folder();
    let by = |more: &str| {
        let more = format!("--model hashing --name x {more}");
        rerank(folder.path(), "first.run", &more).stdout
    };
    assert_snapshot!(by("--depth 1"));
    assert_snapshot!(by("--depth 1 --below drop"));
    // All are scored: nothing is below.
    assert_eq!(by("--depth 4 --below drop"), by("--depth 4"));
}

#[test]
fn every_form_of_a_run_goes_in_and_comes_out() {
    let folder = folder();
    let at = folder.path();
    let by = |run: &str, more: &str| rerank(at, run, &format!("--model hashing {more}"));
    let expected = by("first.run", "").stdout;
    // Reranking a run again by the same model changes nothing, whatever form it was read from.
    for file in ["a.json", "a.parquet", "a.trec"] {
        let written = by("first.run", &format!("-o {file}"));
        assert_eq!(
            (written.code, written.stdout.as_str()),
            (Some(0), ""),
            "{written}"
        );
        let again = by(file, "");
        assert_eq!(again.stdout, expected, "{file}: {again}");
    }
    let read = |name: &str| std::fs::read_to_string(at.join(name)).unwrap();
    assert_eq!(read("a.trec"), expected);
    assert_snapshot!(read("a.json"));
    assert_eq!(by("first.run", "--format json").stdout, read("a.json"));
}

#[test]
fn ids_that_the_data_do_not_have_are_errors_but_below_the_depth() {
    let folder = folder();
    let at = folder.path();
    std::fs::write(
        at.join("document.run"),
        RUN.replace("q1 Q0 d4", "q1 Q0 d44"),
    )
    .unwrap();
    std::fs::write(at.join("query.run"), RUN.replace("q2", "q22")).unwrap();
    assert_snapshot!(rerank(at, "document.run", "--model hashing"));
    assert_snapshot!(rerank(at, "query.run", "--model hashing"));
    let below = rerank(at, "document.run", "--model hashing --depth 3");
    assert_eq!(below.code, Some(0), "{below}");
    assert!(below.stdout.contains("q1 Q0 d44 4 "), "{below}");
}

#[test]
fn an_empty_run_stays_one_where_its_form_can_say_so() {
    let folder = folder();
    let at = folder.path();
    std::fs::write(at.join("empty.run"), "").unwrap();
    std::fs::write(at.join("empty.json"), "{}").unwrap();
    std::fs::write(at.join("unanswered.json"), "{\"q1\": {}}").unwrap();
    assert_snapshot!(rerank(at, "empty.run", "--model tiny-cross-encoder"));
    assert_snapshot!(rerank(at, "empty.json", "--model tiny-bert"));
    assert_snapshot!(rerank(
        at,
        "unanswered.json",
        "--model tiny-bert --format json"
    ));
}

#[test]
fn a_model_that_scores_no_texts_says_so() {
    let folder = folder();
    let at = folder.path();
    std::fs::create_dir(at.join("no-model")).unwrap();
    let all = [
        "pixels",
        "no-model",
        "./none",
        "tiny-cross-encoder --dimension 4",
        "tiny-cross-encoder --content merged",
    ]
    .map(|model| {
        format!(
            "{model}: {}",
            rerank(at, "first.run", &format!("--model {model}"))
        )
    });
    assert_snapshot!(all.join("\n"));
}

#[test]
fn pairs_without_a_score_stand_below_those_with_one_and_are_told() {
    let folder = folder();
    let at = folder.path();
    // Nothing to encode under a rule that needs a text or a picture.
    let corpus = std::fs::read_to_string(at.join("corpus.jsonl")).unwrap();
    let corpus = corpus.replace("a cat ate a fish", "");
    std::fs::write(at.join("corpus.jsonl"), corpus).unwrap();
    let more = "--model tiny-clip --content two-stream";
    let said = rounded(rerank(at, "first.run", more));
    assert_snapshot!(said);
    let allowed = rounded(rerank(at, "first.run", &format!("{more} --allow-failures")));
    assert_eq!((allowed.code, allowed.stdout), (Some(0), said.stdout));
}

#[test]
fn captions_that_are_not_there_are_counted_once_a_picture() {
    let folder = folder();
    let at = folder.path();
    let dot = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/dot.png");
    std::fs::copy(dot, at.join("dot.png")).unwrap();
    let corpus = std::fs::read_to_string(at.join("corpus.jsonl")).unwrap();
    // d3 stands in the lists of both queries.
    let corpus = corpus.replace(
        "\"text\": \"a cat ate a fish\"",
        "\"text\": \"a cat\", \"image\": \"dot.png\"",
    );
    std::fs::write(at.join("corpus.jsonl"), corpus).unwrap();
    std::fs::write(at.join("captions.json"), "[]").unwrap();
    for model in ["tiny-cross-encoder", "tiny-bert"] {
        let more = format!("--model {model} --content captions --captions captions.json");
        let said = rerank(at, "first.run", &more);
        assert_eq!(said.code, Some(0), "{said}");
        assert!(
            said.stderr.contains("warning: 1 image has no caption\n"),
            "{said}"
        );
        // Below the depth it is not read.
        let said = rerank(at, "first.run", &format!("{more} --depth 1"));
        assert!(!said.stderr.contains("caption"), "{said}");
    }
}

#[test]
fn an_id_that_the_form_cannot_hold_ends_it_before_a_model_is_opened() {
    let folder = folder();
    let at = folder.path();
    std::fs::write(at.join("tab.json"), "{\"q1\": {\"d1\": 2, \"d\\t2\": 1}}").unwrap();
    assert_snapshot!(rerank(at, "tab.json", "--model ./none"));
    let json = rerank(at, "tab.json", "--model hashing --depth 1 --format json");
    assert_eq!(json.code, Some(0), "{json}");
}
