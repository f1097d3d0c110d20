//! Benchmarks: registry, tasks, running a system over a data set.
