//! `mrmr caption`: each picture is asked for once, a kill costs none that was answered, what is missing is listed.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use mrmr_core::{Collection, Content, DocId, Image, Media, Origin, Part, Qrels, QueryId, Record};
use mrmr_formats::dataset::write_mrmr;
use serde_json::{Value, json};

/// A chat that tells pictures apart by their length; it hangs after so many answers, and refuses what it is told to.
struct Chat {
    url: String,
    seen: Arc<Mutex<Vec<Value>>>,
}

impl Chat {
    fn start(answers: usize, refused: Option<usize>) -> Chat {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let seen = Arc::new(Mutex::new(Vec::new()));
        let shared = seen.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let seen = shared.clone();
                thread::spawn(move || serve(stream, &seen, answers, refused));
            }
        });
        Chat { url, seen }
    }

    fn endpoint(&self) -> String {
        format!("openai+{}:m,workers=1,retries=0", self.url)
    }

    fn count(&self) -> usize {
        self.seen.lock().unwrap().len()
    }
}

fn serve(mut stream: TcpStream, seen: &Mutex<Vec<Value>>, answers: usize, refused: Option<usize>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    loop {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line).unwrap_or(0) == 0 {
                return;
            }
            if let Some(value) = line.to_lowercase().strip_prefix("content-length: ") {
                length = value.trim().parse().unwrap();
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let body: Value = serde_json::from_slice(&body).unwrap();
        let number = {
            let mut seen = seen.lock().unwrap();
            seen.push(body.clone());
            seen.len()
        };
        if number > answers {
            thread::sleep(Duration::from_secs(60));
            return;
        }
        let url = body["messages"][0]["content"][1]["image_url"]["url"]
            .as_str()
            .unwrap();
        let (status, answer) = if refused == Some(number) {
            (400, json!({"error": {"message": "unsupported image"}}))
        } else {
            let caption = format!("A picture of {} characters.", url.len());
            (
                200,
                json!({"choices": [{"message": {"content": caption}, "finish_reason": "stop"}]}),
            )
        };
        let text = answer.to_string();
        let head = format!(
            "HTTP/1.1 {status} X\r\ncontent-length: {}\r\n\r\n",
            text.len()
        );
        if stream
            .write_all(format!("{head}{text}").as_bytes())
            .is_err()
        {
            return;
        }
    }
}

/// A picture of this many bytes behind PNG's signature; nobody here looks at them.
fn picture(length: usize) -> Vec<u8> {
    [b"\x89PNG\r\n\x1a\n".to_vec(), vec![7; length]].concat()
}

/// How long the picture is in a request, as the chat's caption says.
fn caption(length: usize) -> String {
    let base64 = (length + 8).div_ceil(3) * 4;
    format!(
        "A picture of {} characters.",
        "data:image/png;base64,".len() + base64
    )
}

fn image(number: usize, bytes: Vec<u8>) -> Part {
    Part::Image(Image {
        label: format!("image {number}"),
        media: Media::Bytes(bytes.into()),
    })
}

fn text(text: &str) -> Part {
    Part::Text(text.to_owned())
}

/// Two queries and four documents with three pictures in five places.
fn data() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let record = |parts: Vec<Part>| Record::new(Content::new(parts));
    let (a, b, c) = (picture(10), picture(100), picture(1000));
    let mut queries: Collection<QueryId> = Collection::new(Origin::memory("queries"));
    let q1 = record(vec![text("What is "), image(1, a.clone())]);
    queries.push("q1", q1, 0).unwrap();
    let q2 = record(vec![image(1, b), text("or"), image(2, a.clone())]);
    queries.push("q2", q2, 1).unwrap();
    let mut corpus: Collection<DocId> = Collection::new(Origin::memory("corpus"));
    corpus
        .push("d1", record(vec![text("See "), image(1, c)]), 0)
        .unwrap();
    corpus
        .push("d2", record(vec![image(1, a), text("!")]), 1)
        .unwrap();
    corpus
        .push("d3", record(vec![text("no picture")]), 2)
        .unwrap();
    let mut qrels = Qrels::builder(Origin::memory("qrels"));
    qrels.add("q1", "d1", 1.0, 0).unwrap();
    qrels.add("q2", "d2", 1.0, 1).unwrap();
    let (qrels, _) = qrels.finish().unwrap();
    write_mrmr(folder.path().join("data"), &queries, &corpus, &qrels).unwrap();
    folder
}

fn mrmr(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin("mrmr"));
    command.current_dir(folder).args(arguments);
    command
}

fn run(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = mrmr(folder, arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code(), text(stdout), text(stderr))
}

fn ask(folder: &Path, chat: &Chat, more: &[&str]) -> (Option<i32>, String, String) {
    let endpoint = chat.endpoint();
    let mut arguments = vec![
        "caption",
        "data",
        "--captioner",
        &endpoint,
        "-o",
        "captions.json",
    ];
    arguments.extend(more);
    run(folder, &arguments)
}

fn captions(folder: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(folder.join("captions.json")).unwrap()).unwrap()
}

fn all_captions() -> Value {
    let one = |length| json!({"caption": caption(length)});
    json!([
        {"subset": "query", "item_id": "q1", "captions": {"image_1": one(10)}},
        {"subset": "query", "item_id": "q2", "captions": {"image_1": one(100), "image_2": one(10)}},
        {"subset": "corpus", "item_id": "d1", "captions": {"image_1": one(1000)}},
        {"subset": "corpus", "item_id": "d2", "captions": {"image_1": one(10)}},
    ])
}

