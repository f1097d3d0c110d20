//! Which kind of document stands above the right answers.

use std::collections::BTreeMap;

use mrmr_core::{RankingPolicy, Run};

use crate::diagnosis::FirstRelevant;
use crate::task::Task;

/// How deep it is looked.
const TOP: usize = 10;

/// What stands above the first relevant document within the first ten, for queries of one modality whose relevant
/// documents are of one modality.
#[derive(Clone, Debug, PartialEq)]
pub struct Outranking {
    /// The modality of the queries.
    pub query: String,
    /// The modality of their relevant documents.
    pub relevant: String,
    /// How many queries.
    pub queries: usize,
    /// How many documents of each modality stand above, by name.
    pub above: BTreeMap<String, usize>,
}

/// What outranks the relevant documents, by modality of query and relevant document; nothing where all documents of the
/// corpus are of one modality.
pub fn outranking(task: &Task, run: &Run, policy: RankingPolicy) -> Vec<Outranking> {
    let (dataset, qrels) = (&task.dataset, &task.dataset.qrels);
    let modality = |document: &str| -> Option<String> {
        let key = dataset.corpus.ids().get(document)?;
        Some(dataset.corpus.record(key).content.modality().to_string())
    };
    let mut kinds: Vec<String> = Vec::new();
    for (_, _, record) in dataset.corpus.iter() {
        let kind = record.content.modality().to_string();
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    if kinds.len() < 2 {
        return Vec::new();
    }
    let first = FirstRelevant::of(run, qrels, policy);
    let mut found: BTreeMap<(String, String), Outranking> = BTreeMap::new();
    for judged in qrels.queries().keys() {
        let name = qrels.queries().name(judged);
        let relevant = qrels.judgements(judged).iter().filter(|j| j.grade > 0.0);
        let mut of_relevant: Vec<String> = relevant
            .filter_map(|judgement| modality(qrels.documents().name(judgement.document)))
            .collect();
        of_relevant.sort_unstable();
        of_relevant.dedup();
        let [relevant] = of_relevant.as_slice() else {
            continue;
        };
        let (Some(asked), Some(query)) = (dataset.queries.ids().get(name), run.queries().get(name))
        else {
            continue;
        };
        let asked = dataset.queries.record(asked).content.modality().to_string();
        let entry = found
            .entry((asked.clone(), relevant.clone()))
            .or_insert_with(|| Outranking {
                query: asked,
                relevant: relevant.clone(),
                queries: 0,
                above: kinds.iter().map(|kind| (kind.clone(), 0)).collect(),
            });
        entry.queries += 1;
        let above = first.rank(name).map_or(TOP, |rank| (rank - 1).min(TOP));
        let ranking = run.ranking(query, policy);
        for document in ranking.entries().iter().take(above) {
            if let Some(kind) = modality(run.documents().name(document.document)) {
                *entry.above.entry(kind).or_default() += 1;
            }
        }
    }
    found.into_values().collect()
}
