//! Times search through lists over a file of rows and one of queries, both of little-endian 32-bit numbers:
//! `ivf_search rows.f32 queries.f32 dimension threads k batch repeats answers.u32 lists=1024 probes=4,8,16`.

#[allow(dead_code)]
mod common;

use std::io::Write;

use common::{Clock, Failure, vectors, write_rows};
use mrmr_search::{Approximate, Index, IvfIndex, IvfParams, Metric, Neighbour};

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
        lists,
        probes,
    ] = arguments.as_slice()
    else {
        return Err(
            "expected: rows queries dimension threads k batch repeats answers lists=N probes=N,.."
                .into(),
        );
    };
    let lists = lists.strip_prefix("lists=").ok_or("expected lists=N")?;
    let probes = probes
        .strip_prefix("probes=")
        .ok_or("expected probes=N,..")?;
    let params = IvfParams {
        lists: Some(lists.parse()?),
        ..IvfParams::default()
    };
    let (dimension, k, batch) = (dimension.parse()?, k.parse()?, batch.parse::<usize>()?);
    let (rows, queries) = (vectors(rows, dimension)?, vectors(queries, dimension)?);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.parse()?)
        .build()?;
    let mut out = std::io::stdout();
    pool.install(|| {
        let clock = Clock::start();
        let builder = IvfIndex::builder(Metric::Dot, rows).params(params);
        let (mut index, notes) = builder.build(&())?;
        writeln!(out, "build\t{}", clock.spent())?;
        writeln!(
            out,
            "lists\t{}\t{}\t{:.3}",
            notes.empty_lists, notes.largest_list, notes.imbalance
        )?;
        for probes in probes.split(',') {
            index.set_effort(probes.parse()?)?;
            let mut found: Vec<Vec<Neighbour>> = Vec::new();
            for _ in 0..repeats.parse()? {
                found.clear();
                let clock = Clock::start();
                for first in (0..queries.len()).step_by(batch) {
                    let batch = queries.slice(first..queries.len().min(first + batch));
                    found.extend(index.search(&batch, k)?);
                }
                writeln!(out, "search\t{}\tprobes={probes}", clock.spent())?;
            }
            write_rows(&format!("{answers}.{probes}"), &found)?;
        }
        Ok(())
    })
}