#[test]
fn each_picture_is_asked_for_once_however_often_it_stands_somewhere() {
    let folder = data();
    let chat = Chat::start(100, None);
    let (code, stdout, stderr) = ask(folder.path(), &chat, &["--prompt", "What is it?"]);
    assert_eq!((code, stdout.as_str()), (Some(0), ""), "{stderr}");
    assert_eq!(captions(folder.path()), all_captions());
    assert_eq!(chat.count(), 3);
    assert_eq!(
        chat.seen.lock().unwrap()[0]["messages"][0]["content"][0]["text"],
        "What is it?"
    );
    assert!(
        stderr.contains("captions: 3 pictures\n3 requests, "),
        "{stderr}"
    );
    assert!(
        stderr.contains("captions.json: 5 captions of 3 pictures"),
        "{stderr}"
    );

    // Again: nothing is asked.
    let (code, _, stderr) = ask(folder.path(), &chat, &["--prompt", "What is it?"]);
    assert_eq!((code, chat.count()), (Some(0), 3), "{stderr}");
    assert_eq!(captions(folder.path()), all_captions());

    // Another prompt is another file.
    let (code, _, stderr) = ask(folder.path(), &chat, &[]);
    assert_eq!(code, Some(2));
    assert!(stderr.contains("captions of another prompt"), "{stderr}");
}

#[test]
fn a_kill_costs_no_caption_that_was_answered() {
    let folder = data();
    let chat = Chat::start(2, None);
    let endpoint = chat.endpoint();
    let arguments = [
        "caption",
        "data",
        "--captioner",
        &endpoint,
        "-o",
        "captions.json",
    ];
    let mut child = mrmr(folder.path(), &arguments).spawn().unwrap();
    while chat.count() < 3 {
        thread::sleep(Duration::from_millis(5));
    }
    // SIGKILL: the program has no say.
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!folder.path().join("captions.json").exists());
    let journal = folder.path().join("captions.json.journal");
    let mut lines = std::fs::read_to_string(&journal).unwrap();
    assert_eq!(lines.lines().count(), 3, "{lines}");
    // And the machine lost half a line.
    lines += "{\"picture\": \"ab";
    std::fs::write(&journal, lines).unwrap();

    // The address is part of the model's name in the journal: the same one answers again.
    let journal_text = std::fs::read_to_string(&journal).unwrap();
    let other = Chat::start(100, None);
    std::fs::write(&journal, journal_text.replace(&chat.url, &other.url)).unwrap();
    let (code, _, stderr) = ask(folder.path(), &other, &[]);
    assert_eq!((code, other.count()), (Some(0), 1), "{stderr}");
    assert_eq!(captions(folder.path()), all_captions());
}

#[test]
fn an_interrupted_run_ends_with_130_and_says_what_is_kept() {
    let folder = data();
    let chat = Chat::start(2, None);
    let endpoint = chat.endpoint();
    let arguments = ["caption", "data", "--captioner", &endpoint, "-o", "c.json"];
    let child = mrmr(folder.path(), &arguments)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while chat.count() < 3 {
        thread::sleep(Duration::from_millis(5));
    }
    let id = child.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert!(sent.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        stderr.ends_with(
            "warning: interrupted; captions so far are kept in c.json.journal; \
             the same command goes on from there\n"
        ),
        "{stderr}"
    );
    assert!(!folder.path().join("c.json").exists());
    let journal = std::fs::read_to_string(folder.path().join("c.json.journal")).unwrap();
    assert_eq!(journal.lines().count(), 3, "{journal}");
}

#[test]
fn what_has_no_caption_is_told_listed_and_asked_again() {
    let folder = data();
    let chat = Chat::start(100, Some(2));
    let (code, _, stderr) = ask(folder.path(), &chat, &[]);
    assert_eq!(code, Some(1), "{stderr}");
    assert!(
        stderr
            .contains("warning: query 'q2', image 1: the endpoint answered 400: unsupported image"),
        "{stderr}"
    );
    let list = ["caption", "data", "--missing", "-o", "captions.json"];
    let (code, stdout, stderr) = run(folder.path(), &list);
    assert_eq!((code, stdout.as_str()), (Some(1), "query\tq2\timage 1\n"));
    assert!(
        stderr.contains("1 of 5 pictures has no caption"),
        "{stderr}"
    );

    let (code, _, stderr) = ask(folder.path(), &chat, &[]);
    assert_eq!((code, chat.count()), (Some(0), 4), "{stderr}");
    assert_eq!(captions(folder.path()), all_captions());
    let (code, stdout, _) = run(folder.path(), &list);
    assert_eq!((code, stdout.as_str()), (Some(0), ""));
}

#[test]
fn an_endpoint_that_is_gone_leaves_what_was_answered_and_says_how_to_go_on() {
    let folder = data();
    let chat = Chat::start(100, None);
    let (code, _, stderr) = run(
        folder.path(),
        &[
            "caption",
            "data",
            "--captioner",
            "openai+http://127.0.0.1:9:m,retries=0",
            "-o",
            "c.json",
        ],
    );
    assert_eq!(code, Some(2));
    assert!(
        stderr.contains("hint: captions so far are kept in c.json.journal"),
        "{stderr}"
    );
    assert!(!folder.path().join("c.json").exists());

    std::fs::write(folder.path().join("captions.json"), "[]").unwrap();
    let (code, _, stderr) = ask(folder.path(), &chat, &[]);
    assert_eq!((code, chat.count()), (Some(2), 0));
    assert!(
        stderr.contains("captions.json: this file is there already"),
        "{stderr}"
    );
}
