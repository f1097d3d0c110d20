//! Queries by what they and their answers are like.

use std::collections::{BTreeMap, HashMap};

use mrmr_core::{Modality, Part, Record};
use mrmr_measures::Evaluation;

use crate::outcome::Slice;
use crate::task::Task;

/// The queries cut into slices by one property.
#[derive(Clone, Debug, PartialEq)]
pub struct Slicing {
    /// The property, for people.
    pub name: &'static str,
    /// The slices, in a sensible order; every scored query is in one, unless it lacks the property.
    pub slices: Vec<Slice>,
}

/// The scored queries by their modality, by that of their relevant documents, by how many of these there are, and by
/// their length in words. A property that all queries share is left out.
pub fn slicings(task: &Task, evaluation: &Evaluation) -> Vec<Slicing> {
    let dataset = &task.dataset;
    let queries = &dataset.queries;
    let record = |query: &str| -> Option<&Record> {
        queries.ids().get(query).map(|key| queries.record(key))
    };
    let golds: HashMap<&str, Golds> = golds(task);
    let lengths: Vec<Option<usize>> = evaluation
        .queries
        .iter()
        .map(|query| record(query).map(words))
        .collect();
    let edges = quartiles(lengths.iter().flatten().copied().collect());
    let mut all = vec![
        Slicing {
            name: "query modality",
            slices: by(evaluation, |_, query| {
                Some((0, record(query)?.content.modality().to_string()))
            }),
        },
        Slicing {
            name: "relevant documents' modality",
            slices: by(evaluation, |_, query| {
                Some((0, golds.get(query)?.modality.clone()?))
            }),
        },
        Slicing {
            name: "relevant documents",
            slices: by(evaluation, |_, query| {
                Some(match golds.get(query)?.count {
                    0 => (0, "none".to_owned()),
                    1 => (1, "1".to_owned()),
                    2..=3 => (2, "2-3".to_owned()),
                    4..=10 => (3, "4-10".to_owned()),
                    _ => (4, "> 10".to_owned()),
                })
            }),
        },
        Slicing {
            name: "query length in words",
            slices: by(evaluation, |at, _| {
                let length = lengths[at]?;
                let bin = edges.iter().filter(|edge| length > **edge).count();
                let from = if bin == 0 { 0 } else { edges[bin - 1] + 1 };
                Some(match edges.get(bin) {
                    Some(edge) => (bin, format!("{from}-{edge}")),
                    None => (bin, format!("{from} and more")),
                })
            }),
        },
    ];
    all.retain(|slicing| slicing.slices.len() > 1);
    all
}

struct Golds {
    count: usize,
    modality: Option<String>,
}

fn golds(task: &Task) -> HashMap<&str, Golds> {
    let (qrels, corpus) = (&task.dataset.qrels, &task.dataset.corpus);
    let mut golds = HashMap::new();
    for query in qrels.queries().keys() {
        let relevant = qrels.judgements(query).iter().filter(|j| j.grade > 0.0);
        let mut count = 0;
        let mut modalities: Vec<Modality> = Vec::new();
        for judgement in relevant {
            count += 1;
            let name = qrels.documents().name(judgement.document);
            if let Some(key) = corpus.ids().get(name) {
                let modality = corpus.record(key).content.modality();
                if !modalities.contains(&modality) {
                    modalities.push(modality);
                }
            }
        }
        let modality = match modalities.as_slice() {
            [] => None,
            [one] => Some(one.to_string()),
            _ => Some("several".to_owned()),
        };
        golds.insert(qrels.queries().name(query), Golds { count, modality });
    }
    golds
}

/// The slices of a property, by its place and its name.
fn by(
    evaluation: &Evaluation,
    property: impl Fn(usize, &str) -> Option<(usize, String)>,
) -> Vec<Slice> {
    let mut slices: BTreeMap<(usize, String), Vec<usize>> = BTreeMap::new();
    for (place, query) in evaluation.queries.iter().enumerate() {
        if let Some(key) = property(place, query) {
            slices.entry(key).or_default().push(place);
        }
    }
    let slices = slices.into_iter();
    slices
        .map(|((_, name), places)| Slice { name, places })
        .collect()
}

fn words(record: &Record) -> usize {
    let texts = record.content.parts().iter().filter_map(|part| match part {
        Part::Text(text) => Some(text.split_whitespace().count()),
        _ => None,
    });
    texts.sum()
}

/// The ends of the first three quarters, each once.
fn quartiles(mut lengths: Vec<usize>) -> Vec<usize> {
    lengths.sort_unstable();
    let mut edges: Vec<usize> = match lengths.as_slice() {
        [] => Vec::new(),
        lengths => (1..4)
            .map(|quarter| lengths[(lengths.len() - 1) * quarter / 4])
            .collect(),
    };
    edges.dedup();
    // An end that is the largest of all leaves nothing behind it.
    edges.retain(|edge| Some(edge) != lengths.last());
    edges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarters_of_equal_lengths_are_one() {
        assert!(quartiles(vec![5, 5, 5, 5]).is_empty());
        assert_eq!(quartiles(vec![1, 2, 3, 4, 5, 6, 7, 8, 9]), [3, 5, 7]);
        assert!(quartiles(Vec::new()).is_empty());
    }
}
