//! How values are printed for people.

use mrmr_measures::{Aggregate, MeasureSpec, Range};

/// How many digits, and whether as a percentage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// Digits behind the point.
    pub digits: usize,
    /// Whether shares are multiplied by 100.
    pub percent: bool,
}

impl Default for Numbers {
    fn default() -> Self {
        Numbers {
            digits: 4,
            percent: false,
        }
    }
}

impl Numbers {
    /// A value of a measure: counts as whole numbers.
    pub fn show(&self, spec: &MeasureSpec, value: f64) -> String {
        let definition = spec.definition();
        if definition.aggregate == Aggregate::Sum {
            return format!("{}", value + 0.0);
        }
        let factor = if self.percent && definition.range == Range::Unit {
            100.0
        } else {
            1.0
        };
        // Plus 0 takes the sign of a minus zero away.
        format!("{:.*}", self.digits, value * factor + 0.0)
    }

    /// A difference of two values, with its sign; what rounds to 0 has none.
    pub fn show_signed(&self, spec: &MeasureSpec, difference: f64) -> String {
        let text = self.show(spec, difference.abs());
        let is_zero = text.chars().all(|c| matches!(c, '0' | '.'));
        match (is_zero, difference < 0.0) {
            (true, _) => text,
            (false, true) => format!("-{text}"),
            (false, false) => format!("+{text}"),
        }
    }
}
