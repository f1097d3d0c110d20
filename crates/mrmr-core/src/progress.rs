//! Progress as events: a bar in a terminal, a line in a log, nothing in a test.

/// Something that happened in the course of long work.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A step begins: `number` of `of` steps (from 1), with `total` units of work where known.
    StepStarted {
        /// Which step, from 1.
        number: usize,
        /// How many steps there are.
        of: usize,
        /// What it does, for people.
        name: &'a str,
        /// How much work there is, where known.
        total: Option<u64>,
        /// What is counted: `documents`, `queries`.
        unit: &'a str,
    },
    /// So many more units of the current step are done.
    Advanced(u64),
    /// The current step ended.
    StepFinished,
    /// Something that people should know and that stops nothing.
    Warning(&'a str),
}

/// Whoever wants to know of progress.
pub trait Observer: Sync {
    /// Takes note of an event; must be cheap, and may be called from any thread.
    fn observe(&self, event: Event<'_>);
}

/// Nobody.
impl Observer for () {
    fn observe(&self, _: Event<'_>) {}
}
