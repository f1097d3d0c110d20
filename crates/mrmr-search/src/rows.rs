//! The rows of an index, and the score of each.

use mrmr_core::{DocId, Error, Ids, Result};
use rayon::prelude::*;

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
        for row in rows {
            let (vector, square) = (self.vectors.row(row as usize), self.squares[row as usize]);
            let metric = self.metric;
            top.offer(
                row,
                metric.score_with_squares(query, vector, query_square, square),
            );
        }
        top.into_sorted()
    }
}
