//! Times approximate search over a file of rows and one of queries, both of little-endian 32-bit numbers:
//! `hnsw_search rows.f32 queries.f32 dimension threads k batch repeats answers.u32 [m=16]
//! [ef_construction=100] [ef=16,32,64,128] [metric=dot]`. The answers for ef 64 go to `answers.u32.64`.

mod common;

use std::io::Write;

use common::{Clock, Failure, vectors, write_rows};
use mrmr_search::{Approximate, HnswIndex, HnswParams, Index, Metric, Neighbour};

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (places, options): (Vec<&String>, Vec<&String>) = arguments
        .iter()
        .partition(|argument| !argument.contains('='));
    let [
        rows,
        queries,
        dimension,
        threads,
        k,
        batch,
        repeats,
        answers,
    ] = places[..]
    else {
        return Err("expected: rows queries dimension threads k batch repeats answers".into());
    };
    let mut params = HnswParams::default();
    let mut efforts = vec![16, 32, 64, 128];
    let mut metric = Metric::Dot;
    for option in options {
        match option.split_once('=') {
            Some(("m", value)) => params.m = value.parse()?,
            Some(("ef_construction", value)) => params.ef_construction = value.parse()?,
            Some(("metric", value)) => metric = value.parse()?,
            Some(("ef", values)) => {
                efforts = values
                    .split(',')
                    .map(str::parse)
                    .collect::<Result<_, _>>()?;
            }
            _ => return Err(format!("unknown option {option}").into()),
        }
    }
    let (dimension, k, batch) = (dimension.parse()?, k.parse()?, batch.parse::<usize>()?);
    let (rows, queries) = (vectors(rows, dimension)?, vectors(queries, dimension)?);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.parse()?)
        .build()?;
    let mut out = std::io::stdout();
    pool.install(|| {
        let clock = Clock::start();
        let (mut index, notes) = HnswIndex::builder(metric, rows).params(params).build(&())?;
        writeln!(out, "build\t{}", clock.spent())?;
        writeln!(out, "notes\t{notes:?}")?;
        for ef in efforts {
            index.set_effort(ef)?;
            let mut found: Vec<Vec<Neighbour>> = Vec::new();
            for _ in 0..repeats.parse()? {
                found.clear();
                let clock = Clock::start();
                for first in (0..queries.len()).step_by(batch) {
                    let batch = queries.slice(first..queries.len().min(first + batch));
                    found.extend(index.search(&batch, k)?);
                }
                writeln!(out, "search\t{}\tef={ef}", clock.spent())?;
            }
            write_rows(&format!("{answers}.{ef}"), &found)?;
        }
        Ok(())
    })
}
