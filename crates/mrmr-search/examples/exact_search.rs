//! Times exact search over a file of rows and one of queries, both of little-endian 32-bit numbers:
//! `exact_search rows.f32 queries.f32 dimension threads k batch repeats answers.u32`.

use std::error::Error;
use std::fs;
use std::io::Write;
use std::time::Instant;

use mrmr_search::{ExactIndex, Index, Metric, Neighbour, Vectors};

/// Processor seconds of all threads, where the system tells (Linux), in steps of its clock of 100 Hz.
fn processor_seconds() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(11);
    let (user, system): (f64, f64) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some((user + system) / 100.0)
}

fn vectors(path: &str, dimension: usize) -> Result<Vectors, Box<dyn Error + Send + Sync>> {
    let bytes = fs::read(path)?;
    let (numbers, _) = bytes.as_chunks::<4>();
    let numbers = numbers.iter().map(|bytes| f32::from_le_bytes(*bytes));
    Ok(Vectors::new(dimension, numbers.collect())?)
}

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [
        rows,
        queries,
        dimension,
        threads,
        k,
        batch,
        repeats,
        answers,
    ] = arguments.as_slice()
    else {
        return Err("expected: rows queries dimension threads k batch repeats answers".into());
    };
    let (dimension, k, batch) = (dimension.parse()?, k.parse()?, batch.parse::<usize>()?);
    let (rows, queries) = (vectors(rows, dimension)?, vectors(queries, dimension)?);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.parse()?)
        .build()?;
    let mut out = std::io::stdout();
    pool.install(|| {
        let (start, before) = (Instant::now(), processor_seconds());
        let (index, _) = ExactIndex::builder(Metric::Dot, rows).build()?;
        let spent = |before: Option<f64>| Some(processor_seconds()? - before?);
        let seconds = start.elapsed().as_secs_f64();
        writeln!(
            out,
            "build\t{seconds:.3}\t{:.2}",
            spent(before).unwrap_or(f64::NAN)
        )?;
        let mut found: Vec<Vec<Neighbour>> = Vec::new();
        for _ in 0..repeats.parse()? {
            found.clear();
            let (start, before) = (Instant::now(), processor_seconds());
            for first in (0..queries.len()).step_by(batch) {
                let batch = queries.slice(first..queries.len().min(first + batch));
                found.extend(index.search(&batch, k)?);
            }
            let seconds = start.elapsed().as_secs_f64();
            writeln!(
                out,
                "search\t{seconds:.3}\t{:.2}",
                spent(before).unwrap_or(f64::NAN)
            )?;
        }
        let rows = found
            .iter()
            .flatten()
            .flat_map(|neighbour| neighbour.row.to_le_bytes());
        fs::write(answers, rows.collect::<Vec<u8>>())?;
        Ok(())
    })
}
