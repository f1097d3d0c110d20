//! Times exact MaxSim over files of little-endian numbers, vectors in 32 bits and offsets in 64:
//! `maxsim_search documents.f32 document_offsets.u64 queries.f32 query_offsets.u64 dimension threads k batch repeats answers.u32`.

use std::error::Error;
use std::fs;
use std::io::Write;
use std::time::Instant;

use mrmr_search::{MaxSimIndex, Metric, MultiVectorIndex, MultiVectors, Neighbour};

type Failure = Box<dyn Error + Send + Sync>;

/// Wall seconds, and processor seconds of all threads, where the system tells (Linux), in steps of its clock of
/// 100 Hz.
fn seconds(start: Instant, before: Option<f64>) -> String {
    let spent = processor_seconds()
        .zip(before)
        .map(|(now, then)| now - then);
    let wall = start.elapsed().as_secs_f64();
    format!("{wall:.3}\t{:.2}", spent.unwrap_or(f64::NAN))
}

fn processor_seconds() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(11);
    let (user, system): (f64, f64) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some((user + system) / 100.0)
}

fn items(vectors: &str, offsets: &str, dimension: usize) -> Result<MultiVectors, Failure> {
    let (vectors, offsets) = (fs::read(vectors)?, fs::read(offsets)?);
    let numbers = vectors.as_chunks::<4>().0.iter();
    let numbers = numbers.map(|bytes| f32::from_le_bytes(*bytes)).collect();
    let offsets = offsets.as_chunks::<8>().0.iter();
    let offsets = offsets.map(|bytes| u64::from_le_bytes(*bytes) as usize);
    Ok(MultiVectors::new(dimension, numbers, offsets.collect())?)
}

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [
        documents,
        document_offsets,
        queries,
        query_offsets,
        dimension,
        threads,
        k,
        batch,
        repeats,
        answers,
    ] = arguments.as_slice()
    else {
        return Err("expected: documents document_offsets queries query_offsets dimension threads k batch repeats answers".into());
    };
    let (dimension, k, batch) = (dimension.parse()?, k.parse()?, batch.parse::<usize>()?);
    let documents = items(documents, document_offsets, dimension)?;
    let queries = items(queries, query_offsets, dimension)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.parse()?)
        .build()?;
    let mut out = std::io::stdout();
    pool.install(|| {
        let (start, before) = (Instant::now(), processor_seconds());
        let builder = MaxSimIndex::builder(documents).metric(Metric::Dot);
        let (index, _) = builder.build()?;
        writeln!(out, "build\t{}", seconds(start, before))?;
        let mut found: Vec<Vec<Neighbour>> = Vec::new();
        for _ in 0..repeats.parse()? {
            found.clear();
            let (start, before) = (Instant::now(), processor_seconds());
            for first in (0..queries.len()).step_by(batch) {
                let batch = queries.slice(first..queries.len().min(first + batch));
                found.extend(index.search(&batch, k)?);
            }
            writeln!(out, "search\t{}", seconds(start, before))?;
        }
        let rows = found
            .iter()
            .flatten()
            .flat_map(|neighbour| neighbour.row.to_le_bytes());
        fs::write(answers, rows.collect::<Vec<u8>>())?;
        Ok(())
    })
}
