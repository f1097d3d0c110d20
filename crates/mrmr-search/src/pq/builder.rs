//! Vectors in, codes out.

use mrmr_core::{DocId, Error, Event, Ids, Observer, Result};

use super::codebooks::Codebooks;
use super::index::PqIndex;
use crate::kernels::segments::SegmentKernels;
use crate::metric::Metric;
use crate::rows::Rows;
use crate::vectors::Vectors;

/// How many bytes a row has, and how many rows are scored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PqParams {
    /// Bytes of a row: as many segments its columns are cut into, of one length or, where the dimension is
    /// no multiple, the first ones a column longer. None is a quarter of the dimension, at least 1 and at
    /// most [`PqParams::MAX_SEGMENTS`].
    pub segments: Option<usize>,
    /// How many of the best rows by their codes are scored by their vectors, at least `k`. 0: none; rows
    /// are ranked, and scored, by what their codes stand for.
    pub rescored: usize,
    /// What the first centroids and the sample are drawn with.
    pub seed: u64,
}

impl PqParams {
    /// The most segments: their costs are whole numbers that sum to less than 2^16.
    pub const MAX_SEGMENTS: usize = 2048;

    pub(super) fn segments_of(&self, dimension: usize) -> Result<usize> {
        let usual = (dimension / 4).clamp(1, Self::MAX_SEGMENTS);
        let segments = self.segments.unwrap_or(usual);
        let most = dimension.min(Self::MAX_SEGMENTS);
        if segments == 0 || segments > most {
            return Err(Error::usage(format!(
                "segments is {segments}; expected 1 to {most} for vectors of {dimension} dimensions"
            )));
        }
        Ok(segments)
    }
}

impl Default for PqParams {
    fn default() -> Self {
        PqParams {
            segments: None,
            rescored: 100,
            seed: 0,
        }
    }
}

/// How near the codes are to the rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PqNotes {
    /// How many segments there are.
    pub segments: usize,
    /// Mean of the squared distances between rows and what their codes stand for, divided by that between
    /// rows and their mean: 0 is no error, 1 as much as with one point for all. At cosine similarity, of
    /// rows divided by their norms; 0 where all rows are alike.
    pub error: f64,
    /// Rows so long or so short (norm beyond 2^50 or below 2^-50) that they have no code: every query scores
    /// them.
    pub extreme_rows: usize,
}

impl PqNotes {
    /// The notes as sentences, for [`mrmr_core::Event::Warning`].
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.error > 0.5 {
            warnings.push(format!(
                "codes of {} bytes lose {:.0} % of what sets the rows apart; more segments lose less",
                self.segments,
                self.error * 100.0
            ));
        }
        if self.extreme_rows > 0 {
            warnings.push(format!(
                "{} vectors have norms beyond 2^50 or below 2^-50; every query scores them",
                self.extreme_rows
            ));
        }
        warnings
    }
}

/// Collects what an index is made of; see [`PqIndex::builder`].
pub struct PqBuilder {
    metric: Metric,
    vectors: Vectors,
    ids: Option<Ids<DocId>>,
    params: PqParams,
}

impl PqBuilder {
    pub(super) fn new(metric: Metric, vectors: Vectors) -> Self {
        PqBuilder {
            metric,
            vectors,
            ids: None,
            params: PqParams::default(),
        }
    }

    /// Gives the rows ids, in their order.
    #[must_use]
    pub fn ids(mut self, ids: Ids<DocId>) -> Self {
        self.ids = Some(ids);
        self
    }

    /// Sets the parameters.
    #[must_use]
    pub fn params(mut self, params: PqParams) -> Self {
        self.params = params;
        self
    }

    /// The index, and how near its codes are to the rows.
    ///
    /// # Errors
    /// If there are not as many ids as rows, or `segments` is 0, above the dimension or above
    /// [`PqParams::MAX_SEGMENTS`].
    pub fn build(self, observer: &dyn Observer) -> Result<(PqIndex, PqNotes)> {
        self.build_with(observer, SegmentKernels::detect())
    }

    pub(super) fn build_with(
        self,
        observer: &dyn Observer,
        kernels: SegmentKernels,
    ) -> Result<(PqIndex, PqNotes)> {
        let segments = self.params.segments_of(self.vectors.dimension())?;
        let rows = Rows::new(self.metric, self.vectors, self.ids)?;
        observer.observe(Event::StepStarted {
            number: 1,
            of: 1,
            name: "finding codes",
            total: Some(segments as u64),
            unit: "segments",
        });
        let seed = self.params.seed;
        let advanced = || observer.observe(Event::Advanced(1));
        let (codebooks, codes, error) = Codebooks::train(&rows, segments, seed, kernels, advanced);
        observer.observe(Event::StepFinished);
        let index = PqIndex::new(rows, codebooks, codes, error, self.params, kernels);
        let notes = index.notes();
        Ok((index, notes))
    }
}
