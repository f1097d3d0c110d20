//! Vectors in, lists out.

use mrmr_core::{DocId, Error, Event, Ids, Observer, Result};

use super::index::IvfIndex;
use super::lists::Lists;
use crate::clusters::coarse::{Coarse, ITERATIONS};
use crate::exact::codes::Codes;
use crate::kernels::Kernels;
use crate::metric::Metric;
use crate::rows::Rows;
use crate::vectors::Vectors;

/// How many lists there are, and how many of them a query looks through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IvfParams {
    /// How many lists: at most as many as there are rows. None is about the square root of the rows, at
    /// most 65,536.
    pub lists: Option<usize>,
    /// Lists that a query looks through, at least 1.
    pub probes: usize,
    /// What the first centroids and the sample are drawn with.
    pub seed: u64,
}

impl Default for IvfParams {
    fn default() -> Self {
        IvfParams {
            lists: None,
            probes: 8,
            seed: 0,
        }
    }
}

impl IvfParams {
    pub(super) fn check(&self) -> Result<()> {
        if self.probes == 0 || self.lists == Some(0) {
            let name = if self.probes == 0 { "probes" } else { "lists" };
            return Err(Error::usage(format!("{name} is 0; expected at least 1")));
        }
        Ok(())
    }

    fn lists_of(&self, rows: usize) -> usize {
        let usual = rows.isqrt().min(1 << 16);
        self.lists.unwrap_or(usual).clamp(1, rows.max(1))
    }
}

/// What the lists are like.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct IvfNotes {
    /// How many lists there are.
    pub lists: usize,
    /// Lists without a row: no query counts them among those it looks through.
    pub empty_lists: usize,
    /// Rows of the largest list.
    pub largest_list: usize,
    /// How many times the rows a query looks through that it would with lists of one size, if it is near
    /// each row as often: `lists * sum(size^2) / rows^2`; 1 is best, 0 where there are no rows.
    pub imbalance: f64,
}

impl IvfNotes {
    /// The notes as sentences, for [`mrmr_core::Event::Warning`].
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.empty_lists > 0 && self.lists > 1 {
            warnings.push(format!(
                "{} of {} lists are empty",
                self.empty_lists, self.lists
            ));
        }
        if self.imbalance > 3.0 {
            warnings.push(format!(
                "lists differ in size (the largest has {} rows): a query looks through {:.1} times the rows that it would with lists of one size",
                self.largest_list, self.imbalance
            ));
        }
        warnings
    }
}

/// Collects what an index is made of; see [`IvfIndex::builder`].
pub struct IvfBuilder {
    metric: Metric,
    vectors: Vectors,
    ids: Option<Ids<DocId>>,
    params: IvfParams,
}

impl IvfBuilder {
    pub(super) fn new(metric: Metric, vectors: Vectors) -> Self {
        IvfBuilder {
            metric,
            vectors,
            ids: None,
            params: IvfParams::default(),
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
    pub fn params(mut self, params: IvfParams) -> Self {
        self.params = params;
        self
    }

    /// The index, and what its lists are like.
    ///
    /// # Errors
    /// If a parameter is 0, or there are not as many ids as rows.
    pub fn build(self, observer: &dyn Observer) -> Result<(IvfIndex, IvfNotes)> {
        self.build_with(observer, Kernels::detect())
    }

    pub(super) fn build_with(
        self,
        observer: &dyn Observer,
        kernels: Kernels,
    ) -> Result<(IvfIndex, IvfNotes)> {
        self.params.check()?;
        let rows = Rows::new(self.metric, self.vectors, self.ids)?;
        let codes = Codes::of_all_columns(rows.metric, &rows.vectors, &rows.squares);
        let lists = match &codes {
            Some(codes) if rows.len() > 0 => {
                let coarse = Coarse {
                    rows: &rows,
                    codes,
                    clusters: self.params.lists_of(rows.len()),
                    seed: self.params.seed,
                    kernels,
                };
                divided(&coarse, observer)?
            }
            _ => Lists::single(rows.len()),
        };
        let notes = lists.notes();
        Ok((IvfIndex::new(rows, lists, self.params, kernels), notes))
    }
}

fn divided(coarse: &Coarse<'_>, observer: &dyn Observer) -> Result<Lists> {
    let step = |number, name, total, unit| {
        observer.observe(Event::StepStarted {
            number,
            of: 2,
            name,
            total,
            unit,
        });
    };
    step(1, "finding lists", Some(ITERATIONS as u64), "rounds");
    let centroids = coarse.train(|| observer.observe(Event::Advanced(1)))?;
    observer.observe(Event::StepFinished);
    step(2, "filling lists", None, "rows");
    let list_of = centroids.nearest(coarse.codes, coarse.rows.len(), coarse.kernels);
    let lists = Lists::coded(list_of, centroids, coarse.codes);
    observer.observe(Event::StepFinished);
    Ok(lists)
}
