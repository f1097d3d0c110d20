//! Times exact search over a file of rows and one of queries, both of little-endian 32-bit numbers:
//! `exact_search rows.f32 queries.f32 dimension threads k batch repeats answers.u32`.

mod common;

use std::io::Write;

use common::{Clock, Failure, vectors, write_rows};
use mrmr_search::{ExactIndex, Index, Metric, Neighbour};

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
        let clock = Clock::start();
        let (index, _) = ExactIndex::builder(Metric::Dot, rows).build()?;
        writeln!(out, "build\t{}", clock.spent())?;
        let mut found: Vec<Vec<Neighbour>> = Vec::new();
        for _ in 0..repeats.parse()? {
            found.clear();
            let clock = Clock::start();
            for first in (0..queries.len()).step_by(batch) {
                let batch = queries.slice(first..queries.len().min(first + batch));
                found.extend(index.search(&batch, k)?);
            }
            writeln!(out, "search\t{}", clock.spent())?;
        }
        write_rows(answers, &found)
    })
}
