//! Times pictures: `pictures MODEL FOLDER COUNT THREADS REPEATS vectors.f32`, the first COUNT files of the folder by name.

use std::error::Error;
use std::fs;
use std::io::Write;
use std::time::Instant;

use mrmr_core::{Content, Image, Media, Part};
use mrmr_models::{ModelOptions, Role, open_encoder};

/// Processor seconds of all threads, where the system tells (Linux), in steps of its clock of 100 Hz.
fn processor_seconds() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(11);
    let (user, system): (f64, f64) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some((user + system) / 100.0)
}

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [model, folder, count, threads, repeats, vectors] = arguments.as_slice() else {
        return Err("expected: MODEL FOLDER COUNT THREADS REPEATS vectors.f32".into());
    };
    let mut files = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<Vec<_>, _>>()?;
    files.sort();
    files.truncate(count.parse()?);
    let mut contents = Vec::with_capacity(files.len());
    for file in &files {
        contents.push(Content::new([Part::Image(Image {
            label: file.display().to_string(),
            media: Media::Bytes(fs::read(file)?.into()),
        })]));
    }
    let options = ModelOptions {
        threads: Some(threads.parse()?),
        ..ModelOptions::default()
    };
    let encoder = open_encoder(model, &options)?;
    let mut out = std::io::stdout();
    for _ in 0..repeats.parse()? {
        let (start, before) = (Instant::now(), processor_seconds());
        let made = encoder.encode(&contents, Role::Document)?;
        let seconds = start.elapsed().as_secs_f64();
        let spent = || Some(processor_seconds()? - before?);
        writeln!(
            out,
            "encode\t{seconds:.3}\t{:.2}\t{}",
            spent().unwrap_or(f64::NAN),
            made.failures().len()
        )?;
        let numbers = made.as_slice().iter();
        let bytes: Vec<u8> = numbers.flat_map(|number| number.to_le_bytes()).collect();
        fs::write(vectors, bytes)?;
    }
    Ok(())
}
