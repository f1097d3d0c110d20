//! Times exact search in one pass over a file of vectors that need not fit into memory:
//! `scan_file rows.npy queries.npy k rows-a-block threads`.

use std::error::Error;
use std::io::Write;
use std::time::Instant;

use mrmr_formats::vectors::{VectorBlocks, VectorOptions, read_vectors};
use mrmr_search::{ExactScan, Metric, VectorQueries, Vectors};

/// The most memory the process has had, in MiB, where the system tells (Linux).
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? / 1024)
}

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [rows, queries, k, block, threads] = arguments.as_slice() else {
        return Err("expected: rows queries k rows-a-block threads".into());
    };
    let options = VectorOptions::default();
    let queries = read_vectors(queries, &options)?;
    let ids = (0..queries.rows).map(|row| row.to_string()).collect();
    let queries = VectorQueries::new(ids, Vectors::new(queries.dimension, queries.data)?)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.parse()?)
        .build()?;
    let start = Instant::now();
    let found = pool.install(|| {
        let mut scan = ExactScan::new(Metric::Dot, queries, k.parse()?)?;
        let mut blocks = VectorBlocks::open(rows, &options)?;
        scan.add_file(&mut blocks, block.parse()?, None, &())?;
        Ok::<_, Box<dyn Error + Send + Sync>>(scan.finish()?)
    })?;
    let best = found.neighbours();
    let best = best.first().and_then(|found| found.first());
    writeln!(
        std::io::stdout(),
        "{:.3} s\t{} MiB\tfirst: {best:?}",
        start.elapsed().as_secs_f64(),
        peak().unwrap_or_default()
    )?;
    Ok(())
}
