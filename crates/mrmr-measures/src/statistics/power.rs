//! What an experiment can show, before it is made.

use mrmr_core::{Error, Result};

use super::student;

/// The two-sided paired t-test's chances, by the noncentral t distribution.
///
/// ```
/// use mrmr_measures::statistics::Power;
/// let power = Power::default();
/// // 50 queries whose differences have a standard deviation of 0.2:
/// let detectable = power.smallest_detectable_difference(0.2, 50)?;
/// assert_eq!(format!("{detectable:.4}"), "0.0808");
/// assert_eq!(power.queries_needed(detectable, 0.2)?, 50);
/// # Ok::<(), mrmr_core::Error>(())
/// ```
///
/// Sources: Cohen 1988, *Statistical power analysis for the behavioral sciences*; Sakai 2016,
/// *Topic set size design*. It equals `statsmodels.stats.power.TTestPower`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Power {
    /// The p value below which a difference is significant, 0.05 by default.
    pub alpha: f64,
    /// The chance that a difference of that size is found significant, 0.8 by default.
    pub power: f64,
}

impl Default for Power {
    fn default() -> Self {
        Power {
            alpha: 0.05,
            power: 0.8,
        }
    }
}

/// More queries than any experiment has.
const MOST_QUERIES: usize = 1 << 40;

impl Power {
    /// The smallest difference of means that is found with this chance.
    ///
    /// `deviation` is the standard deviation (n - 1) of the differences by query.
    ///
    /// # Errors
    ///
    /// For fewer than two queries, or where alpha, the power or the deviation make no sense.
    pub fn smallest_detectable_difference(&self, deviation: f64, queries: usize) -> Result<f64> {
        self.check(deviation)?;
        if queries < 2 {
            return Err(Error::usage(format!(
                "a t-test needs at least 2 queries, not {queries}"
            )));
        }
        let degrees = (queries - 1) as f64;
        let critical = student::quantile(1.0 - self.alpha / 2.0, degrees);
        let (mut low, mut high) = (0.0, critical.max(1.0));
        while student::power(critical, degrees, high) < self.power {
            (low, high) = (high, 2.0 * high);
        }
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if student::power(critical, degrees, middle) < self.power {
                low = middle;
            } else {
                high = middle;
            }
        }
        Ok(high * deviation / (queries as f64).sqrt())
    }

    /// The number of queries from which a difference of means is found with this chance.
    ///
    /// # Errors
    ///
    /// Where the difference is 0 or another number makes no sense, or it takes more than 2^40.
    pub fn queries_needed(&self, difference: f64, deviation: f64) -> Result<usize> {
        self.check(deviation)?;
        let effect = difference.abs() / deviation;
        if !(effect > 0.0 && difference.is_finite()) {
            return Err(Error::usage(format!(
                "no number of queries shows a difference of {difference}"
            )));
        }
        let enough = |queries: usize| {
            let degrees = (queries - 1) as f64;
            let critical = student::quantile(1.0 - self.alpha / 2.0, degrees);
            // A 10^-12 below: the smallest detectable difference of n queries needs n.
            student::power(critical, degrees, effect * (queries as f64).sqrt())
                >= self.power - 1e-12
        };
        let mut high = 2;
        while !enough(high) {
            high *= 2;
            if high > MOST_QUERIES {
                return Err(Error::usage(format!(
                    "a difference of {difference} takes more than 2^40 queries"
                )));
            }
        }
        let mut low = (high / 2).max(1);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if enough(middle) {
                high = middle;
            } else {
                low = middle;
            }
        }
        Ok(high)
    }

    fn check(&self, deviation: f64) -> Result<()> {
        let between = |value: f64| value > 0.0 && value < 1.0;
        if !between(self.alpha) || !between(self.power) || self.power <= self.alpha {
            return Err(Error::usage(format!(
                "alpha and power lie between 0 and 1, and power above alpha: not {} and {}",
                self.alpha, self.power
            )));
        }
        if !(deviation > 0.0 && deviation.is_finite()) {
            return Err(Error::usage(format!(
                "the standard deviation of the differences is above 0, not {deviation}"
            )));
        }
        Ok(())
    }
}
