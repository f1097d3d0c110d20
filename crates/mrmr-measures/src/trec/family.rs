//! What a measure of trec_eval is: its name, its parameters, its values for a query, its summary.

use super::arguments::{Arguments, Parameters};
use super::judged::Judged;
use super::options::{Failure, Version};
use super::summary::Summary;

/// A measure, or several that differ by a parameter alone (`P_5`, `P_10`).
#[derive(Clone, Copy, Debug)]
pub(super) struct Family {
    /// The name, without parameters.
    pub(super) name: &'static str,
    /// The first version that has it.
    pub(super) since: Version,
    /// What it takes behind the point.
    pub(super) parameters: Parameters,
    /// How it comes to its values for a query.
    pub(super) compute: Compute,
    /// How values of queries become one.
    pub(super) summary: Summary,
    /// Whether `-q` prints it.
    pub(super) per_query: bool,
}

/// Values for a query, by name, all 0 before.
pub(super) type Values = fn(&Judged, &Arguments, &mut [f64]);

/// How a measure comes to its values.
#[derive(Clone, Copy, Debug)]
pub(super) enum Compute {
    /// Decimals.
    Numbers(Values),
    /// Decimals, for some arguments alone.
    Checked(fn(&Judged, &Arguments, &mut [f64]) -> Result<(), Failure>),
    /// A whole number.
    Count(fn(&Judged) -> i64),
    /// A text.
    Text(fn(&Judged, &Arguments) -> String),
    /// The name of the run.
    RunName,
}

impl Family {
    /// Whether its values depend on the ranking.
    pub(super) fn reads_ranking(&self) -> bool {
        !matches!(self.compute, Compute::RunName) && self.summary != Summary::Queries
    }

    /// A measure of decimals whose summary is the mean.
    pub(super) const fn mean(name: &'static str, parameters: Parameters, values: Values) -> Self {
        Family {
            name,
            since: Version::V9,
            parameters,
            compute: Compute::Numbers(values),
            summary: Summary::Mean,
            per_query: true,
        }
    }

    /// A number of documents whose summary is the sum.
    pub(super) const fn count(name: &'static str, count: fn(&Judged) -> i64) -> Self {
        Family {
            name,
            since: Version::V9,
            parameters: Parameters::None,
            compute: Compute::Count(count),
            summary: Summary::Sum,
            per_query: true,
        }
    }
}
