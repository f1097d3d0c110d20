//! P values of many tests at once.

use std::fmt;
use std::str::FromStr;

use mrmr_core::{Error, Result, closest};

use super::comparison::Comparison;

/// How p values are corrected for there being many. Its text form round-trips.
///
/// ```
/// use mrmr_measures::statistics::Correction;
/// assert_eq!(Correction::Holm.adjust(&[0.25, 0.125, 0.5]), [0.5, 0.375, 0.5]);
/// assert_eq!("bh".parse::<Correction>()?.to_string(), "benjamini-hochberg");
/// # Ok::<(), mrmr_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Correction {
    /// As they are.
    None,
    /// Holm 1979: the chance of any false discovery stays below alpha.
    #[default]
    Holm,
    /// The same, and weaker.
    Bonferroni,
    /// Benjamini & Hochberg 1995: the expected share of false discoveries stays below alpha.
    BenjaminiHochberg,
}

impl Correction {
    /// All of them.
    pub const ALL: [Correction; 4] = [
        Correction::None,
        Correction::Holm,
        Correction::Bonferroni,
        Correction::BenjaminiHochberg,
    ];

    /// The p values after the correction, in the order given.
    pub fn adjust(self, p: &[f64]) -> Vec<f64> {
        let count = p.len() as f64;
        if self == Correction::None {
            return p.to_vec();
        }
        let mut order: Vec<usize> = (0..p.len()).collect();
        order.sort_by(|a, b| p[*a].total_cmp(&p[*b]));
        let mut adjusted = vec![0.0; p.len()];
        match self {
            Correction::None | Correction::Bonferroni => {
                for (adjusted, p) in adjusted.iter_mut().zip(p) {
                    *adjusted = (p * count).min(1.0);
                }
            }
            Correction::Holm => {
                let mut largest = 0.0f64;
                for (rank, at) in order.into_iter().enumerate() {
                    largest = largest.max((p[at] * (count - rank as f64)).min(1.0));
                    adjusted[at] = largest;
                }
            }
            Correction::BenjaminiHochberg => {
                let mut smallest = 1.0f64;
                for (rank, at) in order.into_iter().enumerate().rev() {
                    smallest = smallest.min(p[at] * (count / (rank + 1) as f64));
                    adjusted[at] = smallest;
                }
            }
        }
        adjusted
    }

    /// Sets the corrected p value of each comparison, all of them together being one family.
    pub fn apply(self, comparisons: &mut [Comparison]) {
        let p: Vec<f64> = comparisons.iter().map(|compared| compared.p).collect();
        for (compared, adjusted) in comparisons.iter_mut().zip(self.adjust(&p)) {
            compared.adjusted_p = adjusted;
            compared.correction = self;
        }
    }

    /// The name in a sentence.
    pub fn title(self) -> &'static str {
        match self {
            Correction::None => "no correction",
            Correction::Holm => "Holm's correction",
            Correction::Bonferroni => "Bonferroni's correction",
            Correction::BenjaminiHochberg => "Benjamini and Hochberg's correction",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Correction::None => "none",
            Correction::Holm => "holm",
            Correction::Bonferroni => "bonferroni",
            Correction::BenjaminiHochberg => "benjamini-hochberg",
        }
    }
}

impl fmt::Display for Correction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Correction {
    type Err = Error;

    /// The printed names, and `bh`, `fdr` for the last.
    fn from_str(text: &str) -> Result<Self> {
        let known = Correction::ALL.into_iter().find(|one| one.name() == text);
        match (known, text) {
            (Some(correction), _) => Ok(correction),
            (None, "bh" | "fdr") => Ok(Correction::BenjaminiHochberg),
            _ => {
                let names = Correction::ALL.map(Correction::name);
                let guess = closest(text, names);
                Err(Error::usage(format!(
                    "there is no correction '{text}'; there are {}",
                    names.join(", ")
                ))
                .hint_maybe(guess.map(|guess| format!("did you mean {guess}?"))))
            }
        }
    }
}
