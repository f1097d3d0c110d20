//! Systems over one task, the first the reference of the others.

use mrmr_bench::store::Store;
use mrmr_bench::{
    BenchOutcome, Bm25System, DenseSystem, Retrieval, SystemSpec, Task, TaskInputs, TaskOutcome,
};
use mrmr_core::Result;
use mrmr_measures::{CompareOptions, Evaluation, MeasureSpec, Policies, compare};
use mrmr_models::ContentRule;
use mrmr_report::{CompareReport, QrelsFacts, RunFacts, SystemsTable};
use mrmr_search::{Analyzer, Bm25Params, Metric};

use super::super::{models, settings};
use crate::arguments::{DemoArguments, EncoderArguments, ModelArguments};
use crate::printer::Printer;
use crate::progress::Progress;
use crate::reading::FileCaptions;

/// An encoder and what it reads.
pub(super) struct Setup {
    encoder: String,
    images: Option<String>,
    rule: &'static str,
}

impl Setup {
    pub(super) fn captions(encoder: &str) -> Setup {
        Setup {
            encoder: encoder.to_owned(),
            images: None,
            rule: "captions",
        }
    }

    /// Words by one encoder, pictures by another: their spaces know nothing of each other.
    pub(super) fn two_stream(texts: &str, images: &str) -> Setup {
        Setup {
            encoder: texts.to_owned(),
            images: Some(images.to_owned()),
            rule: "two-stream:concat",
        }
    }

    pub(super) fn pictures(encoder: &str) -> Setup {
        Setup {
            encoder: encoder.to_owned(),
            images: None,
            rule: "interleaved",
        }
    }
}

pub(super) struct SideBySide<'a> {
    pub(super) arguments: &'a DemoArguments,
    pub(super) captions: &'a FileCaptions,
    pub(super) store: &'a Store,
    pub(super) printer: Printer,
}

impl SideBySide<'_> {
    /// Each system's outcome, BM25 over captions first where words can find anything.
    pub(super) fn table(
        &self,
        task: &Task,
        has_words: bool,
        setups: &[Setup],
        measures: &[MeasureSpec],
    ) -> Result<SystemsTable> {
        let mut outcomes = Vec::new();
        if has_words {
            let bm25 = Retrieval::Bm25(Bm25System {
                params: Bm25Params::default(),
                analysis: Analyzer::LuceneEnglish.into(),
                content: ContentRule::Captions,
            });
            outcomes.push(self.outcome(task, "bm25".to_owned(), bm25, measures)?);
        }
        for setup in setups {
            let (name, retrieval) = self.dense(task, setup)?;
            outcomes.push(self.outcome(task, name, retrieval, measures)?);
        }
        Ok(SystemsTable {
            comparison: self.comparison(task, &outcomes)?,
            outcomes,
        })
    }

    fn outcome(
        &self,
        task: &Task,
        name: String,
        retrieval: Retrieval,
        measures: &[MeasureSpec],
    ) -> Result<BenchOutcome> {
        let system = SystemSpec {
            name,
            retrieval,
            // All documents: cut off, equal scores would hide answers.
            depth: task.dataset.corpus.len(),
            drop_self: false,
        };
        let inputs = TaskInputs {
            measures,
            policies: Policies::default(),
            captions: self.captions,
            observer: &Progress::new(self.printer),
        };
        let done = task.run(&system, inputs)?;
        for warning in &done.warnings {
            self.printer.warning(&format!("{}: {warning}", system.name));
        }
        Ok(BenchOutcome {
            settings: system.settings(),
            system: system.name,
            tasks: vec![done],
        })
    }

    fn dense(&self, task: &Task, setup: &Setup) -> Result<(String, Retrieval)> {
        let given = EncoderArguments {
            encoder: Some(setup.encoder.clone()),
            image_encoder: setup.images.clone(),
            model: ModelArguments {
                dimension: None,
                tokens: None,
                network: None,
                runtime: None,
            },
        };
        let open = models::open(&given, setup.rule.parse()?, models::Prompts::default())?;
        let system = DenseSystem {
            encoder: &open.encoder,
            instruction: None,
            captions: self.captions,
            identity: &open.identity,
            settings: &open.settings,
            metric: Metric::default(),
        };
        let observer = Progress::new(self.printer);
        let (retrieval, notes) = system.retrieval(task, self.store, &observer)?;
        self.printer.say(&format!(
            "{}: reuse {} of {} shards",
            open.name, notes.reused, notes.shards
        ));
        Ok((open.name, retrieval))
    }

    /// The others against the first in the main measure alone: each more measure makes the correction stronger.
    fn comparison(&self, task: &Task, outcomes: &[BenchOutcome]) -> Result<CompareReport> {
        let only_main = |outcome: &TaskOutcome| -> Evaluation {
            let mut evaluation = outcome.evaluation.clone();
            evaluation
                .measures
                .retain(|measure| measure.spec == *outcome.main());
            evaluation
        };
        let done = outcomes.iter().flat_map(|outcome| &outcome.tasks);
        let evaluations: Vec<Evaluation> = done.map(only_main).collect();
        let options = CompareOptions {
            bootstrap: settings::bootstrap(&self.arguments.intervals.level)?,
            ..CompareOptions::default()
        };
        let compared = compare(&evaluations.iter().collect::<Vec<_>>(), 0, &options)?;
        let runs = evaluations.into_iter().map(|evaluation| RunFacts {
            source: evaluation.run.clone(),
            hash: None,
            notes: Vec::new(),
            evaluation,
        });
        Ok(CompareReport {
            qrels: QrelsFacts {
                source: task.spec.name.clone(),
                hash: None,
                notes: Vec::new(),
            },
            runs: runs.collect(),
            compared,
            gates: Vec::new(),
            numbers: settings::numbers(&self.arguments.output.form),
        })
    }
}
