//! The differences of paired values.

use mrmr_core::{Error, Result};

use crate::mean::mean;

/// Values closer than this share of the largest are equal: what rounding may do to a value.
pub(super) const ROUNDING: f64 = 1e-12;

/// Differences of the queries in ascending order; those within rounding of 0 are 0.
pub(super) struct Differences {
    values: Vec<f64>,
    tolerance: f64,
}

impl Differences {
    pub(super) fn new(baseline: &[f64], run: &[f64]) -> Result<Self> {
        if baseline.len() != run.len() {
            return Err(Error::data(format!(
                "paired values are of the same queries, but the baseline has {} and the run {}",
                baseline.len(),
                run.len()
            )));
        }
        if baseline.is_empty() {
            return Err(Error::data("there is no query to compare on"));
        }
        let all = || baseline.iter().chain(run);
        if let Some(value) = all().find(|value| !value.is_finite()) {
            return Err(Error::data(format!(
                "values are compared where they are finite, and one is {value}"
            )));
        }
        let tolerance = ROUNDING * all().fold(0.0f64, |most, value| most.max(value.abs()));
        let differences = run.iter().zip(baseline).map(|(run, baseline)| {
            let difference = run - baseline;
            if difference.abs() <= tolerance {
                0.0
            } else {
                difference
            }
        });
        let mut values: Vec<f64> = differences.collect();
        values.sort_unstable_by(f64::total_cmp);
        Ok(Differences { values, tolerance })
    }

    pub(super) fn values(&self) -> &[f64] {
        &self.values
    }

    /// What two differences may be apart and still be equal.
    pub(super) fn tolerance(&self) -> f64 {
        self.tolerance
    }

    pub(super) fn non_zero(&self) -> impl Iterator<Item = f64> {
        self.values.iter().copied().filter(|value| *value != 0.0)
    }

    /// How many are above and how many below 0.
    pub(super) fn signs(&self) -> (usize, usize) {
        let above = self.values.iter().filter(|value| **value > 0.0).count();
        (above, self.non_zero().count() - above)
    }

    pub(super) fn mean(&self) -> f64 {
        // Of the negated values the sum is not quite the negated sum, as it goes from the lowest
        // to the highest. The sign of 0 is plus.
        let backward = mean(self.values.iter().map(|value| -value));
        (mean(self.values.iter().copied()) - backward) / 2.0 + 0.0
    }

    /// The standard deviation (n - 1); 0 where all are equal, None for fewer than two.
    pub(super) fn standard_deviation(&self) -> Option<f64> {
        let (first, last) = (self.values.first()?, self.values.last()?);
        if self.values.len() < 2 {
            return None;
        }
        if last - first <= self.tolerance {
            return Some(0.0);
        }
        let mean = self.mean();
        let squares = self.values.iter().map(|value| (value - mean).powi(2));
        Some((crate::mean::sum(squares) / (self.values.len() - 1) as f64).sqrt())
    }

    pub(super) fn effect_size(&self) -> Option<f64> {
        match self.standard_deviation()? {
            0.0 if self.mean() == 0.0 => Some(0.0),
            0.0 => None,
            deviation => Some(self.mean() / deviation),
        }
    }
}
