//! Times search by codes over a file of rows and one of queries, both of little-endian 32-bit numbers:
//! `pq_search rows.f32 queries.f32 dimension threads k batch repeats answers.u32 segments=96 rescored=0,100,200`.

#[allow(dead_code)]
mod common;

use std::io::Write;

use common::{Clock, Failure, vectors, write_rows};
use mrmr_search::{Approximate, Index, Metric, Neighbour, PqIndex, PqParams};

fn main() -> Result<(), Failure> {
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
        segments,
        rescored,
    ] = arguments.as_slice()
    else {
        return Err(
            "expected: rows queries dimension threads k batch repeats answers segments=N rescored=N,.."
                .into(),
        );
    };
    let segments = segments
        .strip_prefix("segments=")
        .ok_or("expected segments=N")?;
    let rescored = rescored
        .strip_prefix("rescored=")
        .ok_or("expected rescored=N,..")?;
    let params = PqParams {
        segments: Some(segments.parse()?),
        ..PqParams::default()
    };
    let (dimension, k, batch) = (dimension.parse()?, k.parse()?, batch.parse::<usize>()?);
    let (rows, queries) = (vectors(rows, dimension)?, vectors(queries, dimension)?);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.parse()?)
        .build()?;
    let mut out = std::io::stdout();
    pool.install(|| {
        let clock = Clock::start();
        let builder = PqIndex::builder(Metric::Dot, rows).params(params);
        let (mut index, notes) = builder.build(&())?;
        writeln!(out, "build\t{}", clock.spent())?;
        writeln!(out, "error	{:.4}", notes.error)?;
        for rescored in rescored.split(',') {
            index.set_effort(rescored.parse()?)?;
            let mut found: Vec<Vec<Neighbour>> = Vec::new();
            for _ in 0..repeats.parse()? {
                found.clear();
                let clock = Clock::start();
                for first in (0..queries.len()).step_by(batch) {
                    let batch = queries.slice(first..queries.len().min(first + batch));
                    found.extend(index.search(&batch, k)?);
                }
                writeln!(out, "search\t{}\tprobes={rescored}", clock.spent())?;
            }
            write_rows(&format!("{answers}.{rescored}"), &found)?;
        }
        Ok(())
    })
}
