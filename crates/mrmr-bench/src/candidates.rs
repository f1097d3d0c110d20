//! Which documents compete for which query.

use std::collections::HashMap;

use mrmr_core::{Collection, Dataset, DocId, Error, QueryId, Result, Run};

use crate::registry::CandidateRule;

/// The candidates of each query, by the query's id.
#[derive(Debug)]
pub(crate) struct Candidates {
    by_query: HashMap<String, Vec<String>>,
    /// Whether a query without a list may return any document.
    others_are_free: bool,
}

impl Candidates {
    /// The candidates under a rule, else those that the data set names; none where neither limits anything.
    ///
    /// # Errors
    /// If a query has none under the rule.
    pub(crate) fn of(rule: Option<CandidateRule>, dataset: &Dataset) -> Result<Option<Self>> {
        let Some(CandidateRule::QueryPrefix) = rule else {
            let by_query: HashMap<String, Vec<String>> =
                dataset.candidates.clone().into_iter().collect();
            return Ok((!by_query.is_empty()).then_some(Candidates {
                by_query,
                others_are_free: true,
            }));
        };
        let mut by_prefix = by_prefix(&dataset.corpus);
        let mut candidates = HashMap::new();
        for name in dataset.queries.ids().names() {
            let own = by_prefix.remove(name).ok_or_else(|| {
                Error::data(format!(
                    "query '{name}' has no candidates: expected documents '{name}_1', '{name}_2', ... in the corpus"
                ))
            })?;
            candidates.insert(name.to_owned(), own);
        }
        Ok(Some(Candidates {
            by_query: candidates,
            others_are_free: false,
        }))
    }

    /// The candidates of a query.
    pub(crate) fn get(&self, query: &str) -> Option<&Vec<String>> {
        self.by_query.get(query)
    }

    /// How many queries of a run lack an answer for a candidate.
    pub(crate) fn incomplete(&self, run: &Run) -> usize {
        let lacks = |query: &QueryId| {
            let wanted = self.get(run.queries().name(*query)).map_or(0, Vec::len);
            run.entries(*query).len() < wanted
        };
        run.queries().keys().filter(lacks).count()
    }

    /// A run with nothing but candidates in it, and how many answers were left out.
    pub(crate) fn restrict(&self, run: Run) -> (Run, usize) {
        run.retain(|query, document| {
            self.get(query).map_or(self.others_are_free, |own| {
                own.iter().any(|candidate| candidate == document)
            })
        })
    }
}

/// The documents `q_1`, `q_2`, ... by `q`.
fn by_prefix(corpus: &Collection<DocId>) -> HashMap<&str, Vec<String>> {
    let mut groups: HashMap<&str, Vec<String>> = HashMap::new();
    for id in corpus.ids().names() {
        if let Some((query, number)) = id.rsplit_once('_')
            && number.bytes().all(|b| b.is_ascii_digit())
        {
            groups.entry(query).or_default().push(id.to_owned());
        }
    }
    groups
}
