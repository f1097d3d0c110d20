//! How long a search takes, by the clock and by the processors.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use mrmr_core::{DocId, Ids, Result};
use mrmr_search::{Filter, Index, Metric, Neighbour, Vectors};

/// Time that was spent.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spent {
    pub(super) seconds: f64,
    /// Of all processors together, where the system counts it.
    pub(super) cpu_seconds: Option<f64>,
}

/// A moment, to measure from.
pub(super) struct Start {
    clock: Instant,
    cpu: Option<Duration>,
}

impl Start {
    pub(super) fn now() -> Self {
        Start {
            clock: Instant::now(),
            cpu: cpu(),
        }
    }

    pub(super) fn spent(&self) -> Spent {
        let cpu = self.cpu.zip(cpu());
        Spent {
            seconds: self.clock.elapsed().as_secs_f64(),
            cpu_seconds: cpu.map(|(before, now)| now.saturating_sub(before).as_secs_f64()),
        }
    }
}

/// What the process's threads have worked so far.
#[cfg(unix)]
fn cpu() -> Option<Duration> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    let seconds = u64::try_from(time.tv_sec).ok()?;
    Some(Duration::new(seconds, u32::try_from(time.tv_nsec).ok()?))
}

#[cfg(not(unix))]
fn cpu() -> Option<Duration> {
    None
}

/// An index whose searches are timed: the search alone, not what becomes of its results.
pub(super) struct Timed<'i> {
    index: &'i dyn Index,
    spent: Mutex<Spent>,
}

impl<'i> Timed<'i> {
    pub(super) fn new(index: &'i dyn Index) -> Self {
        Timed {
            index,
            spent: Mutex::default(),
        }
    }

    pub(super) fn spent(self) -> Spent {
        let spent = self.spent.into_inner();
        spent.unwrap_or_else(PoisonError::into_inner)
    }
}

impl Index for Timed<'_> {
    fn len(&self) -> usize {
        self.index.len()
    }

    fn dimension(&self) -> usize {
        self.index.dimension()
    }

    fn metric(&self) -> Metric {
        self.index.metric()
    }

    fn ids(&self) -> Option<&Ids<DocId>> {
        self.index.ids()
    }

    fn search_filtered(
        &self,
        queries: &Vectors,
        k: usize,
        filters: &[Filter],
    ) -> Result<Vec<Vec<Neighbour>>> {
        let start = Start::now();
        let found = self.index.search_filtered(queries, k, filters);
        let now = start.spent();
        let mut spent = self.spent.lock().unwrap_or_else(PoisonError::into_inner);
        spent.seconds += now.seconds;
        if let Some(more) = now.cpu_seconds {
            *spent.cpu_seconds.get_or_insert_default() += more;
        }
        found
    }
}
