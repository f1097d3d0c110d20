//! How much memory a search takes, said before it begins.

use std::fs;

use mrmr_core::{Error, Result};

use super::system::System;
use crate::arguments::{IndexArguments, SearchArguments};
use crate::printer::Printer;
use crate::words::{parse_size, size};

/// Bytes of an id: its text, its place, and the table that finds it.
const ID: u64 = 48;
/// Bytes of a result: a neighbour, then an entry of the run on its way.
const RESULT: u64 = 56;
/// Bytes of a row beside its numbers: its norm, and the bounds of its code.
const ROW: u64 = 32;

/// What is searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    pub(super) rows: u64,
    pub(super) dimension: u64,
    pub(super) queries: u64,
    pub(super) k: u64,
}

/// Bytes by what they are for.
#[derive(Clone, Debug)]
pub(super) struct Plan(Vec<(&'static str, u64)>);

impl Plan {
    /// What a system needs; `exact` if exact search runs beside it.
    pub(super) fn new(task: Task, system: System, index: &IndexArguments, exact: bool) -> Self {
        let Task {
            rows,
            dimension,
            queries,
            k,
        } = task;
        let vectors = (rows + queries).saturating_mul(dimension * 4);
        let codes = rows.saturating_mul(dimension);
        let mut parts = vec![
            ("vectors", vectors),
            ("rows", rows * ROW),
            ("ids", rows * ID),
        ];
        let given = |value: Option<usize>, otherwise: u64| value.map_or(otherwise, |v| v as u64);
        match system {
            System::Pq => {
                let segments = given(index.segments, dimension / 4).max(1);
                let books = 256 * dimension * 4;
                parts.push(("codes", rows.saturating_mul(segments) + books));
            }
            System::Ivf => {
                let lists = given(index.lists, rows.isqrt());
                parts.push(("codes", codes));
                parts.push(("lists", lists.saturating_mul(dimension * 5) + rows * 4));
            }
            System::Hnsw => {
                // Twice m links on the lowest layer, and a few above it.
                let links = given(index.m, 16).saturating_mul(2) + 4;
                parts.push(("codes", codes));
                parts.push(("graph", rows.saturating_mul(links * 4)));
            }
            _ => parts.push(("codes", codes)),
        }
        let runs = if exact { 2 } else { 1 };
        let results = k.min(rows).saturating_mul(queries * RESULT * runs);
        parts.push(("results", results));
        Plan(parts)
    }

    /// All of it.
    pub(super) fn total(&self) -> u64 {
        self.0
            .iter()
            .fold(0, |sum, (_, bytes)| sum.saturating_add(*bytes))
    }

    /// What the results take.
    pub(super) fn results(&self) -> u64 {
        self.0.last().map_or(0, |(_, bytes)| *bytes)
    }

    pub(super) fn say(&self, printer: Printer) {
        let parts: Vec<String> = self
            .0
            .iter()
            .map(|(what, bytes)| format!("{what} {}", size(*bytes)))
            .collect();
        printer.say(&format!(
            "memory: about {} ({})",
            size(self.total()),
            parts.join(", ")
        ));
    }
}

/// How much memory there is: what was said, else what the machine has available; none where nothing says it.
pub(super) fn available(arguments: &SearchArguments) -> Result<Option<u64>> {
    match &arguments.memory {
        Some(text) => Ok(Some(parse_size("--memory", text)?)),
        None => Ok(of_machine().into_iter().chain(of_group()).min()),
    }
}

/// The error of what does not fit and cannot be searched in parts.
pub(super) fn does_not_fit(needed: u64, available: u64, system: System) -> Error {
    let error = Error::unsupported(format!(
        "{} takes about {}, and {} are there",
        system.name(),
        size(needed),
        size(available)
    ));
    match system {
        System::Exact => error.hint("queries, results and a block of documents must fit: a smaller -k, or fewer queries at a time"),
        System::MaxSim => error,
        _ => error.hint("--system exact searches block by block"),
    }
    .hint("--memory SIZE says how much there is")
}

fn of_machine() -> Option<u64> {
    let text = fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find(|line| line.starts_with("MemAvailable:"))?;
    let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes * 1024)
}

/// What is left of the limit of the process's group, where it has one.
fn of_group() -> Option<u64> {
    let folder = "/sys/fs/cgroup";
    let number = |name: &str| -> Option<u64> {
        let text = fs::read_to_string(format!("{folder}/{name}")).ok()?;
        text.trim().parse().ok()
    };
    let (limit, used) = (number("memory.max")?, number("memory.current")?);
    // Files that are kept for later reading give way.
    let stat = fs::read_to_string(format!("{folder}/memory.stat")).ok()?;
    let cached = stat
        .lines()
        .find_map(|line| line.strip_prefix("inactive_file "))?;
    Some((limit + cached.parse::<u64>().ok()?).saturating_sub(used))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index() -> IndexArguments {
        IndexArguments {
            m: Some(16),
            ef_construction: None,
            ef: None,
            lists: None,
            probes: None,
            segments: None,
            rescored: None,
            seed: None,
            pool: None,
            first_stage: None,
            save_index: None,
            index: None,
        }
    }

    #[test]
    fn every_part_is_in_the_sum() {
        let task = Task {
            rows: 1000,
            dimension: 100,
            queries: 10,
            k: 5,
        };
        let exact = Plan::new(task, System::Exact, &index(), false).total();
        assert_eq!(
            exact,
            1010 * 400 + 1000 * 32 + 1000 * 48 + 1000 * 100 + 10 * 5 * 56
        );
        let hnsw = Plan::new(task, System::Hnsw, &index(), true).total();
        assert_eq!(hnsw, exact + 1000 * 36 * 4 + 10 * 5 * 56);
    }

    #[test]
    fn huge_numbers_do_not_overflow() {
        let task = Task {
            rows: u64::MAX / 1000,
            dimension: 1 << 20,
            queries: 1,
            k: u64::MAX,
        };
        let plan = Plan::new(task, System::Hnsw, &index(), true);
        assert_eq!(plan.total(), u64::MAX);
    }
}
