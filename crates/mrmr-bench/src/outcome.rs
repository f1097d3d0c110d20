//! What running a system over tasks gave.

use mrmr_core::Run;
use mrmr_measures::{Evaluation, MeasureSpec};

use crate::registry::{Benchmark, OTHER, TaskSpec};
use crate::task::Source;

/// Some of a task's queries.
#[derive(Clone, Debug, PartialEq)]
pub struct Slice {
    /// What they have in common.
    pub name: String,
    /// Their places in [`Evaluation::queries`].
    pub places: Vec<usize>,
}

/// Facts of a data set that its scores rest on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TaskFacts {
    /// Rows of queries.
    pub queries: usize,
    /// Rows of documents.
    pub documents: usize,
    /// Judgements.
    pub judgements: usize,
    /// Relevant documents that the corpus lacks, by their bytes.
    pub orphan_golds: Vec<String>,
    /// Queries with an image.
    pub queries_with_images: usize,
    /// Documents with an image.
    pub documents_with_images: usize,
    /// Images whose caption was wanted and not there: `query q1: image 1`.
    pub without_caption: Vec<String>,
    /// Queries whose category no sub-task names, with it.
    pub unknown_categories: Vec<(String, String)>,
}

/// One task, done by one system.
#[derive(Clone, Debug)]
pub struct TaskOutcome {
    /// The task.
    pub spec: TaskSpec,
    /// Where its data come from.
    pub source: Source,
    /// What the data set holds.
    pub facts: TaskFacts,
    /// What the system returned.
    pub run: Run,
    /// The run, measured. The task's main measure comes first.
    pub evaluation: Evaluation,
    /// Its queries by sub-task, in the benchmark's order; unknown ones last, as "other".
    pub sub_tasks: Vec<Slice>,
    /// Its queries by category, by name.
    pub categories: Vec<Slice>,
    /// What people should know before they trust the numbers.
    pub warnings: Vec<String>,
    /// What is missing from the answers; nothing where they are complete.
    pub incomplete: Vec<String>,
    /// What the system found out on the way, such as parameters, as (name, value).
    pub found: Vec<(String, String)>,
}

impl TaskOutcome {
    /// The main measure.
    pub fn main(&self) -> &MeasureSpec {
        &self.spec.measure
    }
}

/// A sub-task's score.
#[derive(Clone, Debug, PartialEq)]
pub struct SubTaskScore<'a> {
    /// The sub-task.
    pub name: &'a str,
    /// The task it is a part of.
    pub task: &'a str,
    /// How many queries it has.
    pub queries: usize,
    /// The measure, as text.
    pub measure: String,
    /// The score.
    pub value: f64,
}

/// A benchmark, done by one system.
#[derive(Clone, Debug)]
pub struct BenchOutcome {
    /// The system's name.
    pub system: String,
    /// How the system was set up, as (name, value).
    pub settings: Vec<(String, String)>,
    /// The tasks, in the order in which they were run.
    pub tasks: Vec<TaskOutcome>,
}

/// The average over a benchmark's sub-tasks.
#[derive(Clone, Debug, PartialEq)]
pub enum Average {
    /// All sub-tasks are there.
    Value(f64),
    /// These sub-tasks are missing: there is no average.
    Missing(Vec<String>),
}

impl BenchOutcome {
    /// The scores of all sub-tasks that have queries.
    pub fn sub_tasks(&self) -> Vec<SubTaskScore<'_>> {
        let mut scores = Vec::new();
        for task in &self.tasks {
            let Some(measure) = task.evaluation.measure(task.main()) else {
                continue;
            };
            for slice in task
                .sub_tasks
                .iter()
                .filter(|slice| !slice.places.is_empty())
            {
                scores.push(SubTaskScore {
                    name: &slice.name,
                    task: &task.spec.name,
                    queries: slice.places.len(),
                    measure: measure.spec.to_string(),
                    value: measure.over(slice.places.iter().copied()),
                });
            }
        }
        scores
    }

    /// The unweighted mean over a benchmark's sub-tasks, where all are there.
    pub fn average(&self, benchmark: &Benchmark) -> Average {
        let scores = self.sub_tasks();
        let mut found = Vec::new();
        let mut missing = Vec::new();
        for task in &benchmark.tasks {
            for part in &task.sub_tasks {
                let score = scores
                    .iter()
                    .find(|score| score.task == task.name && score.name == part.name);
                match score {
                    Some(score) => found.push(score.value),
                    None => missing.push(part.name.clone()),
                }
            }
        }
        if missing.is_empty() {
            Average::Value(mrmr_measures::mean(found))
        } else {
            Average::Missing(missing)
        }
    }

    /// Queries that no sub-task holds, over all tasks.
    pub fn in_no_sub_task(&self) -> usize {
        let slices = self.tasks.iter().flat_map(|task| &task.sub_tasks);
        slices
            .filter(|slice| slice.name == OTHER)
            .map(|slice| slice.places.len())
            .sum()
    }
}
