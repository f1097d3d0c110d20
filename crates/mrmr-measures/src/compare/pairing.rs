//! The queries that runs are compared over.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use mrmr_core::{Error, MissingPolicy, Result, closest};

use crate::evaluation::Evaluation;

/// What to do where runs answer different queries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DifferentQueries {
    /// It is an error.
    #[default]
    Refuse,
    /// What a run lacks counts 0.
    Zero,
    /// The queries that all runs have are compared.
    Common,
}

impl DifferentQueries {
    /// Every name.
    pub const NAMES: &'static [&'static str] = &["refuse", "zero", "common"];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            DifferentQueries::Refuse => "refuse",
            DifferentQueries::Zero => "zero",
            DifferentQueries::Common => "common",
        }
    }
}

impl fmt::Display for DifferentQueries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for DifferentQueries {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "refuse" => Ok(DifferentQueries::Refuse),
            "zero" => Ok(DifferentQueries::Zero),
            "common" => Ok(DifferentQueries::Common),
            _ => Err(Error::usage(format!(
                "unknown policy for different queries '{text}'; expected {}",
                Self::NAMES.join(", ")
            ))
            .hint_maybe(
                closest(text, Self::NAMES.iter().copied())
                    .map(|name| format!("did you mean {name}?")),
            )),
        }
    }
}

/// The queries that runs are compared over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paired {
    /// The queries, by the bytes of their ids.
    pub queries: Vec<String>,
    /// Judged queries that are not compared, by their bytes.
    pub left_out: Vec<String>,
    /// How many queries some run lacks and another has.
    pub different: usize,
}

impl Paired {
    /// The queries that all of these have.
    ///
    /// # Errors
    /// If they answer different queries and the policy forbids it, or none is left.
    pub fn new(evaluations: &[&Evaluation], policy: DifferentQueries) -> Result<Self> {
        let mut lacking: BTreeMap<&str, usize> = BTreeMap::new();
        let mut scored: BTreeMap<&str, usize> = BTreeMap::new();
        for evaluation in evaluations {
            for query in &evaluation.coverage.missing {
                *lacking.entry(query).or_default() += 1;
            }
            for query in &evaluation.queries {
                *scored.entry(query).or_default() += 1;
            }
        }
        let runs = evaluations.len();
        let differing: BTreeSet<&str> = lacking
            .iter()
            .filter(|(_, count)| **count < runs)
            .map(|(query, _)| *query)
            .collect();
        let skips = evaluations
            .iter()
            .any(|evaluation| evaluation.policies.missing == MissingPolicy::Skip);
        if !differing.is_empty() {
            match policy {
                DifferentQueries::Refuse => {
                    return Err(refusal(evaluations, &differing, lacking.len()));
                }
                DifferentQueries::Zero if skips => {
                    return Err(Error::usage(
                        "a query that a run lacks cannot both count 0 (--different-queries zero) and be left out (--missing skip)",
                    ));
                }
                _ => {}
            }
        }
        let kept = |query: &str, count: usize| {
            count == runs && !(policy == DifferentQueries::Common && lacking.contains_key(query))
        };
        let queries: Vec<String> = scored
            .iter()
            .filter(|(query, count)| kept(query, **count))
            .map(|(query, _)| (*query).to_owned())
            .collect();
        if queries.is_empty() {
            return Err(Error::data("there is no query that all runs have"));
        }
        let all: BTreeSet<&str> = scored.keys().chain(lacking.keys()).copied().collect();
        let left_out = all
            .into_iter()
            .filter(|query| {
                queries
                    .binary_search_by(|own| own.as_str().cmp(query))
                    .is_err()
            })
            .map(str::to_owned)
            .collect();
        Ok(Paired {
            queries,
            left_out,
            different: differing.len(),
        })
    }

    /// The values of an evaluation's n-th measure for the paired queries.
    pub(super) fn values(&self, evaluation: &Evaluation, measure: usize) -> Vec<f64> {
        let values = &evaluation.measures[measure].values;
        let own = evaluation.queries.iter().zip(values);
        // Both are in the order of bytes.
        let mut wanted = self.queries.iter().peekable();
        own.filter(|(query, _)| wanted.next_if_eq(query).is_some())
            .map(|(_, value)| *value)
            .collect()
    }
}

fn refusal(evaluations: &[&Evaluation], differing: &BTreeSet<&str>, lacking: usize) -> Error {
    let judged = evaluations
        .first()
        .map_or(0, |evaluation| evaluation.coverage.judged);
    let mut lacks: Vec<String> = evaluations
        .iter()
        .map(|evaluation| {
            let missing = evaluation.coverage.missing.len();
            format!("{} lacks {missing}", evaluation.run)
        })
        .collect();
    let more = lacks.len().saturating_sub(4);
    lacks.truncate(4);
    if more > 0 {
        lacks.push(format!("and {more} more"));
    }
    let first = differing.iter().next().copied().unwrap_or_default();
    Error::data(format!(
        "the runs answer different queries: of {judged} judged queries {}; {} of them ('{first}' for one) are in one run and not in another",
        lacks.join(", "),
        differing.len(),
    ))
    .hint(format!(
        "--different-queries zero counts 0 where a run has no answer; --different-queries common compares over the {} that all runs have",
        judged - lacking,
    ))
}
