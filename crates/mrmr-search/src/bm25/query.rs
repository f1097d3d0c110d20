//! The terms of a query, and how much each counts.

use mrmr_core::{Error, Result};

use super::index::Bm25Index;
use super::params::named;
use super::postings::TermId;

/// A term of a query.
#[derive(Clone, Copy)]
pub(super) struct QueryTerm {
    pub(super) term: TermId,
    /// How often it occurs.
    pub(super) count: u32,
    /// How much it counts.
    pub(super) weight: f32,
}

impl Bm25Index {
    /// The terms of a query that the index knows, in order of first use.
    pub(super) fn query_terms(&self, query: &str) -> Result<Vec<QueryTerm>> {
        let mut terms: Vec<QueryTerm> = Vec::new();
        let mut length = 0;
        self.analysis.for_each_term(query, |term| {
            length += 1;
            let Some(term) = self.corpus.postings.term(term) else {
                return;
            };
            match terms.iter_mut().find(|known| known.term == term) {
                Some(known) => known.count += 1,
                None => terms.push(QueryTerm {
                    term,
                    count: 1,
                    weight: 0.0,
                }),
            }
        });
        let average = self.average_length();
        for known in &mut terms {
            let idf = self.idf(known.term);
            known.weight = self.params.query_weight(known.count, length, average, idf);
            self.corpus.check(known.term)?;
        }
        Ok(terms)
    }

    /// Terms with their weights, those that the index knows, in order of first use.
    pub(super) fn weighted_terms<T: AsRef<str>>(
        &self,
        terms: &[(T, f32)],
    ) -> Result<Vec<QueryTerm>> {
        let mut known: Vec<QueryTerm> = Vec::new();
        for (name, weight) in terms {
            let name = name.as_ref();
            // Up to here no sum of weights is infinite.
            if weight.is_nan() || *weight <= 0.0 || *weight > 1e30 {
                return Err(Error::usage(format!(
                    "BM25: the weight of the term '{name}' is {}; expected a number above 0 and up to 1e30",
                    named(*weight)
                )));
            }
            let Some(term) = self.corpus.postings.term(name) else {
                continue;
            };
            self.corpus.check(term)?;
            match known.iter_mut().find(|there| there.term == term) {
                Some(there) => {
                    there.count += 1;
                    there.weight += weight;
                }
                None => known.push(QueryTerm {
                    term,
                    count: 1,
                    weight: *weight,
                }),
            }
        }
        Ok(known)
    }
}
