//! Conditions that a run must meet.

use std::fmt;
use std::str::FromStr;

use mrmr_core::{Error, Result};

use crate::definition::Range;
use crate::evaluation::Evaluation;
use crate::spec::MeasureSpec;

/// The lowest value that a measure may have.
///
/// ```
/// use mrmr_measures::Gate;
/// let gate: Gate = "P(rel=2)@5=0.3".parse()?;
/// assert_eq!(gate.measure.to_string(), "P(rel=2)@5");
/// assert_eq!(gate.at_least, 0.3);
/// assert_eq!(gate.to_string().parse::<Gate>()?, gate);
/// # Ok::<(), mrmr_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Gate {
    /// The measure.
    pub measure: MeasureSpec,
    /// The value from which on the gate is open.
    pub at_least: f64,
}

/// Whether a run met a condition.
#[derive(Clone, Debug, PartialEq)]
pub struct GateOutcome {
    /// The condition, in a few words.
    pub condition: String,
    /// The run.
    pub run: String,
    /// Whether it was met.
    pub passed: bool,
    /// What was found, as a sentence.
    pub sentence: String,
}

impl Gate {
    /// Whether an evaluation passes.
    ///
    /// # Errors
    /// If the measure was not evaluated.
    pub fn check(&self, evaluation: &Evaluation) -> Result<GateOutcome> {
        let Gate { measure, at_least } = self;
        let found = evaluation
            .measure(measure)
            .ok_or_else(|| Error::usage(format!("{measure} is not among the measures")))?;
        let passed = found.value >= *at_least;
        let run = evaluation.run.clone();
        Ok(GateOutcome {
            condition: format!("{measure} at least {at_least}"),
            sentence: if passed {
                format!(
                    "{run}: {measure} is {:.4}, at least {at_least}",
                    found.value
                )
            } else {
                format!(
                    "{run}: {measure} is {}, under {at_least}",
                    under(found.value, *at_least)
                )
            },
            run,
            passed,
        })
    }
}

/// A value that is under a bound in as few digits as still show it.
fn under(value: f64, bound: f64) -> String {
    (4..17)
        .map(|digits| format!("{value:.digits$}"))
        .find(|text| text.parse::<f64>().is_ok_and(|shown| shown < bound))
        .unwrap_or_else(|| value.to_string())
}

impl fmt::Display for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.measure, self.at_least)
    }
}

impl FromStr for Gate {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let wrong = || {
            Error::usage(format!("expected MEASURE=NUMBER, found '{text}'"))
                .hint("for example nDCG@10=0.30")
        };
        let (measure, number) = text.rsplit_once('=').ok_or_else(wrong)?;
        let at_least: f64 = number.trim().parse().map_err(|_| wrong())?;
        if !at_least.is_finite() {
            return Err(wrong());
        }
        let measure: MeasureSpec = measure.parse()?;
        if measure.definition().range == Range::Unit && !(0.0..=1.0).contains(&at_least) {
            return Err(Error::usage(format!(
                "{measure} lies between 0 and 1; a bound of {at_least} is outside"
            ))
            .hint_maybe(
                (1.0..=100.0)
                    .contains(&at_least)
                    .then(|| format!("a percentage? write {measure}={}", at_least / 100.0)),
            ));
        }
        Ok(Gate { measure, at_least })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_just_under_the_bound_is_shown_under_it() {
        assert_eq!(under(0.29999999, 0.3), "0.29999999");
        assert_eq!(under(0.25, 0.3), "0.2500");
    }

    #[test]
    fn a_bound_that_no_value_can_reach_is_refused() {
        let error = "RR=75".parse::<Gate>().unwrap_err();
        assert_eq!(
            error.message(),
            "RR lies between 0 and 1; a bound of 75 is outside"
        );
        assert_eq!(error.hints(), ["a percentage? write RR=0.75"]);
        assert!("NumRelRet=75".parse::<Gate>().is_ok());
    }

    #[test]
    fn what_is_no_gate_is_refused() {
        for text in [
            "nDCG@10",
            "nDCG@10=",
            "nDCG@10=high",
            "nDCG@10=nan",
            "P(rel=2)@5",
        ] {
            assert!(text.parse::<Gate>().is_err(), "{text}");
        }
    }
}
