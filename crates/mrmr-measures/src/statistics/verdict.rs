//! What a comparison shows, as a sentence.

use super::comparison::Comparison;
use super::correction::Correction;
use super::paired_test::PairedTest;

/// The names in a verdict.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The measure.
    pub measure: &'a str,
    /// The run that is compared against.
    pub baseline: &'a str,
    /// The run.
    pub run: &'a str,
}

impl Comparison {
    /// A sentence in plain text: which run has the higher mean, or "no difference shown".
    ///
    /// A difference is shown where the corrected p value is below `alpha`.
    ///
    /// ```
    /// use mrmr_measures::statistics::{Bootstrap, Comparison, PairedTest, Subject};
    /// let (a, b) = ([0.4, 0.2, 0.9], [0.5, 0.1, 0.9]);
    /// let compared = Comparison::new(&a, &b, PairedTest::T, &Bootstrap::default())?;
    /// let subject = Subject { measure: "RR", baseline: "a", run: "b" };
    /// assert!(compared.verdict(&subject, 0.05).starts_with("no difference shown between a and b in RR: "));
    /// # Ok::<(), mrmr_core::Error>(())
    /// ```
    pub fn verdict(&self, subject: &Subject<'_>, alpha: f64) -> String {
        let Subject {
            measure,
            baseline,
            run,
        } = subject;
        let queries = match self.queries {
            1 => "1 query".to_owned(),
            count => format!("{count} queries"),
        };
        if self.wins + self.losses == 0 {
            return format!(
                "no difference shown between {baseline} and {run} in {measure}: the same value on {}{queries}",
                if self.queries == 1 { "" } else { "all " }
            );
        }
        let lead = if !self.is_significant(alpha) || self.difference == 0.0 {
            format!("no difference shown between {baseline} and {run} in {measure}")
        } else {
            let lower = self.difference < 0.0;
            let word = if lower { "lower" } else { "higher" };
            // A test of ranks or signs may be sure of the other direction than the mean's.
            let (more, most) = if lower {
                (self.wins, self.losses)
            } else {
                (self.losses, self.wins)
            };
            let by_ranks = matches!(self.test, PairedTest::Wilcoxon | PairedTest::Sign);
            if by_ranks && more > most {
                let winner = if lower { run } else { baseline };
                format!(
                    "{run} and {baseline} differ in {measure}, but {run} has the {word} mean while {winner} wins {more} queries to {most}"
                )
            } else {
                format!("{run} has a {word} {measure} than {baseline}")
            }
        };
        let correction = match self.correction {
            Correction::None => String::new(),
            other => format!(" after {}", other.title()),
        };
        format!(
            "{lead}: {:+.4} ({:.0}% interval {:+.4} to {:+.4}), p {}{correction}, {}, {queries}",
            self.difference,
            self.interval.level * 100.0,
            self.interval.low,
            self.interval.high,
            p_value(self.adjusted_p),
            self.test.title(),
        )
    }
}

/// `= 0.0312`, or `< 0.0001`.
fn p_value(p: f64) -> String {
    if p < 0.0001 {
        "< 0.0001".to_owned()
    } else {
        format!("= {p:.4}")
    }
}
