//! A query against the index: pruned where a threshold is known, else term after term into accumulators.

use mrmr_core::{Error, Result};
use rayon::prelude::*;

use super::index::Bm25Index;
use super::query::QueryTerm;
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
    /// If `k` is 0, the filter names a row that is not there, or the file of the index was changed.
    pub fn search(&self, query: &str, k: usize, filter: &Filter) -> Result<Vec<Neighbour>> {
        check_k(k)?;
        filter.check(self.len())?;
        Ok(self.rank(&self.query_terms(query)?, k, filter))
    }

    /// [`Bm25Index::search`] for terms that count as often as is said, whatever the weighting of queries:
    /// each adds `weight` times what it would add if it occurred once in a bag of words.
    ///
    /// Terms are as the analyser makes them (`run`, not `running`); the weights of one that is there
    /// several times are added up, and terms that no document has are passed over.
    ///
    /// ```
    /// use mrmr_search::{Analyzer, Bm25Index, Bm25Params, Filter};
    /// let mut builder = Bm25Index::builder(Bm25Params::default(), Analyzer::Whitespace);
    /// builder.add("d1", "red apple")?;
    /// builder.add("d2", "green pear")?;
    /// let index = builder.build();
    /// let found = index.search_terms(&[("red", 1.0), ("green", 2.5)], 1, &Filter::default())?;
    /// assert_eq!(index.id(found[0].row), "d2");
    /// # Ok::<(), mrmr_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// If a weight is not above 0 or is above 10^30, `k` is 0, or the filter names a row that is not there.
    pub fn search_terms<T: AsRef<str>>(
        &self,
        terms: &[(T, f32)],
        k: usize,
        filter: &Filter,
    ) -> Result<Vec<Neighbour>> {
        check_k(k)?;
        filter.check(self.len())?;
        Ok(self.rank(&self.weighted_terms(terms)?, k, filter))
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
            let terms = self.query_terms(query.as_ref())?;
            Ok(self.rank(&terms, k, filters.get(number).unwrap_or(&all)))
        });
        found.collect()
    }

    fn rank(&self, terms: &[QueryTerm], k: usize, filter: &Filter) -> Vec<Neighbour> {
        if filter.candidates().is_none()
            && let Some(threshold) = self.known_threshold(terms, k, filter)
        {
            return self.rank_pruned(terms, k, filter, threshold);
        }
        self.scratch.with(self.len(), |scratch| {
            for &QueryTerm { term, weight, .. } in terms {
                let weight = weight * self.idf(term);
                let (rows, frequencies) = self.corpus.postings.of(term);
                for (&row, &frequency) in rows.iter().zip(frequencies) {
                    let (row, frequency) = (u32::from_le_bytes(row), u32::from_le_bytes(frequency));
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
    /// If there is no such row, or the file of the index was changed.
    pub fn explain(&self, query: &str, row: u32) -> Result<Vec<TermScore>> {
        if row as usize >= self.len() {
            return Err(Error::usage(format!(
                "there is no row {row} to explain; the index has {} rows",
                self.len()
            )));
        }
        let postings = &self.corpus.postings;
        let scores = self.query_terms(query)?.into_iter().filter_map(
            |QueryTerm {
                 term,
                 count,
                 weight,
             }| {
                let (rows, frequencies) = postings.of(term);
                let place = rows.binary_search_by_key(&row, |row| u32::from_le_bytes(*row));
                let place = place.ok()?;
                let (idf, frequency) = (self.idf(term), u32::from_le_bytes(frequencies[place]));
                Some(TermScore {
                    term: postings
                        .terms
                        .names
                        .get(mrmr_core::Interned::index(term))
                        .to_owned(),
                    query_frequency: count,
                    query_weight: weight,
                    document_frequency: rows.len(),
                    frequency,
                    idf,
                    score: self.contribution(weight * idf, frequency, row),
                })
            },
        );
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
    /// How much it counts in the query; as often as it occurs where queries are bags of words.
    pub query_weight: f32,
    /// In how many documents it occurs.
    pub document_frequency: usize,
    /// How often it occurs in this document.
    pub frequency: u32,
    /// Its inverse document frequency.
    pub idf: f32,
    /// What it adds.
    pub score: f32,
}
