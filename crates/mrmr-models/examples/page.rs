//! Times drawing: `page texts.json THREADS [page:SETTING,...]`, the texts a JSON list of strings, a page each.

use std::error::Error;
use std::fs;
use std::io::Write;
use std::time::Instant;

use mrmr_core::{Content, Result};
use mrmr_models::{PageDrawer, PageNotes, PageOptions};
use rayon::prelude::*;

/// Processor seconds of all threads, where the system tells (Linux), in steps of its clock of 100 Hz.
fn processor_seconds() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(11);
    let (user, system): (f64, f64) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some((user + system) / 100.0)
}

fn main() -> std::result::Result<(), Box<dyn Error + Send + Sync>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [texts, threads, rest @ ..] = arguments.as_slice() else {
        return Err("expected: texts.json THREADS [page:SETTING,...]".into());
    };
    let options: PageOptions = rest.first().map_or("page", String::as_str).parse()?;
    let texts: Vec<String> = serde_json::from_slice(&fs::read(texts)?)?;
    let contents: Vec<Content> = texts.into_iter().map(Content::from).collect();
    let mut out = std::io::stdout();
    let start = Instant::now();
    let drawer = PageDrawer::open(&options)?;
    writeln!(out, "open\t{:.3} s", start.elapsed().as_secs_f64())?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.parse()?)
        .build()?;
    for (name, png) in [("draw", false), ("draw and write PNG", true)] {
        let (start, before) = (Instant::now(), processor_seconds());
        let draw = |content: &Content| -> Result<(PageNotes, u64, usize)> {
            let page = drawer.draw(content)?;
            let bytes = if png { page.png().len() } else { 0 };
            Ok((page.notes(), u64::from(page.height()), bytes))
        };
        let drawn: Vec<Result<_>> = pool.install(|| contents.par_iter().map(draw).collect());
        let seconds = start.elapsed().as_secs_f64();
        let spent = processor_seconds()
            .zip(before)
            .map(|(now, then)| now - then);
        let (mut notes, mut rows, mut bytes) = (PageNotes::default(), 0, 0);
        for (page, high, written) in drawn.iter().flatten() {
            notes.add(*page);
            rows += high;
            bytes += written;
        }
        let failed = drawn.iter().filter(|page| page.is_err()).count();
        writeln!(
            out,
            "{name}\t{:.0} pages/s\t{:.2} CPU ms a page\t{} pixels high on average\t{} KiB on average\t{notes}, {failed} failed",
            drawn.len() as f64 / seconds,
            1000.0 * spent.unwrap_or(f64::NAN) / drawn.len() as f64,
            rows / drawn.len().max(1) as u64,
            bytes / drawn.len().max(1) / 1024
        )?;
        if let Some(hint) = notes.hint().filter(|_| !png) {
            writeln!(out, "{hint}")?;
        }
    }
    Ok(())
}
