//! A query against the index: term after term into accumulators, then the best k.

use mrmr_core::{Error, Result};
use rayon::prelude::*;

use super::index::Bm25Index;
use super::postings::TermId;
use super::scratch::{Scratch, UNTOUCHED};
use crate::filter::Filter;
use crate::top_k::{Neighbour, TopK, check_k};

impl Bm25Index {
    /// The best `k` rows, best first, equal scores by the larger document id.
    ///
    /// Only rows that hold a term of the query are found, all of them where there are fewer than `k`.
    /// A filter with candidates ranks those and no others, those without a term of the query with 0.
    ///
    /// # Errors
    /// If `k` is 0 or the filter names a row that is not there.
    pub fn search(&self, query: &str, k: usize, filter: &Filter) -> Result<Vec<Neighbour>> {
        check_k(k)?;
        filter.check(self.len())?;
        Ok(self.rank(query, k, filter))
    }

    /// [`Bm25Index::search`] for many queries on all threads; `filters` is empty or has one a query.
    ///
    /// # Errors
    /// As for one query, or if there are not as many filters as queries.
    pub fn search_all<Q: AsRef<str> + Sync>(
        &self,
        queries: &[Q],
        k: usize,
        filters: &[Filter],
    ) -> Result<Vec<Vec<Neighbour>>> {
        check_k(k)?;
        Filter::check_all(filters, queries.len(), self.len())?;
        let all = Filter::default();
        let found = queries.par_iter().enumerate().map(|(number, query)| {
            self.rank(query.as_ref(), k, filters.get(number).unwrap_or(&all))
        });
        Ok(found.collect())
    }

    /// The terms of a query that the index knows, with how often each occurs, in order of first use.
    pub(super) fn query_terms(&self, query: &str) -> Vec<(TermId, u32)> {
        let mut terms: Vec<(TermId, u32)> = Vec::new();
        self.analyzer.for_each_term(query, |term| {
            let Some(term) = self.corpus.postings.terms.get(term) else {
                return;
            };
            match terms.iter_mut().find(|(known, _)| *known == term) {
                Some((_, count)) => *count += 1,
                None => terms.push((term, 1)),
            }
        });
        terms
    }

    fn rank(&self, query: &str, k: usize, filter: &Filter) -> Vec<Neighbour> {
        self.scratch.with(self.len(), |scratch| {
            for (term, count) in self.query_terms(query) {
                let weight = count as f32 * self.idf(term);
                let (rows, frequencies) = self.corpus.postings.of(term);
                for (&row, &frequency) in rows.iter().zip(frequencies) {
                    scratch.add(row, self.contribution(weight, frequency, row));
                }
            }
            self.best(scratch, k, filter)
        })
    }

    fn best(&self, scratch: &Scratch, k: usize, filter: &Filter) -> Vec<Neighbour> {
        let mut top = TopK::new(k, &self.corpus.precedence);
        // Lucene rounds the sum before it compares: sums that round alike are ties.
        let score = |row: u32| f64::from(scratch.scores[row as usize] as f32);
        match filter.candidates() {
            Some(candidates) => {
                for &row in candidates {
                    let found = scratch.scores[row as usize] != UNTOUCHED;
                    top.offer(row, if found { score(row) } else { 0.0 });
                }
            }
            None => {
                for &row in &scratch.touched {
                    if !filter.excludes(row) {
                        top.offer(row, score(row));
                    }
                }
            }
        }
        top.into_sorted()
    }

    /// What each term of a query adds to the score of a row; the sum, rounded to 32 bits, is the score.
    ///
    /// Terms that the row does not hold are left out.
    ///
    /// # Errors
    /// If there is no such row.
    pub fn explain(&self, query: &str, row: u32) -> Result<Vec<TermScore>> {
        if row as usize >= self.len() {
            return Err(Error::usage(format!(
                "there is no row {row} to explain; the index has {} rows",
                self.len()
            )));
        }
        let postings = &self.corpus.postings;
        let scores = self
            .query_terms(query)
            .into_iter()
            .filter_map(|(term, count)| {
                let (rows, frequencies) = postings.of(term);
                let place = rows.binary_search(&row).ok()?;
                let (idf, frequency) = (self.idf(term), frequencies[place]);
                Some(TermScore {
                    term: postings.terms.name(term).to_owned(),
                    query_frequency: count,
                    document_frequency: rows.len(),
                    frequency,
                    idf,
                    score: self.contribution(count as f32 * idf, frequency, row),
                })
            });
        Ok(scores.collect())
    }
}

/// What one term adds to a score.
#[derive(Clone, Debug, PartialEq)]
pub struct TermScore {
    /// The term, as the analyser makes it.
    pub term: String,
    /// How often it occurs in the query.
    pub query_frequency: u32,
    /// In how many documents it occurs.
    pub document_frequency: usize,
    /// How often it occurs in this document.
    pub frequency: u32,
    /// Its inverse document frequency.
    pub idf: f32,
    /// What it adds.
    pub score: f32,
}
