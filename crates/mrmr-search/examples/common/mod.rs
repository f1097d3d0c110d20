//! What the timed examples share: vectors from files, and processor time.

use std::error::Error;
use std::fs;
use std::time::Instant;

use mrmr_search::{Neighbour, Vectors};

/// What an example fails with.
pub(crate) type Failure = Box<dyn Error + Send + Sync>;

/// Wall and processor time since it was made.
pub(crate) struct Clock(Instant, Option<f64>);

impl Clock {
    /// Starts now.
    pub(crate) fn start() -> Self {
        Clock(Instant::now(), processor_seconds())
    }

    /// Wall and processor seconds, with a tab between.
    pub(crate) fn spent(&self) -> String {
        let wall = self.0.elapsed().as_secs_f64();
        let processor = processor_seconds()
            .zip(self.1)
            .map(|(now, then)| now - then);
        format!("{wall:.3}\t{:.2}", processor.unwrap_or(f64::NAN))
    }
}

/// Processor seconds of all threads, where the system tells (Linux), in steps of its clock of 100 Hz.
fn processor_seconds() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(11);
    let (user, system): (f64, f64) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
    Some((user + system) / 100.0)
}

/// Rows of little-endian 32-bit numbers.
pub(crate) fn vectors(path: &str, dimension: usize) -> Result<Vectors, Failure> {
    let bytes = fs::read(path)?;
    let (numbers, _) = bytes.as_chunks::<4>();
    let numbers = numbers.iter().map(|bytes| f32::from_le_bytes(*bytes));
    Ok(Vectors::new(dimension, numbers.collect())?)
}

/// Writes the rows that were found, query after query.
pub(crate) fn write_rows(path: &str, found: &[Vec<Neighbour>]) -> Result<(), Failure> {
    let rows = found.iter().flatten();
    let bytes = rows.flat_map(|neighbour| neighbour.row.to_le_bytes());
    Ok(fs::write(path, bytes.collect::<Vec<u8>>())?)
}
