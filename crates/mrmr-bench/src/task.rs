//! A task bound to its data set, and a system's run over it.

use std::collections::BTreeMap;

use mrmr_core::{Collection, Dataset, Error, Interned, Observer, Record, Result, counted};
use mrmr_measures::{Evaluation, Evaluator, MeasureSpec, Policies};
use mrmr_models::CaptionSource;

use crate::candidates::Candidates;
use crate::outcome::{Slice, TaskFacts, TaskOutcome};
use crate::registry::{OTHER, TaskSpec};
use crate::store::{AnswerNotes, Answers};
use crate::system::SystemSpec;

/// How many ids a warning shows.
const SHOWN: usize = 3;

/// A task bound to its data set.
#[derive(Clone, Debug)]
pub struct Task {
    /// What the task is.
    pub spec: TaskSpec,
    /// Its data.
    pub dataset: Dataset,
    /// Where the data come from.
    pub source: Source,
}

/// Where a data set was read from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// The folder as the user named it.
    pub path: String,
    /// The split of the judgements.
    pub split: String,
    /// The files.
    pub files: Vec<String>,
}

/// What a task is run with, beside the system.
#[derive(Clone, Copy)]
pub struct TaskInputs<'a> {
    /// Measures to report beside the task's own, in order.
    pub measures: &'a [MeasureSpec],
    /// The assumptions.
    pub policies: Policies,
    /// Captions of images.
    pub captions: &'a dyn CaptionSource,
    /// Who wants to know of progress.
    pub observer: &'a dyn Observer,
}

impl Task {
    /// Lets a system answer the queries and measures its answers.
    ///
    /// # Errors
    /// If the system cannot answer, or the run and the judgements do not fit together.
    pub fn run(&self, system: &SystemSpec, inputs: TaskInputs<'_>) -> Result<TaskOutcome> {
        for (what, count) in [
            ("queries", self.dataset.queries.len()),
            ("documents", self.dataset.corpus.len()),
        ] {
            if count == 0 {
                return Err(Error::data(format!("the data set has no {what}")));
            }
        }
        let candidates = Candidates::of(self.spec.candidates, &self.dataset)?;
        let answers = system.answer(self, candidates.as_ref(), inputs.captions, inputs.observer)?;
        self.measure(answers, inputs.measures, inputs.policies)
    }

    /// Measures answers that are there.
    ///
    /// # Errors
    /// If the run and the judgements do not fit together.
    pub fn measure(
        &self,
        answers: Answers,
        companions: &[MeasureSpec],
        policies: Policies,
    ) -> Result<TaskOutcome> {
        let mut measures = vec![self.spec.measure.clone()];
        for measure in companions {
            if !measures.contains(measure) {
                measures.push(measure.clone());
            }
        }
        let evaluator = Evaluator::new(&self.dataset.qrels, measures, policies)?;
        let evaluation = evaluator.evaluate(&answers.run)?;

        let mut facts = self.facts();
        let AnswerNotes {
            mut warnings,
            incomplete,
            without_caption,
            found,
        } = answers.notes;
        facts.without_caption = without_caption;
        let (sub_tasks, unknown) = self.sub_tasks(&evaluation);
        facts.unknown_categories = unknown;
        warnings.splice(0..0, incomplete.iter().cloned());
        warnings.extend(evaluation.warnings.iter().map(ToString::to_string));
        self.warn(&facts, &evaluation, &mut warnings);
        Ok(TaskOutcome {
            spec: self.spec.clone(),
            source: self.source.clone(),
            facts,
            run: answers.run,
            categories: self.categories(&evaluation),
            sub_tasks,
            evaluation,
            warnings,
            incomplete,
            found,
        })
    }

    fn facts(&self) -> TaskFacts {
        let dataset = &self.dataset;
        let orphans = dataset.orphan_golds().into_iter();
        TaskFacts {
            queries: dataset.queries.len(),
            documents: dataset.corpus.len(),
            judgements: dataset.qrels.len(),
            orphan_golds: orphans.map(str::to_owned).collect(),
            queries_with_images: with_images(&dataset.queries),
            documents_with_images: with_images(&dataset.corpus),
            ..TaskFacts::default()
        }
    }

    fn category(&self, query: &str) -> Option<&str> {
        let queries = &self.dataset.queries;
        queries
            .ids()
            .get(query)
            .and_then(|key| queries.record(key).field("category"))
    }

