//! `mrmr bench --encoder`: an encoder beside BM25 under each content rule. The models' weights are random: the values
//! mean nothing, the ways to them do.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

mod support;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::thread;

use insta::assert_snapshot;
use serde_json::Value;
use support::{Said, mrmr};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../mrmr-models/tests/fixtures")
}

/// Three queries; documents of words, of a picture, and of both.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    std::fs::create_dir_all(at.join("set/qrels")).unwrap();
    for model in ["tiny-bert", "tiny-colbert", "tiny-clip", "tiny-clip-joint"] {
        symlink(fixtures().join(model), at.join(model)).unwrap();
    }
    for name in ["rgba.png", "grey.png"] {
        let from = fixtures().join("pictures").join(name);
        std::fs::copy(from, at.join("set").join(name)).unwrap();
    }
    let write = |name: &str, text: &str| std::fs::write(at.join(name), text).unwrap();
    write(
        "set/queries.jsonl",
        r#"{"_id": "q1", "text": "blue sky"}
{"_id": "q2", "text": "a cat"}
{"_id": "q3", "text": "a fish"}
"#,
    );
    write(
        "set/corpus.jsonl",
        r#"{"_id": "d1", "text": "the sky is blue"}
{"_id": "d2", "content": [{"type": "text", "text": "a cat: "}, {"type": "image", "path": "grey.png"}]}
{"_id": "d3", "image": "rgba.png"}
{"_id": "d4", "text": "a fish"}
"#,
    );
    write(
        "set/qrels/test.tsv",
        "query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t1\nq3\td4\t1\n",
    );
    write(
        "captions.json",
        r#"[{"subset": "corpus", "item_id": "d3", "captions": {"image": {"caption": "a fish"}, "image_1": {"caption": "a fish"}}}]"#,
    );
    folder
}

fn bench(at: &Path, more: &str) -> Said {
    mrmr(
        at,
        &format!("bench set -m RR@10 -m R@1 --store store {more}"),
    )
}

#[test]
fn an_encoder_stands_beside_bm25_and_a_second_time_nothing_is_encoded() {
    let folder = folder();
    let first = bench(folder.path(), "--encoder hashing --dimension 256");
    assert_snapshot!(first);
    let second = bench(folder.path(), "--encoder hashing --dimension 256");
    assert_eq!((second.code, &second.stdout), (first.code, &first.stdout));
    assert_snapshot!(second.stderr);
    // Another setting is another encoding.
    let other = bench(folder.path(), "--encoder hashing --dimension 128");
    assert!(other.stderr.contains("set: reuse 0 of 2 shards"), "{other}");
}

#[test]
fn every_content_rule_encodes_what_it_reads_and_marks_what_it_cannot() {
    let folder = folder();
    for (name, more) in [
        ("text", "--encoder tiny-bert"),
        (
            "captions",
            "--encoder tiny-colbert --content captions --captions captions.json",
        ),
        ("two_stream", "--encoder tiny-clip --content two-stream"),
        (
            "two_models",
            "--encoder tiny-bert --image-encoder tiny-clip --content two-stream:concat",
        ),
        ("interleaved", "--encoder tiny-clip --content interleaved"),
        ("page", "--encoder tiny-clip --content page"),
    ] {
        let first = bench(folder.path(), more);
        // What is said but for values and ties, which hang on the last bits of random networks.
        let lines = first.stderr.lines();
        let said: Vec<&str> = lines.filter(|line| !line.contains(" tie")).collect();
        let code = first.code.unwrap();
        assert_snapshot!(name, format!("exit code {code}\n{}", said.join("\n")));
        let second = bench(folder.path(), more);
        assert_eq!(second.stdout, first.stdout, "{second}");
        assert!(second.stderr.contains(": nothing is encoded"), "{second}");
    }
    // No model here takes both at once.
    let merged = bench(folder.path(), "--encoder tiny-clip-joint --content merged");
    assert_snapshot!("merged", merged);
}

#[test]
fn records_that_fail_make_the_result_incomplete_in_every_form() {
    let folder = folder();
    let more = "--encoder tiny-clip --content interleaved";
    let json = bench(folder.path(), &format!("{more} --format json"));
    let json: Value = serde_json::from_str(&json.stdout).unwrap();
    let text = json.to_string();
    assert!(
        text.contains("the result is incomplete: the document 'd2' could not be encoded"),
        "{text}"
    );
    let table = bench(folder.path(), more);
    assert!(table.stdout.contains("the result is incomplete"), "{table}");
}

#[test]
fn a_folder_without_a_model_says_what_was_expected() {
    let folder = folder();
    let at = folder.path();
    std::fs::create_dir(at.join("empty")).unwrap();
    std::fs::create_dir(at.join("half")).unwrap();
    std::fs::write(at.join("half/config.json"), "{\"model_type\": \"bert\"}").unwrap();
    let all = ["./none", "empty", "half"]
        .map(|model| format!("{model}: {}", bench(at, &format!("--encoder {model}"))));
    assert_snapshot!(all.join("\n"));
    assert!(!at.join("store").exists());
}

/// An endpoint that refuses whatever it is asked; its address.
fn refusing() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            // A connection that closes before all of the request is read is reset, and its answer lost.
            let mut asked = BufReader::new(&stream);
            let mut length = 0;
            let mut line = String::new();
            while asked.read_line(&mut line).unwrap_or(0) > 2 {
                if let Some((name, value)) = line.split_once(':')
                    && name.eq_ignore_ascii_case("content-length")
                {
                    length = value.trim().parse().unwrap_or(0);
                }
                line.clear();
            }
            let _ = asked.read_exact(&mut vec![0; length]);
            let body = r#"{"error": "no such key"}"#;
            let _ = write!(
                stream,
                "HTTP/1.1 401 Unauthorized\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                body.len()
            );
        }
    });
    address
}

#[test]
fn an_endpoint_that_refuses_ends_it_with_its_answer() {
    let folder = folder();
    let address = refusing();
    let more = format!("--encoder openai+http://{address}:m,retries=0");
    let said = bench(folder.path(), &more).to_string();
    assert_snapshot!(said.replace(&address, "ADDRESS"));
}
