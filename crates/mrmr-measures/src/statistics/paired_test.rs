//! The test of a difference, and what it found.

mod text;

use std::fmt;

use mrmr_core::{Error, Result};

use super::SEED;
use super::differences::Differences;
use super::{randomization, sign, student, wilcoxon};

/// A two-sided test of paired values. Its text form round-trips.
///
/// ```
/// use mrmr_measures::statistics::PairedTest;
/// assert_eq!(PairedTest::default().to_string(), "randomization");
/// let few: PairedTest = "randomization(permutations=5000,seed=7)".parse()?;
/// assert_eq!(few, PairedTest::Randomization { permutations: 5000, seed: 7 });
/// assert_eq!(few.to_string().parse::<PairedTest>()?, few);
/// # Ok::<(), mrmr_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairedTest {
    /// Are the differences as likely to have the opposite signs? Exact up to 20 non-zero
    /// differences, otherwise p = (b + 1) / (B + 1). Smucker, Allan & Carterette 2007.
    Randomization {
        /// B, how many random assignments of signs are looked at, where not all are.
        permutations: usize,
        /// The seed.
        seed: u64,
    },
    /// Student's t of the differences. Where all are equal, and not 0, p is 0.
    T,
    /// Wilcoxon's signed ranks. Zeros are dropped, ties share their mean rank. Exact up to 50
    /// differences, with ties up to 13; otherwise normal, corrected for ties and continuity.
    Wilcoxon,
    /// Exact binomial test of the signs; zeros are dropped.
    Sign,
}

/// Permutations of the randomization test, unless another number is given.
const PERMUTATIONS: usize = 100_000;

impl Default for PairedTest {
    fn default() -> Self {
        PairedTest::Randomization {
            permutations: PERMUTATIONS,
            seed: SEED,
        }
    }
}

/// A p value and how it was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TestResult {
    /// The two-sided p value, from 0 to 1.
    pub p: f64,
    /// How it was found.
    pub method: TestMethod,
}

/// How a p value was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TestMethod {
    /// There is nothing to test: no difference, or too few of them.
    Nothing,
    /// From all cases.
    Exact,
    /// From random permutations.
    Permutations {
        /// How many.
        count: usize,
        /// The seed.
        seed: u64,
    },
    /// From the normal distribution.
    Normal,
    /// From Student's t distribution.
    Student {
        /// Its degrees of freedom.
        degrees: usize,
    },
}

impl fmt::Display for TestMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TestMethod::Nothing => f.write_str("nothing to test"),
            TestMethod::Exact => f.write_str("exact"),
            TestMethod::Permutations { count, seed } => {
                write!(f, "{count} random permutations, seed {seed}")
            }
            TestMethod::Normal => f.write_str("normal approximation"),
            TestMethod::Student { degrees } => write!(f, "{degrees} degrees of freedom"),
        }
    }
}

impl PairedTest {
    /// The names, as the text form starts.
    pub const NAMES: [&str; 4] = ["randomization", "t", "wilcoxon", "sign"];

    /// The name in a sentence.
    pub fn title(&self) -> &'static str {
        match self {
            PairedTest::Randomization { .. } => "paired randomization test",
            PairedTest::T => "paired t-test",
            PairedTest::Wilcoxon => "Wilcoxon signed-rank test",
            PairedTest::Sign => "sign test",
        }
    }

    pub(super) fn check(&self) -> Result<()> {
        match self {
            PairedTest::Randomization {
                permutations: 0, ..
            } => Err(Error::usage("a test needs at least one permutation")),
            _ => Ok(()),
        }
    }

    pub(super) fn run(&self, differences: &Differences) -> TestResult {
        if differences.non_zero().next().is_none() {
            return TestResult {
                p: 1.0,
                method: TestMethod::Nothing,
            };
        }
        let result = match self {
            PairedTest::Randomization { permutations, seed } => {
                randomization::test(differences, *permutations, *seed)
            }
            PairedTest::T => student::test(differences),
            PairedTest::Wilcoxon => wilcoxon::test(differences),
            PairedTest::Sign => sign::test(differences),
        };
        TestResult {
            p: result.p.clamp(0.0, 1.0),
            ..result
        }
    }
}
