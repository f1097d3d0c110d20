//! The rows of an index, and the score of each.

use mrmr_core::{DocId, Error, Ids, Result};
use rayon::prelude::*;

use crate::kernels::prefetch;
use crate::kernels::sums::TOGETHER;
use crate::metric::{Metric, square};
use crate::top_k::{Neighbour, Precedence, TopK};
use crate::vectors::Vectors;

/// Vectors as they were given, their ids, and what makes them near.
pub(crate) struct Rows {
    pub(crate) metric: Metric,
    pub(crate) vectors: Vectors,
    pub(crate) ids: Option<Ids<DocId>>,
    pub(crate) precedence: Precedence,
    /// For each row its dot product with itself.
    pub(crate) squares: Vec<f64>,
}

impl Rows {
    /// # Errors
    /// If there are not as many ids as rows.
    pub(crate) fn new(metric: Metric, vectors: Vectors, ids: Option<Ids<DocId>>) -> Result<Self> {
        if let Some(ids) = &ids
            && ids.len() != vectors.len()
        {
            return Err(Error::data(format!(
                "there are {} ids for {} vectors; expected one each",
                ids.len(),
                vectors.len()
            ))
            .hint("a repeated id counts once"));
        }
        let numbers = vectors.as_slice().par_chunks_exact(vectors.dimension());
        Ok(Rows {
            squares: numbers.map(square).collect(),
            precedence: ids.as_ref().map_or(Precedence::Rows, Precedence::of_ids),
            metric,
            vectors,
            ids,
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.vectors.len()
    }

    /// The best `k` of some rows by their scores in 64 bits, best first; each row is given once.
    pub(crate) fn rescore(
        &self,
        query: &[f32],
        k: usize,
        rows: impl Iterator<Item = u32>,
    ) -> Vec<Neighbour> {
        let query_square = square(query);
        let mut top = TopK::new(k, &self.precedence);
        let mut rows = rows.inspect(|row| prefetch(self.vectors.row(*row as usize)));
        let mut next = first_of(&mut rows);
        while let ([first, ..], count) = next
            && count > 0
        {
            // The memory of the following ones comes while these are scored.
            let (mut now, _) = std::mem::replace(&mut next, first_of(&mut rows));
            now[count..].fill(first);
            let now = now.map(|row| row as usize);
            let scores = self.metric.scores_with_squares(
                query,
                now.map(|row| self.vectors.row(row)),
                query_square,
                now.map(|row| self.squares[row]),
            );
            for (row, score) in now.into_iter().zip(scores).take(count) {
                top.offer(row as u32, score);
            }
        }
        top.into_sorted()
    }
}

/// The first of some rows, as many as are scored together, and how many there were.
fn first_of(rows: &mut impl Iterator<Item = u32>) -> ([u32; TOGETHER], usize) {
    let (mut first, mut count) = ([0; TOGETHER], 0);
    for (place, row) in first.iter_mut().zip(rows) {
        *place = row;
        count += 1;
    }
    (first, count)
}
