//! Exact search in one pass over rows that need not fit into memory.

mod answer;
mod file;
mod mentions;
#[cfg(test)]
mod tests;

use mrmr_core::{DocId, Error, Ids, Result};

pub use answer::Scanned;
use answer::{Found, best};
use mentions::Mentions;

use super::builder::ExactNotes;
use super::index::ExactIndex;
use crate::index::check_dimension;
use crate::metric::Metric;
use crate::queries::VectorQueries;
use crate::rows::Rows;
use crate::top_k::{check_k, id_of};
use crate::vectors::Vectors;

/// For fewer queries than this, rows are not worth coding in 8 bits: measured with 384 dimensions, coding a row takes as
/// long as the pass in 32 bits loses over some 250 queries.
const WORTH_CODING: usize = 250;

/// Finds the true nearest neighbours among rows that come block after block: the rows and scores that
/// [`ExactIndex`] finds over all of them, to the last bit, whatever the blocks.
///
/// It keeps the best rows so far and, while a block is searched, that block with its codes: `5/4` of the block's
/// size, or the block alone for few queries. Nothing is kept of rows that are not among the best.
///
/// ```
/// use mrmr_search::{ExactScan, Metric, VectorQueries, Vectors};
/// let queries = VectorQueries::new(["q"].into_iter().collect(), Vectors::new(2, vec![0.0, 1.0])?)?;
/// let mut scan = ExactScan::new(Metric::Cosine, queries, 2)?;
/// scan.add(Vectors::new(2, vec![1.0, 0.0, 0.0, 2.0])?, Some(&["east", "north"]))?;
/// scan.add(Vectors::new(2, vec![3.0, 3.0])?, Some(&["north-east"]))?;
///
/// let found = scan.finish()?;
/// let rows: Vec<u32> = found.neighbours()[0].iter().map(|neighbour| neighbour.row).collect();
/// assert_eq!(rows, [1, 2]);
/// let run = found.run("exact")?;
/// assert_eq!(run.documents().len(), 2);
/// # Ok::<(), mrmr_core::Error>(())
/// ```
pub struct ExactScan {
    metric: Metric,
    queries: VectorQueries,
    k: usize,
    mentions: Option<Mentions>,
    found: Vec<Vec<Found>>,
    rows: usize,
    /// Whether rows have ids; not known before the first.
    have_ids: Option<bool>,
    notes: ExactNotes,
    /// Whether blocks are coded in 8 bits, where that is settled.
    coded: Option<bool>,
}

impl ExactScan {
    /// A search for the best `k` rows of each query, among no rows yet. The restrictions of the queries hold.
    ///
    /// # Errors
    /// If `k` is 0.
    pub fn new(metric: Metric, queries: VectorQueries, k: usize) -> Result<Self> {
        check_k(k)?;
        Ok(ExactScan {
            metric,
            mentions: Mentions::new(queries.restrictions()),
            found: queries.ids().names().map(|_| Vec::new()).collect(),
            queries,
            k,
            rows: 0,
            have_ids: None,
            notes: ExactNotes::default(),
            coded: None,
        })
    }

    /// Searches the next rows. Their ids must differ from those of all other rows, as
    /// [`mrmr_formats::vectors::VectorBlocks`] sees to; within the rows that are added it is checked.
    ///
    /// # Errors
    /// If the rows have another dimension than the queries, there are not as many ids as rows, only some rows
    /// have ids, or a query is restricted and rows have none.
    pub fn add(&mut self, rows: Vectors, ids: Option<&[impl AsRef<str>]>) -> Result<()> {
        check_dimension(self.queries.vectors(), rows.dimension())?;
        if *self.have_ids.get_or_insert(ids.is_some()) != ids.is_some() {
            return Err(Error::usage("some rows have ids, others have none"));
        }
        if self.rows + rows.len() > u32::MAX as usize {
            return Err(Error::unsupported(
                "expected fewer than 2^32 rows in one search",
            ));
        }
        let ids: Option<Ids<DocId>> = ids.map(|ids| ids.iter().map(AsRef::as_ref).collect());
        let filters = match (&mut self.mentions, &ids) {
            (None, _) => Vec::new(),
            (Some(mentions), Some(ids)) => mentions.filters(ids),
            (Some(_), None) => {
                return Err(Error::usage(
                    "queries are restricted to documents by id, but the rows have no ids",
                ));
            }
        };
        let rows = Rows::new(self.metric, rows, ids)?;
        let coded = self.coded.unwrap_or(self.found.len() >= WORTH_CODING);
        let (index, notes) = match coded {
            true => ExactIndex::new(rows),
            false => ExactIndex::without_codes(rows),
        };
        self.note(notes);
        let floors: Vec<f64> = self.found.iter().map(|found| self.floor(found)).collect();
        let new = index.search_above(self.queries.vectors(), self.k, &filters, &floors);
        let first = self.rows as u32;
        for (found, new) in self.found.iter_mut().zip(new) {
            let new = new.into_iter().map(|neighbour| Found {
                row: first + neighbour.row,
                score: neighbour.score,
                id: index
                    .rows
                    .ids
                    .as_ref()
                    .map(|ids| id_of(ids, neighbour.row).into()),
            });
            best(self.k, found, new);
        }
        self.rows += index.rows.len();
        Ok(())
    }

    /// What was found.
    ///
    /// # Errors
    /// If a candidate of a query was not among the rows; the message names both.
    pub fn finish(self) -> Result<Scanned> {
        if let Some(mentions) = &self.mentions {
            mentions.refuse_missing(&self.queries)?;
        }
        Ok(Scanned {
            queries: self.queries,
            found: self.found,
            notes: self.notes,
        })
    }

    /// A score that none of the best to come is below.
    fn floor(&self, found: &[Found]) -> f64 {
        match found.get(self.k - 1) {
            Some(last) => last.score,
            None => f64::NEG_INFINITY,
        }
    }

    fn note(&mut self, notes: ExactNotes) {
        let first = notes.first_zero_row.map(|row| self.rows + row);
        self.notes.first_zero_row = self.notes.first_zero_row.or(first);
        self.notes.zero_rows += notes.zero_rows;
        self.notes.extreme_rows += notes.extreme_rows;
    }
}
