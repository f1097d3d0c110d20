//! An axis: what it shows, and where a value stands on it.

use super::ticks;

/// How values are spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scale {
    /// Equal differences take equal room.
    Linear,
    /// Equal ratios take equal room; values are above 0.
    Logarithmic,
}

/// An axis without its place on the page.
#[derive(Clone, Debug)]
pub(crate) struct Axis {
    /// What it shows, with its unit.
    pub(crate) label: String,
    /// How.
    pub(crate) scale: Scale,
}

/// An axis over the values that it shows.
pub(super) struct Laid {
    pub(super) ticks: Vec<f64>,
    scale: Scale,
    low: f64,
    high: f64,
}

impl Axis {
    /// The axis from the tick below the lowest value to that above the highest.
    pub(super) fn over(&self, values: impl Iterator<Item = f64>) -> Laid {
        let finite = values.filter(|value| value.is_finite());
        let values: Vec<f64> = match self.scale {
            Scale::Linear => finite.collect(),
            Scale::Logarithmic => finite.filter(|value| *value > 0.0).collect(),
        };
        let low = values.iter().copied().reduce(f64::min).unwrap_or(1.0);
        let high = values.iter().copied().reduce(f64::max).unwrap_or(1.0);
        let ticks = match self.scale {
            // One value alone has room around it.
            Scale::Linear if low == high => ticks::linear(low - 0.1, high, 4),
            Scale::Linear => ticks::linear(low, high, 5),
            Scale::Logarithmic if low == high => ticks::logarithmic(low / 2.0, high * 2.0),
            Scale::Logarithmic => ticks::logarithmic(low, high),
        };
        Laid {
            scale: self.scale,
            low: ticks.first().copied().unwrap_or(low),
            high: ticks.last().copied().unwrap_or(high),
            ticks,
        }
    }
}

impl Laid {
    /// Where a value stands, from 0 to 1.
    pub(super) fn share(&self, value: f64) -> f64 {
        let (value, low, high) = match self.scale {
            Scale::Linear => (value, self.low, self.high),
            Scale::Logarithmic => (value.max(self.low).ln(), self.low.ln(), self.high.ln()),
        };
        match high > low {
            true => ((value - low) / (high - low)).clamp(0.0, 1.0),
            false => 0.5,
        }
    }
}