    /// The queries by sub-task, and those whose category none names.
    fn sub_tasks(&self, evaluation: &Evaluation) -> (Vec<Slice>, Vec<(String, String)>) {
        let mut names: Vec<&str> = self
            .spec
            .sub_tasks
            .iter()
            .map(|s| s.name.as_str())
            .collect();
        if names.is_empty() {
            return (Vec::new(), Vec::new());
        }
        names.push(OTHER);
        let mut slices: Vec<Slice> = names
            .into_iter()
            .map(|name| Slice {
                name: name.to_owned(),
                places: Vec::new(),
            })
            .collect();
        let mut unknown = Vec::new();
        for (place, query) in evaluation.queries.iter().enumerate() {
            let category = self.category(query);
            let name = self.spec.sub_task_of(category).unwrap_or(OTHER);
            if name == OTHER {
                unknown.push((query.clone(), category.unwrap_or_default().to_owned()));
            }
            for slice in slices.iter_mut().filter(|slice| slice.name == name) {
                slice.places.push(place);
            }
        }
        slices.retain(|slice| slice.name != OTHER || !slice.places.is_empty());
        (slices, unknown)
    }

    /// The queries by category, by name; nothing where no query has one.
    fn categories(&self, evaluation: &Evaluation) -> Vec<Slice> {
        let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (place, query) in evaluation.queries.iter().enumerate() {
            if let Some(category) = self.category(query) {
                places.entry(category).or_default().push(place);
            }
        }
        let slices = places.into_iter().map(|(name, places)| Slice {
            name: name.to_owned(),
            places,
        });
        slices.collect()
    }

    fn warn(&self, facts: &TaskFacts, evaluation: &Evaluation, warnings: &mut Vec<String>) {
        if let (Some(chance), Some(main)) =
            (self.spec.chance, evaluation.measure(&self.spec.measure))
            && main.value <= chance
        {
            warnings.push(format!(
                "{} is {:.4}, at or under chance ({chance}); tie-averaged it is {:.4}",
                main.spec, main.value, main.tie_averaged
            ));
        }
        let orphans = &facts.orphan_golds;
        if !orphans.is_empty() {
            warnings.push(format!(
                "{} relevant {} missing from the corpus ({}); they stay in the ideal ranking and in recall",
                orphans.len(),
                if orphans.len() == 1 { "document is" } else { "documents are" },
                shown(orphans),
            ));
        }
        if !facts.without_caption.is_empty() {
            warnings.push(format!(
                "{} no caption ({})",
                counted(facts.without_caption.len(), "image has", "images have"),
                shown(&facts.without_caption)
            ));
        }
        if !facts.unknown_categories.is_empty() {
            let named: Vec<String> = facts
                .unknown_categories
                .iter()
                .map(|(query, category)| format!("{query}: '{category}'"))
                .collect();
            warnings.push(format!(
                "{} a category that no sub-task of {} names, and {} in no sub-task ({})",
                counted(named.len(), "query has", "queries have"),
                self.spec.name,
                if named.len() == 1 { "counts" } else { "count" },
                shown(&named)
            ));
        }
        let attested = &self.spec.attested;
        for (what, found, expected) in [
            ("queries", facts.queries, attested.queries.clone()),
            (
                "documents",
                facts.documents,
                attested.corpus.into_iter().collect(),
            ),
            (
                "judgements",
                facts.judgements,
                attested.qrels.into_iter().collect(),
            ),
        ] {
            if !expected.is_empty() && !expected.contains(&found) {
                let expected: Vec<String> = expected.iter().map(ToString::to_string).collect();
                warnings.push(format!(
                    "there are {found} {what} here; the published data set has {}",
                    expected.join(" or ")
                ));
            }
        }
    }
}

fn with_images<K: Interned>(records: &Collection<K>) -> usize {
    let has_image = |record: &Record| record.content.modality().image;
    records
        .iter()
        .filter(|(_, _, record)| has_image(record))
        .count()
}

fn shown(names: &[String]) -> String {
    let more = names.len().saturating_sub(SHOWN);
    let mut text = names[..names.len().min(SHOWN)].join(", ");
    if more > 0 {
        text += &format!(" and {more} more");
    }
    text
}
