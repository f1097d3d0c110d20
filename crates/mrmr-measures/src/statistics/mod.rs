//! How sure a number is: intervals, paired tests, corrections, power.
//!
//! ```
//! use mrmr_measures::statistics::{Bootstrap, Comparison, PairedTest, Subject};
//!
//! // Values of one measure for the same eight queries, by two systems.
//! let bm25 = [0.31, 0.00, 0.50, 0.22, 0.64, 0.41, 0.18, 0.73];
//! let dense = [0.36, 0.12, 0.58, 0.22, 0.71, 0.52, 0.30, 0.80];
//! let compared = Comparison::new(&bm25, &dense, PairedTest::default(), &Bootstrap::default())?;
//!
//! // All seven non-zero differences have one sign: 2 of the 2^7 sign flips are as far from zero.
//! assert_eq!(compared.p, 2.0 / 128.0);
//! assert_eq!((compared.wins, compared.ties, compared.losses), (7, 1, 0));
//! let subject = Subject { measure: "nDCG@10", baseline: "bm25", run: "dense" };
//! assert!(compared.verdict(&subject, 0.05).starts_with("dense has a higher nDCG@10 than bm25: +0.0775"));
//! # Ok::<(), mrmr_core::Error>(())
//! ```
//!
//! # Contents
//!
//! - one run: [`mean_interval`], by a [`Bootstrap`];
//! - two runs: [`Comparison`], by a [`PairedTest`], with a [verdict](Comparison::verdict); [`rbo`] of two rankings;
//! - many: [`Correction`] of p values, [`tukey_hsd`];
//! - before the experiment: [`Power`].
//!
//! Every result is the same to the last bit for any number of threads and any order of the
//! queries; exchanging the two runs changes signs and nothing else. Values are compared up to
//! rounding: those closer than 10^-12 of the largest are equal.

mod bootstrap;
mod comparison;
mod correction;
mod differences;
mod draws;
mod exact_sum;
mod interval;
mod normal;
mod paired_test;
mod power;
mod random;
mod randomization;
mod rbo;
mod saddlepoint;
mod sign;
mod student;
mod tukey;
mod verdict;
mod wilcoxon;

pub use bootstrap::{Bootstrap, Resampling};
pub use comparison::Comparison;
pub use correction::Correction;
pub use interval::{Interval, IntervalMethod, mean_interval};
pub use paired_test::{PairedTest, TestMethod, TestResult};
pub use power::Power;
pub use rbo::rbo;
pub use tukey::tukey_hsd;
pub use verdict::Subject;

/// The seed of everything random, unless another is given.
pub const SEED: u64 = 42;
