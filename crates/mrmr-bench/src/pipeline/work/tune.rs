//! The runs of other systems as one, with parameters chosen by judgements of other queries.

use mrmr_core::{Result, Run};
use mrmr_measures::MeasureSpec;
use mrmr_search::fusion::FusionSpec;

use super::super::step::{self, Answering, Context, Product};
use crate::diagnosis::first;
use crate::store::{AnswerNotes, Answers, Key};
use crate::tuning::{TuneOptions, describe, tune};

/// A fusion whose parameters are tuned: each query is fused with those that the other parts of the queries chose.
pub(in super::super) struct TuneWork {
    pub(in super::super) spec: FusionSpec,
    /// The systems whose runs they are.
    pub(in super::super) names: Vec<String>,
    pub(in super::super) measure: MeasureSpec,
    pub(in super::super) options: TuneOptions,
}

impl TuneWork {
    /// The key, of those of the runs and of the judgements.
    pub(in super::super) fn key(&self, context: &Context<'_>, runs: &[Key]) -> Key {
        let qrels = &context.task.dataset.qrels;
        Key::of("tune", |hash| {
            let (spec, options) = (&self.spec, &self.options);
            hash.text(&format!(
                "{} {} {:?} {} {} {}",
                spec.method, self.measure, spec.keep, options.folds, options.seed, options.alpha
            ));
            for normalization in &options.normalizations {
                hash.text(normalization.name());
            }
            for depth in &options.depths {
                hash.text(&depth.to_string());
            }
            for query in qrels.queries().keys() {
                hash.text(qrels.queries().name(query));
                for judgement in qrels.judgements(query) {
                    hash.text(qrels.documents().name(judgement.document));
                    hash.bytes(&judgement.grade.to_le_bytes());
                }
            }
            runs.iter().for_each(|key| hash.bytes(key.as_bytes()));
        })
    }
}

impl Answering for TuneWork {
    fn answer(
        &self,
        _: &Key,
        needs: &[Product],
        context: &Context<'_>,
        _: bool,
    ) -> Result<Answers> {
        let mut notes = AnswerNotes::default();
        let mut runs: Vec<Run> = Vec::with_capacity(needs.len());
        for (need, name) in needs.iter().zip(&self.names) {
            let answers = step::answers(Some(need))?;
            notes.add(&answers.notes);
            runs.push(answers.run.clone().renamed(name));
        }
        let runs: Vec<&Run> = runs.iter().collect();
        let qrels = &context.task.dataset.qrels;
        let (method, measure) = (&self.spec.method, &self.measure);
        let tuned = tune(
            qrels,
            &runs,
            method,
            measure,
            &self.options,
            context.observer,
        )?;
        notes.warnings.extend(tuned.warnings.iter().cloned());
        let value = |value: f64| format!("{value:.4}");
        notes.found.extend([
            ("tuned to".to_owned(), describe(&tuned.chosen)),
            (format!("{measure} held out"), value(tuned.held_out)),
            (format!("{measure} in sample"), value(tuned.in_sample)),
            (format!("{measure} untuned"), value(tuned.untuned_value)),
        ]);
        let run = match self.spec.keep {
            Some(keep) => first(&tuned.run, keep, self.options.policies)?,
            None => tuned.run,
        };
        Ok(Answers { run, notes })
    }
}
