//! Benchmarks as declared data: tasks, where they come from, how they are measured.

use std::sync::OnceLock;

use mrmr_core::{Error, Result, closest};
use mrmr_measures::MeasureSpec;
use mrmr_models::ContentRule;
use serde::{Deserialize, Deserializer};

/// A benchmark: tasks with an average.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Benchmark {
    /// The name on the command line.
    pub name: String,
    /// The name in print.
    pub title: String,
    /// Where it was published.
    pub citation: String,
    /// The licence of its data.
    pub licence: String,
    /// How its one number comes about.
    pub average: String,
    /// Its tasks, in the order in which they are shown.
    #[serde(rename = "task")]
    pub tasks: Vec<TaskSpec>,
}

/// A task: one data set with one main measure.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskSpec {
    /// The name on the command line.
    pub name: String,
    /// The data set on the Hugging Face Hub.
    pub hub: Option<String>,
    /// The revision of it that is known to be good.
    pub revision: Option<String>,
    /// The main measure.
    #[serde(deserialize_with = "measure")]
    pub measure: MeasureSpec,
    /// Which documents compete for a query; without a rule, all.
    pub candidates: Option<CandidateRule>,
    /// What a system without knowledge reaches in the main measure.
    pub chance: Option<f64>,
    /// Row counts that were published; never assumed.
    #[serde(default)]
    pub attested: Attested,
    /// What models are told to do.
    pub instruction: Option<String>,
    /// The same, where captions stand for images.
    pub instruction_captions: Option<String>,
    /// The parts whose scores enter the average.
    #[serde(rename = "sub_task", default)]
    pub sub_tasks: Vec<SubTask>,
}

/// A part of a task.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubTask {
    /// Its name.
    pub name: String,
    /// The categories of its queries; without any, all queries of the task.
    #[serde(default)]
    pub categories: Vec<String>,
}

/// Which documents compete for a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CandidateRule {
    /// Those of query `q` are the documents `q_1`, `q_2`, and so on.
    QueryPrefix,
}

/// Row counts that were published.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Attested {
    /// Numbers of queries, one a version.
    #[serde(default)]
    pub queries: Vec<usize>,
    /// The number of documents.
    pub corpus: Option<usize>,
    /// The number of judgements.
    pub qrels: Option<usize>,
}

fn measure<'de, D: Deserializer<'de>>(deserializer: D) -> Result<MeasureSpec, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(serde::de::Error::custom)
}

/// The name of the part that holds queries of a category that no sub-task names.
pub const OTHER: &str = "other";

impl TaskSpec {
    /// A task for a data set that no benchmark names: nDCG@10 over all queries.
    ///
    /// # Errors
    /// Never in practice; the measure is parsed from text.
    pub fn custom(name: impl Into<String>) -> Result<Self> {
        Ok(TaskSpec {
            name: name.into(),
            hub: None,
            revision: None,
            measure: "nDCG@10".parse()?,
            candidates: None,
            chance: None,
            attested: Attested::default(),
            instruction: None,
            instruction_captions: None,
            sub_tasks: Vec::new(),
        })
    }

    /// What models are told under a content rule: that for captions where they stand for images.
    pub fn instruction_under(&self, rule: ContentRule) -> Option<&str> {
        let instruction = match rule {
            ContentRule::Captions => &self.instruction_captions,
            _ => &self.instruction,
        };
        instruction.as_deref()
    }

    /// The sub-task of a query with this category; [`OTHER`] where none names it, nothing where the
    /// task has no sub-tasks.
    pub fn sub_task_of(&self, category: Option<&str>) -> Option<&str> {
        if self.sub_tasks.is_empty() {
            return None;
        }
        let holds = |part: &&SubTask| {
            part.categories.is_empty()
                || category.is_some_and(|category| part.categories.iter().any(|c| c == category))
        };
        Some(
            self.sub_tasks
                .iter()
                .find(holds)
                .map_or(OTHER, |part| &part.name),
        )
    }
}

impl Benchmark {
    /// The task of a name.
    ///
    /// # Errors
    /// If there is none; the known ones are listed.
    pub fn task(&self, name: &str) -> Result<&TaskSpec> {
        let names = self.tasks.iter().map(|task| task.name.as_str());
        self.tasks
            .iter()
            .find(|task| task.name == name)
            .ok_or_else(|| {
                let known: Vec<&str> = names.clone().collect();
                Error::usage(format!(
                    "{} has no task '{name}'; expected {}",
                    self.title,
                    known.join(", ")
                ))
                .hint_maybe(closest(name, names).map(|near| format!("did you mean {near}?")))
            })
    }

    /// The names of all sub-tasks, in the order in which they are shown.
    pub fn sub_tasks(&self) -> impl Iterator<Item = &str> {
        let parts = self.tasks.iter().flat_map(|task| &task.sub_tasks);
        parts.map(|part| part.name.as_str())
    }
}

/// MRMR, as its authors released it.
///
/// # Errors
/// If the registry's file is broken, which a test rules out.
pub fn mrmr() -> Result<&'static Benchmark> {
    static MRMR: OnceLock<Result<Benchmark, String>> = OnceLock::new();
    let parsed = MRMR.get_or_init(|| {
        toml::from_str(include_str!("../registry/mrmr.toml")).map_err(|error| error.to_string())
    });
    parsed
        .as_ref()
        .map_err(|error| Error::format(format!("the registry of MRMR is broken: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mrmr_has_five_tasks_and_eleven_sub_tasks() {
        let mrmr = mrmr().unwrap();
        let tasks: Vec<&str> = mrmr.tasks.iter().map(|task| task.name.as_str()).collect();
        assert_eq!(
            tasks,
            ["knowledge", "theorem", "design", "traffic", "negation"]
        );
        assert_eq!(mrmr.sub_tasks().count(), 11);
        let parts = mrmr.tasks.iter().flat_map(|task| &task.sub_tasks);
        assert_eq!(parts.map(|part| part.categories.len()).sum::<usize>(), 29);
        assert!(
            mrmr.tasks
                .iter()
                .all(|task| task.revision.as_ref().unwrap().len() == 40)
        );
    }

    #[test]
    fn an_unknown_category_goes_to_other() {
        let knowledge = mrmr().unwrap().task("knowledge").unwrap();
        assert_eq!(knowledge.sub_task_of(Some("Art_Theory")), Some("Art"));
        assert_eq!(knowledge.sub_task_of(Some("Design")), Some("Art"));
        assert_eq!(knowledge.sub_task_of(Some("Cooking")), Some(OTHER));
        assert_eq!(knowledge.sub_task_of(None), Some(OTHER));
        let traffic = mrmr().unwrap().task("traffic").unwrap();
        assert_eq!(traffic.sub_task_of(None), Some("Traffic"));
    }

    #[test]
    fn an_unknown_task_is_refused_with_the_known_ones() {
        let error = mrmr().unwrap().task("theorems").unwrap_err();
        assert_eq!(
            error.to_string(),
            "MRMR has no task 'theorems'; expected knowledge, theorem, design, traffic, negation"
        );
        assert_eq!(error.hints(), ["did you mean theorem?"]);
    }
}
