//! Times encoding: `encode MODEL texts.json THREADS RUNTIME REPEATS vectors.f32`, the texts a JSON list of strings.

use std::error::Error;
use std::fs;
use std::io::Write;
use std::time::Instant;

use mrmr_core::Content;
use mrmr_models::{ModelOptions, Role, open_encoder};

/// Processor seconds of all threads, where the system tells (Linux), in steps of its clock of 100 Hz.
fn processor_seconds() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(11);
    let (user, system): (f64, f64) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some((user + system) / 100.0)
}

/// The most memory so far in MiB, where the system tells (Linux).
fn peak_memory() -> Option<u64> {
    let text = fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? / 1024)
}

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [model, texts, threads, runtime, repeats, vectors] = arguments.as_slice() else {
        return Err("expected: MODEL texts.json THREADS RUNTIME REPEATS vectors.f32".into());
    };
    let texts: Vec<String> = serde_json::from_slice(&fs::read(texts)?)?;
    let contents: Vec<Content> = texts.into_iter().map(Content::from).collect();
    let options = ModelOptions {
        threads: Some(threads.parse()?),
        runtime: runtime.parse()?,
        ..ModelOptions::default()
    };
    let mut out = std::io::stdout();
    let start = Instant::now();
    let encoder = open_encoder(model, &options)?;
    writeln!(out, "open\t{:.3}", start.elapsed().as_secs_f64())?;
    for _ in 0..repeats.parse()? {
        let (start, before) = (Instant::now(), processor_seconds());
        let made = encoder.encode(&contents, Role::Document)?;
        let seconds = start.elapsed().as_secs_f64();
        let spent = || Some(processor_seconds()? - before?);
        writeln!(
            out,
            "encode\t{seconds:.3}\t{:.2}\t{}\t{}",
            spent().unwrap_or(f64::NAN),
            made.notes().tokens,
            peak_memory().unwrap_or(0)
        )?;
        let bytes = made
            .as_slice()
            .iter()
            .flat_map(|number| number.to_le_bytes());
        fs::write(vectors, bytes.collect::<Vec<u8>>())?;
    }
    Ok(())
}
