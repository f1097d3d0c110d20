//! Sums without rounding: values as whole multiples of a power of two.
//!
//! Sums of resamples and permutations are then the same for any order of addition, and equal ones
//! are found equal.

/// Which power of two values are multiples of.
pub(super) struct Scale {
    factor: f64,
    count: usize,
}

/// A value keeps this many bits, about 13 digits of the largest; more would only hold its rounding.
const BITS: i32 = 45;

impl Scale {
    /// For sums of up to `count` values of up to `largest`.
    pub(super) fn new(largest: f64, count: usize) -> Self {
        let room = 62 - (usize::BITS - count.leading_zeros()) as i32;
        let exponent = libm::frexp(largest).1;
        let factor = libm::ldexp(1.0, (BITS.min(room) - exponent).clamp(-1000, 1000));
        Scale { factor, count }
    }

    pub(super) fn whole(&self, value: f64) -> i64 {
        (value * self.factor).round() as i64
    }

    /// Two sums are equal where they differ by no more than this.
    pub(super) fn tolerance(&self) -> i64 {
        self.count as i64
    }
}

/// Values as whole numbers, with their sum.
pub(super) struct ExactSums {
    values: Vec<i64>,
    total: i64,
    scale: Scale,
}

impl ExactSums {
    /// None where there are fewer than two different values.
    pub(super) fn new(values: &[f64]) -> Option<Self> {
        let largest = values
            .iter()
            .fold(0.0f64, |most, value| most.max(value.abs()));
        let scale = Scale::new(largest, values.len());
        let values: Vec<i64> = values.iter().map(|value| scale.whole(*value)).collect();
        let first = *values.first()?;
        if values.iter().all(|value| *value == first) {
            return None;
        }
        Some(ExactSums {
            total: values.iter().sum(),
            values,
            scale,
        })
    }

    pub(super) fn values(&self) -> &[i64] {
        &self.values
    }

    pub(super) fn total(&self) -> i64 {
        self.total
    }

    pub(super) fn tolerance(&self) -> i64 {
        self.scale.tolerance()
    }

    /// The mean that a sum stands for.
    pub(super) fn mean_of(&self, total: f64) -> f64 {
        total / self.scale.factor / self.values.len() as f64
    }
}
