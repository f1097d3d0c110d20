//! Threads that take tasks from one list, each task whole.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// How many threads work at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Workers(NonZero<usize>);

impl Workers {
    /// So many, or one for each core.
    pub(crate) fn new(threads: Option<NonZero<usize>>) -> Self {
        Workers(
            threads.unwrap_or_else(|| {
                thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN)
            }),
        )
    }

    /// How many there are.
    pub(crate) fn count(self) -> usize {
        self.0.get()
    }

    /// What `work(worker, task)` gives for each task, in order of the tasks; the first error by that order, if any.
    ///
    /// # Panics
    /// If a task does.
    pub(crate) fn run<R: Send, E: Send>(
        self,
        tasks: usize,
        work: impl Fn(usize, usize) -> Result<R, E> + Sync,
    ) -> Result<Vec<R>, E> {
        let next = AtomicUsize::new(0);
        let done: Mutex<Vec<Option<Result<R, E>>>> = Mutex::new((0..tasks).map(|_| None).collect());
        let turn = |worker: usize| {
            loop {
                let task = next.fetch_add(1, Ordering::Relaxed);
                if task >= tasks {
                    return;
                }
                let result = work(worker, task);
                if result.is_err() {
                    // Nobody begins another; those begun before it end, so that the first error is the same each time.
                    next.store(tasks, Ordering::Relaxed);
                }
                if let Ok(mut done) = done.lock() {
                    done[task] = Some(result);
                }
            }
        };
        let helpers = self.count().min(tasks).saturating_sub(1);
        thread::scope(|scope| {
            let turn = &turn;
            for worker in 1..=helpers {
                scope.spawn(move || turn(worker));
            }
            turn(0);
        });
        let done = done
            .into_inner()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        done.into_iter().flatten().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_stand_in_order_of_the_tasks() {
        for threads in 1..5 {
            let workers = Workers::new(NonZero::new(threads));
            let squares = workers.run(20, |_, task| Ok::<_, ()>(task * task));
            assert_eq!(
                squares.unwrap(),
                (0..20).map(|task| task * task).collect::<Vec<_>>()
            );
        }
    }

    #[test]
    fn the_first_error_by_task_is_given() {
        let workers = Workers::new(NonZero::new(3));
        for _ in 0..50 {
            let result = workers.run(
                30,
                |_, task| if task % 7 == 6 { Err(task) } else { Ok(task) },
            );
            assert_eq!(result.unwrap_err(), 6);
        }
    }
}
