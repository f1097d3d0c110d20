//! Times fusing runs that are in memory: `fuse_runs method normalization repeats out.run a.run b.run ...`.

// Vectors, which others read.
#[allow(dead_code)]
mod common;

use std::io::Write;

use common::{Clock, Failure};
use mrmr_core::{RankingPolicy, Run};
use mrmr_formats::input::Input;
use mrmr_formats::output::{write_atomically, write_run_trec};
use mrmr_formats::run::{RunOptions, read_run};
use mrmr_search::fusion::{Fusion, FusionSpec};

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [method, normalization, repeats, file, runs @ ..] = arguments.as_slice() else {
        return Err("expected: method normalization repeats out.run runs".into());
    };
    let mut out = std::io::stdout();
    let clock = Clock::start();
    let read = |path: &String| read_run(&Input::new(path), &RunOptions::default());
    let runs: Vec<Run> = runs
        .iter()
        .map(|path| Ok(read(path)?.0))
        .collect::<Result<_, Failure>>()?;
    writeln!(out, "read\t{}", clock.spent())?;
    let runs: Vec<&Run> = runs.iter().collect();
    let spec = FusionSpec {
        normalization: normalization.parse()?,
        ..FusionSpec::new(method.parse()?)
    };
    let mut fused = None;
    for _ in 0..repeats.parse()? {
        drop(fused.take());
        let clock = Clock::start();
        fused = Some(spec.fuse(&runs, "fused")?.run);
        writeln!(out, "fuse\t{}", clock.spent())?;
    }
    let Some(fused) = fused else { return Ok(()) };
    let policy = RankingPolicy::default();
    Ok(write_atomically(file.as_ref(), |out| {
        write_run_trec(&fused, policy, out)
    })?)
}
