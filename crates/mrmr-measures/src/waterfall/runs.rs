//! The runs that a waterfall makes of those that it is given.

use std::collections::{HashMap, HashSet};

use mrmr_core::{DuplicatePolicy, Error, Origin, Result, Run};

use super::Stage;
use crate::evaluator::Evaluator;
use crate::spec::MeasureSpec;

/// The first documents of a run.
pub(super) struct Cut {
    pub(super) run: Run,
    /// In how many queries equal scores stand on both sides of the cut.
    pub(super) tied: usize,
}

impl Evaluator<'_> {
    /// The first `depth` documents of the candidates, else of the last stage before the reranked one.
    pub(super) fn cut_candidates(&self, stages: &mut [(Stage, &Run)], depth: usize) -> Result<Cut> {
        let from = stages.iter().rfind(|(stage, _)| *stage < Stage::Reranked);
        let Some((_, from)) = from else {
            return Err(
                Error::usage("there is a depth of candidates and no run that they are of")
                    .hint("give the stage candidates, ann or exact"),
            );
        };
        let policy = self.policies().ranking;
        let mut tied = 0;
        let mut answers = Run::builder(from.name(), Origin::memory(from.name()));
        let mut number = 0;
        for query in from.queries().keys() {
            let name = from.queries().name(query);
            answers.add_empty(name);
            let ranking = from.ranking(query, policy);
            let across = |group: std::ops::Range<usize>| group.start < depth && depth < group.end;
            let judged = self.qrels().queries().get(name).is_some();
            tied += usize::from(judged && ranking.tie_groups().any(across));
            for entry in ranking.entries().iter().take(depth) {
                let document = from.documents().name(entry.document);
                answers.add(name, document, entry.score, number)?;
                number += 1;
            }
        }
        let (run, _) = answers.finish(DuplicatePolicy::Error)?;
        Ok(Cut { run, tied })
    }

    /// The same documents as a run has, the highest grades first, those without a judgement last.
    pub(super) fn best_order(&self, run: &Run) -> Result<Run> {
        let qrels = self.qrels();
        let mut best = Run::builder("ceiling", Origin::memory("ceiling"));
        let mut number = 0;
        for query in run.queries().keys() {
            let name = run.queries().name(query);
            best.add_empty(name);
            let judgements = qrels.queries().get(name);
            let judgements = judgements.map_or(&[][..], |query| qrels.judgements(query));
            let grades: HashMap<&str, f64> = judgements
                .iter()
                .map(|judged| (qrels.documents().name(judged.document), judged.grade))
                .collect();
            let mut documents: Vec<(Option<f64>, &str)> = run
                .entries(query)
                .iter()
                .map(|entry| run.documents().name(entry.document))
                .map(|document| (grades.get(document).copied(), document))
                .collect();
            documents.sort_by(|(a, name), (b, other)| {
                let grade = |grade: &Option<f64>| grade.unwrap_or(f64::NEG_INFINITY);
                grade(b).total_cmp(&grade(a)).then_with(|| name.cmp(other))
            });
            for (at, (_, document)) in documents.iter().enumerate() {
                best.add(name, document, (documents.len() - at) as f64, number)?;
                number += 1;
            }
        }
        Ok(best.finish(DuplicatePolicy::Error)?.0)
    }

    /// All documents that count as relevant, the highest grades first.
    pub(super) fn ideal(&self, spec: &MeasureSpec) -> Result<Run> {
        let takes_rel = spec.parameters().any(|(name, _)| name == "rel");
        let rel = takes_rel.then(|| spec.number("rel"));
        let is_relevant = |grade: f64| rel.map_or(grade > 0.0, |rel| grade >= rel);
        let qrels = self.qrels();
        let mut all = Run::builder("ideal", Origin::memory("ideal"));
        let mut number = 0;
        for query in qrels.queries().keys() {
            let name = qrels.queries().name(query);
            all.add_empty(name);
            let judged = qrels.judgements(query).iter();
            for judged in judged.filter(|judged| is_relevant(judged.grade)) {
                let document = qrels.documents().name(judged.document);
                all.add(name, document, 0.0, number)?;
                number += 1;
            }
        }
        self.best_order(&all.finish(DuplicatePolicy::Error)?.0)
            .map(|run| run.renamed("ideal"))
    }
}

/// The queries for which a run has documents that are not among the candidates.
pub(super) fn beyond(queries: &[String], run: &Run, candidates: &Run) -> Vec<String> {
    let goes_beyond = |query: &&String| {
        let known: HashSet<&str> = documents(candidates, query).collect();
        documents(run, query).any(|document| !known.contains(document))
    };
    queries.iter().filter(goes_beyond).cloned().collect()
}

/// The documents of a query; none where the run lacks it.
fn documents<'r>(run: &'r Run, query: &str) -> impl Iterator<Item = &'r str> + use<'r> {
    let entries = run
        .queries()
        .get(query)
        .map_or(&[][..], |query| run.entries(query));
    let names = entries.iter();
    names.map(|entry| run.documents().name(entry.document))
}
