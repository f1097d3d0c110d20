//! What a scan found.

use std::cmp::Ordering;

use mrmr_core::{DuplicatePolicy, Error, Origin, Result, Run};

use crate::exact::builder::ExactNotes;
use crate::queries::VectorQueries;
use crate::top_k::Neighbour;

/// The best rows of each query; see [`super::ExactScan`].
pub struct Scanned {
    pub(super) queries: VectorQueries,
    pub(super) found: Vec<Vec<Found>>,
    pub(super) notes: ExactNotes,
}

/// A row among the best so far.
pub(super) struct Found {
    pub(super) row: u32,
    pub(super) score: f64,
    pub(super) id: Option<Box<str>>,
}

impl Scanned {
    /// For each query the best rows, best first; rows are counted over all blocks.
    pub fn neighbours(&self) -> Vec<Vec<Neighbour>> {
        let neighbours = |found: &Vec<Found>| {
            let rows = found.iter();
            rows.map(|found| Neighbour {
                row: found.row,
                score: found.score,
            })
            .collect()
        };
        self.found.iter().map(neighbours).collect()
    }

    /// What was accepted in the rows.
    pub fn notes(&self) -> ExactNotes {
        self.notes
    }

    /// A run of the documents found; a query without any is in it all the same.
    ///
    /// # Errors
    /// If the rows have no ids.
    pub fn run(&self, name: &str) -> Result<Run> {
        let mut builder = Run::builder(name, Origin::memory(name));
        for (query, found) in self.queries.ids().names().zip(&self.found) {
            builder.add_empty(query);
            for found in found {
                let id = found.id.as_deref().ok_or_else(|| {
                    Error::usage("the rows have no ids; a run needs document ids")
                        .hint("give the ids with the rows")
                })?;
                let number = builder.len() as u64;
                builder.add(query, id, found.score, number)?;
            }
        }
        Ok(builder.finish(DuplicatePolicy::Error)?.0)
    }
}

/// Adds rows to the best so far and keeps the best `k`: equal scores by the larger id, or the smaller row.
pub(super) fn best(k: usize, found: &mut Vec<Found>, new: impl Iterator<Item = Found>) {
    found.extend(new);
    found.sort_by(|a, b| {
        // Scores are never NaN.
        let scores = b.score.partial_cmp(&a.score).unwrap_or(Ordering::Equal);
        scores.then_with(|| b.id.cmp(&a.id)).then(a.row.cmp(&b.row))
    });
    found.truncate(k);
}
