//! The settings of BM25.

use std::fmt;
use std::str::FromStr;

use mrmr_core::{Error, Result};

use super::weighting::QueryWeighting;

/// How the length of a document is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Norms {
    /// `lucene`: in one byte, as Lucene has it: exact up to 40 terms, above that with four
    /// significant bits.
    #[default]
    Lucene,
    /// `exact`: as it is.
    Exact,
}

impl Norms {
    /// Every name, in the order of [`Norms::ALL`].
    pub const NAMES: &'static [&'static str] = &["lucene", "exact"];
    /// Every value.
    pub const ALL: &'static [Norms] = &[Norms::Lucene, Norms::Exact];

    /// The name, as it is written on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Norms::Lucene => "lucene",
            Norms::Exact => "exact",
        }
    }
}

impl fmt::Display for Norms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Norms {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        crate::names::parse("kind of norms", text, Self::NAMES, Self::ALL)
    }
}

/// The settings of BM25, checked; the default is Anserini's: k1 = 0.9, b = 0.4, Lucene's norms,
/// queries as bags of words.
///
/// ```
/// use mrmr_search::{Bm25Params, Norms};
/// let params = Bm25Params::new(1.2, 0.75, Norms::Lucene)?;
/// assert_eq!(params.k1(), 1.2);
/// assert!(Bm25Params::new(1.2, 75.0, Norms::Lucene).is_err());
/// # Ok::<(), mrmr_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bm25Params {
    k1: f32,
    b: f32,
    norms: Norms,
    query: QueryWeighting,
}

impl Bm25Params {
    /// k1 says how fast a repeated term saturates, b how much the length of a document counts; queries are
    /// bags of words.
    ///
    /// # Errors
    /// If k1 is negative or not finite, or b is not between 0 and 1.
    pub fn new(k1: f32, b: f32, norms: Norms) -> Result<Self> {
        if !k1.is_finite() || k1 < 0.0 {
            return Err(Error::usage(format!(
                "BM25: k1 is {}; expected a finite number, at least 0",
                named(k1)
            ))
            .hint("0.9 and 1.2 are usual"));
        }
        if !(0.0..=1.0).contains(&b) {
            return Err(Error::usage(format!(
                "BM25: b is {}; expected a number from 0 to 1",
                named(b)
            ))
            .hint("0.4 and 0.75 are usual"));
        }
        Ok(Bm25Params {
            k1,
            b,
            norms,
            query: QueryWeighting::Bag,
        })
    }

    /// The same with another weighting of queries.
    #[must_use]
    pub fn with_query(self, query: QueryWeighting) -> Self {
        Bm25Params { query, ..self }
    }

    /// How fast a repeated term saturates: at 0 at once.
    pub fn k1(self) -> f32 {
        self.k1
    }

    /// How much the length of a document counts, from 0 to 1.
    pub fn b(self) -> f32 {
        self.b
    }

    /// How the length of a document is kept.
    pub fn norms(self) -> Norms {
        self.norms
    }

    /// How much each term of a query counts.
    pub fn query(self) -> QueryWeighting {
        self.query
    }
}

/// A number in words where it is none.
pub(super) fn named(number: f32) -> String {
    match number {
        f32::INFINITY => "infinity".to_owned(),
        f32::NEG_INFINITY => "minus infinity".to_owned(),
        _ if number.is_nan() => "not a number".to_owned(),
        _ => number.to_string(),
    }
}

impl Default for Bm25Params {
    fn default() -> Self {
        Bm25Params {
            k1: 0.9,
            b: 0.4,
            norms: Norms::default(),
            query: QueryWeighting::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for norms in Norms::ALL {
            assert_eq!(norms.to_string().parse::<Norms>().ok(), Some(*norms));
        }
    }

    #[test]
    fn settings_out_of_range_are_refused_by_name() {
        for (k1, b, expected) in [
            (
                f32::NAN,
                0.4,
                "BM25: k1 is not a number; expected a finite number, at least 0",
            ),
            (
                f32::INFINITY,
                0.4,
                "BM25: k1 is infinity; expected a finite number, at least 0",
            ),
            (
                0.9,
                f32::NEG_INFINITY,
                "BM25: b is minus infinity; expected a number from 0 to 1",
            ),
            (
                -0.1,
                0.4,
                "BM25: k1 is -0.1; expected a finite number, at least 0",
            ),
            (
                0.9,
                f32::NAN,
                "BM25: b is not a number; expected a number from 0 to 1",
            ),
            (0.9, 1.1, "BM25: b is 1.1; expected a number from 0 to 1"),
        ] {
            let error = Bm25Params::new(k1, b, Norms::Exact).unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
    }
}
