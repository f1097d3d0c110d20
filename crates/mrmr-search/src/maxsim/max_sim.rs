//! The exact MaxSim index.

use mrmr_core::{DocId, Ids, Result};

use super::builder::{MaxSimBuilder, MaxSimNotes};
use super::index::{MultiVectorIndex, check_dimension};
use super::multi_vectors::MultiVectors;
use crate::exact::codes::Codes;
use crate::filter::Filter;
use crate::kernels::{Kernels, ROWS, greatest};
use crate::metric::{Metric, square};
use crate::rows::Rows;
use crate::top_k::{Neighbour, Precedence, check_k};

/// Finds the documents with the truly best MaxSim (ColBERT: Khattab & Zaharia 2020): the same ones, with the same
/// scores to the last bit, for any batch of queries, any number of threads and on any processor.
///
/// ```
/// use mrmr_search::{MaxSimIndex, MultiVectorIndex, MultiVectors};
/// let documents = MultiVectors::new(2, vec![1.0, 0.0, 0.0, 1.0, 0.6, 0.8], vec![0, 2, 3, 3])?;
/// let ids = ["both", "between", "nothing"].into_iter().collect();
/// let (index, notes) = MaxSimIndex::builder(documents).ids(ids).build()?;
/// assert_eq!(notes.empty_documents, 1); // never returned
///
/// let query = MultiVectors::new(2, vec![1.0, 0.0, 0.0, 1.0], vec![0, 2])?;
/// let found = index.search(&query, 10)?;
/// assert_eq!(found[0].iter().map(|n| n.row).collect::<Vec<_>>(), [0, 1]);
/// assert_eq!(found[0][0].score, 2.0); // 1 for each vector of the query
/// # Ok::<(), mrmr_core::Error>(())
/// ```
pub struct MaxSimIndex {
    /// The vectors of all documents, document after document.
    pub(super) rows: Rows,
    pub(super) offsets: Vec<usize>,
    pub(super) ids: Option<Ids<DocId>>,
    pub(super) precedence: Precedence,
    /// The vectors in 8 bits and what bounds them, where their dimension allows.
    pub(super) coded: Option<Coded>,
    pub(super) kernels: Kernels,
    pub(super) raise: greatest::Raise,
}

/// Codes, and for each document the worst of its vectors' bounds.
pub(super) struct Coded {
    pub(super) codes: Codes,
    /// The greatest `|r|` of a document's vectors; infinite where one of them has no bound.
    pub(super) residuals: Vec<f32>,
    /// The greatest `|c|`, of all columns.
    pub(super) lengths: Vec<f32>,
    /// The norm of the mean that was taken off.
    pub(super) centre: f64,
}

impl MaxSimIndex {
    /// Starts an index over documents, at cosine similarity and without ids for now.
    pub fn builder(documents: MultiVectors) -> MaxSimBuilder {
        MaxSimBuilder::new(documents)
    }

    pub(super) fn new(
        documents: MultiVectors,
        metric: Metric,
        ids: Option<Ids<DocId>>,
    ) -> Result<(Self, MaxSimNotes)> {
        let (vectors, offsets) = documents.into_parts();
        let rows = Rows::new(metric, vectors, None)?;
        let codes = Codes::of_all_columns(metric, &rows.vectors, &rows.squares);
        let coded = codes.map(|codes| Coded::new(codes, &offsets));
        let is_empty = |pair: &[usize]| pair[0] == pair[1];
        let extreme = |square: &&f64| !crate::exact::is_ordinary(square.sqrt());
        let notes = MaxSimNotes {
            empty_documents: offsets.windows(2).filter(|pair| is_empty(pair)).count(),
            first_empty_document: offsets.windows(2).position(is_empty),
            zero_vectors: rows.squares.iter().filter(|square| **square == 0.0).count(),
            extreme_vectors: rows.squares.iter().filter(extreme).count(),
        };
        let index = MaxSimIndex {
            precedence: ids.as_ref().map_or(Precedence::Rows, Precedence::of_ids),
            rows,
            offsets,
            ids,
            coded,
            kernels: Kernels::detect(),
            raise: greatest::detect(),
        };
        Ok((index, notes))
    }

    /// How many vectors a document has.
    ///
    /// # Panics
    /// If there is no such document.
    pub fn vectors_of(&self, document: usize) -> usize {
        self.offsets[document + 1] - self.offsets[document]
    }

    /// How many vectors all documents have.
    pub fn total_vectors(&self) -> usize {
        self.rows.len()
    }

    /// The documents, as they were given.
    pub fn documents(&self) -> MultiVectors {
        MultiVectors::of_checked(self.rows.vectors.clone(), self.offsets.clone())
    }

    /// A document's score in 64 bits: vector after vector of the query, the greatest score with one of the
    /// document's, summed in this order; none where the document has no vectors. The query's numbers are its
    /// vectors, one after another.
    ///
    /// # Panics
    /// If there is no such document.
    pub fn score(&self, query: &[f32], document: usize) -> Option<f64> {
        let range = self.offsets[document]..self.offsets[document + 1];
        if range.is_empty() {
            return None;
        }
        let mut sum = 0.0;
        for vector in query.chunks_exact(self.dimension()) {
            let own = square(vector);
            let scores = range.clone().map(|row| self.pair(vector, own, row));
            sum += scores.fold(f64::NEG_INFINITY, f64::max);
        }
        Some(sum)
    }

    /// The score of a vector of a query, whose square is given, with one of all vectors.
    #[inline]
    pub(super) fn pair(&self, vector: &[f32], own: f64, row: usize) -> f64 {
        let (other, square) = (self.rows.vectors.row(row), self.rows.squares[row]);
        self.rows
            .metric
            .score_with_squares(vector, other, own, square)
    }
}

impl Coded {
    fn new(codes: Codes, offsets: &[usize]) -> Self {
        let worst = |of: fn(&crate::kernels::RowBounds) -> &[f32; ROWS]| -> Vec<f32> {
            let documents = offsets.windows(2).map(|pair| {
                let rows = (pair[0]..pair[1]).map(|row| of(&codes.bounds[row / ROWS])[row % ROWS]);
                rows.fold(0.0, f32::max)
            });
            documents.collect()
        };
        Coded {
            residuals: worst(|bounds| &bounds.residual),
            lengths: worst(|bounds| &bounds.length)
                .into_iter()
                .zip(worst(|bounds| &bounds.whole))
                .map(|(length, whole)| length.max(whole))
                .collect(),
            centre: square(&codes.mean).sqrt(),
            codes,
        }
    }
}

impl MultiVectorIndex for MaxSimIndex {
    fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    fn dimension(&self) -> usize {
        self.rows.vectors.dimension()
    }

    fn metric(&self) -> Metric {
        self.rows.metric
    }

    fn ids(&self) -> Option<&Ids<DocId>> {
        self.ids.as_ref()
    }

    fn search_filtered(
        &self,
        queries: &MultiVectors,
        k: usize,
        filters: &[Filter],
    ) -> Result<Vec<Vec<Neighbour>>> {
        check_k(k)?;
        check_dimension(queries, self.dimension())?;
        Filter::check_all(filters, queries.len(), self.len())?;
        Ok(self.search_blocks(queries, k, filters))
    }
}
