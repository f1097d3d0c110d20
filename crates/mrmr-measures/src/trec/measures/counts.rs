//! Numbers of queries and documents, and the run's name.

use super::super::arguments::Parameters;
use super::super::family::{Compute, Family};
use super::super::options::Version;
use super::super::summary::Summary;

/// The name of the run.
pub(super) const RUN_NAME: Family = Family {
    name: "runid",
    since: Version::V9,
    parameters: Parameters::None,
    compute: Compute::RunName,
    summary: Summary::Sum,
    per_query: false,
};

/// How many queries count.
pub(super) const QUERIES: Family = Family {
    summary: Summary::Queries,
    per_query: false,
    ..Family::count("num_q", |_| 1)
};

/// How many documents were retrieved.
pub(super) const RETRIEVED: Family = Family::count("num_ret", |query| query.retrieved());

/// How many documents are relevant.
pub(super) const RELEVANT: Family = Family {
    summary: Summary::Relevant,
    ..Family::count("num_rel", |query| query.relevant)
};

/// How many relevant documents were retrieved.
pub(super) const RELEVANT_RETRIEVED: Family =
    Family::count("num_rel_ret", |query| query.relevant_retrieved);

/// How many documents were retrieved that are judged as not relevant.
pub(super) const NONRELEVANT_RETRIEVED: Family = Family::count("num_nonrel_judged_ret", |query| {
    query.retrieved() - query.outside_pool - query.unjudged - query.relevant_retrieved
});
