//! The distribution of the resampled mean, without a resample.
//!
//! The mean of n draws from n values has a distribution with a known cumulant generating function
//! K: that of one draw is ln((1/n) sum exp(t x)). Davison & Hinkley 1988, *Saddlepoint
//! approximations in resampling methods*, read quantiles off it; here through the modified root
//! r* = w + ln(u / w) / w of Barndorff-Nielsen 1986, which is normal with a relative error of
//! order n^(-3/2). Where values are multiples of a step (Success@1), the quantile lies within half
//! a step of the mean, as the approximation runs through the middle of each jump.

use super::bootstrap::endpoints;

/// The values as deviations from their mean in units of their standard deviation.
pub(super) struct Saddlepoint {
    /// Different values, ascending, with how many there are of each.
    groups: Vec<(f64, f64)>,
    count: f64,
    mean: f64,
    deviation: f64,
    /// The skewness of the resampled mean.
    skewness: f64,
}

/// From more than so many values the distribution is computed.
const ENOUGH: f64 = 1000.0;

/// The largest part of the standard error by which one value may move the mean.
const LARGEST_PART: f64 = 0.1;

impl Saddlepoint {
    /// Of ascending values, not all equal.
    pub(super) fn new(values: &[f64], mean: f64) -> Self {
        let count = values.len() as f64;
        let power = |exponent: i32| {
            let powers = values.iter().map(|value| (value - mean).powi(exponent));
            powers.sum::<f64>() / count
        };
        let deviation = power(2).sqrt();
        let groups = values.chunk_by(|a, b| a == b);
        Saddlepoint {
            groups: groups
                .map(|group| ((group[0] - mean) / deviation, group.len() as f64))
                .collect(),
            count,
            mean,
            deviation,
            skewness: power(3) / (deviation.powi(3) * count.sqrt()),
        }
    }

    /// Whether there are enough values and none stands out.
    pub(super) fn is_accurate(&self) -> bool {
        let ends = [self.groups.first(), self.groups.last()];
        let largest = ends
            .into_iter()
            .flatten()
            .fold(0.0f64, |most, (y, _)| most.max(y.abs()));
        self.count > ENOUGH && largest <= LARGEST_PART * self.count.sqrt()
    }

    /// The acceleration of BCa: a sixth of the skewness of the mean's jackknife values.
    pub(super) fn acceleration(&self) -> f64 {
        self.skewness / 6.0
    }

    /// The ends of the BCa interval. The bias is that of the median, r* at the mean.
    pub(super) fn interval(&self, level: f64) -> [f64; 2] {
        endpoints(self.skewness / 6.0, self.acceleration(), level).map(|z| self.quantile(z))
    }

    /// The mean below which the share of a normal deviate lies.
    fn quantile(&self, deviate: f64) -> f64 {
        let start = self.skewness / 6.0 - deviate;
        if start == 0.0 {
            return self.mean;
        }
        // The first step would do for normal values; it is doubled until the root lies within.
        let mut step = -start / self.count.sqrt();
        let (mut near, mut far) = ((0.0, start), (step, self.root(step).0 - deviate));
        while far.1 * start > 0.0 {
            step *= 2.0;
            let next = (step, self.root(step).0 - deviate);
            // Of few values not every deviate is reached; the last point before the turn serves.
            if !next.1.is_finite() || (next.1 * start > 0.0 && next.1.abs() >= far.1.abs()) {
                break;
            }
            (near, far) = (far, next);
        }
        // Regula falsi, Illinois variant.
        let mut at = far.0;
        for _ in 0..60 {
            if far.1 * near.1 >= 0.0 {
                break;
            }
            at = far.0 - far.1 * (far.0 - near.0) / (far.1 - near.1);
            let value = self.root(at).0 - deviate;
            if value.abs() < 1e-10 {
                break;
            }
            if value * far.1 > 0.0 {
                near.1 /= 2.0;
            } else {
                near = far;
            }
            far = (at, value);
        }
        self.mean + self.deviation * self.root(at).1
    }

    /// r* at a saddlepoint, and the standardised mean it belongs to.
    fn root(&self, t: f64) -> (f64, f64) {
        let [mut zeroth, mut first, mut second] = [0.0; 3];
        for (y, count) in &self.groups {
            let weight = count * (t * y).exp();
            zeroth += weight;
            first += weight * y;
            second += weight * y * y;
        }
        let at = first / zeroth;
        let variance = second / zeroth - at * at;
        let distance = t * at - (zeroth / self.count).ln();
        let w = (2.0 * self.count * distance.max(0.0)).sqrt().copysign(t);
        let u = t * (self.count * variance).sqrt();
        if w.abs() < 1e-3 {
            return (w + self.skewness / 6.0, at);
        }
        (w + (u / w).ln() / w, at)
    }
}
