//! All that is said of one system's answers.

use std::num::NonZeroUsize;

use mrmr_core::{Origin, Result, Run};
use mrmr_measures::{Evaluator, Policies, Stage, Waterfall};

use super::{FirstRelevant, Outranking, outranking};
use crate::task::Task;

/// Why a system has the value that it has.
#[derive(Clone, Debug)]
pub struct SystemDiagnosis {
    /// Where its first relevant documents stand.
    pub first_relevant: FirstRelevant,
    /// What outranks them, by modality; nothing where there is one modality alone.
    pub outranking: Vec<Outranking>,
    /// What it loses from stage to stage, by the task's main measure; none of a system of one stage.
    pub waterfall: Option<Waterfall>,
}

impl SystemDiagnosis {
    /// The diagnosis of a run, with those of the stages before it; `reranked` says how many documents of each query a
    /// reranker was given.
    ///
    /// # Errors
    /// If the stages do not fit together.
    pub fn of(
        task: &Task,
        run: &Run,
        stages: &[(Stage, Run)],
        reranked: Option<NonZeroUsize>,
        policies: Policies,
    ) -> Result<Self> {
        let main = &task.spec.measure;
        let waterfall = match stages.len() {
            0 | 1 => None,
            _ => {
                let evaluator = Evaluator::new(&task.dataset.qrels, vec![main.clone()], policies)?;
                // What a reranker left below its depth is none of its work.
                let work = |(stage, run): &(Stage, Run)| match (stage, reranked) {
                    (Stage::Reranked, Some(depth)) => first(run, depth.get(), policies),
                    _ => Ok(run.clone()),
                };
                let runs = stages.iter().map(work).collect::<Result<Vec<Run>>>()?;
                let stages = stages.iter().zip(&runs);
                let stages: Vec<(Stage, &Run)> =
                    stages.map(|((stage, _), run)| (*stage, run)).collect();
                Some(evaluator.waterfall(&stages, main, reranked)?)
            }
        };
        Ok(SystemDiagnosis {
            first_relevant: FirstRelevant::of(run, &task.dataset.qrels, policies.ranking),
            outranking: outranking(task, run, policies.ranking),
            waterfall,
        })
    }
}

/// The first documents of each query.
pub(crate) fn first(run: &Run, depth: usize, policies: Policies) -> Result<Run> {
    let mut cut = Run::builder(run.name(), Origin::memory("the first documents"));
    for query in run.queries().keys() {
        let name = run.queries().name(query);
        cut.add_empty(name);
        let ranking = run.ranking(query, policies.ranking);
        for (number, entry) in ranking.entries().iter().take(depth).enumerate() {
            let document = run.documents().name(entry.document);
            cut.add(name, document, entry.score, number as u64)?;
        }
    }
    Ok(cut.finish(Default::default())?.0)
}
