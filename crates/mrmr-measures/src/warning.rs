//! What people should know before they trust a number.

use std::fmt;

use mrmr_core::{MissingPolicy, ScorePrecision};

/// Something about an evaluation that does not stop it, and that its numbers rest on.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// The run holds no answer at all.
    EmptyRun,
    /// Judged queries that the run lacks.
    MissingQueries {
        /// How many.
        count: usize,
        /// What they counted.
        policy: MissingPolicy,
    },
    /// Queries that were asked and got no answer.
    EmptyRankings {
        /// How many; they count 0.
        count: usize,
    },
    /// No retrieved document is judged for its query.
    NothingJudged {
        /// Some retrieved document ids.
        retrieved: Vec<String>,
        /// Some judged document ids.
        judged: Vec<String>,
        /// What may be the matter.
        guess: Option<String>,
    },
    /// Queries whose documents all have one score: the order is the tie policy's, not the system's.
    AllScoresEqual {
        /// How many such queries.
        queries: usize,
        /// How many queries were scored.
        of: usize,
    },
    /// A measure that depends on the order of tied documents.
    TieSensitive {
        /// The measure, as text.
        measure: String,
        /// The lowest value over all orders of tied documents.
        lowest: f64,
        /// The highest.
        highest: f64,
        /// The mean.
        averaged: f64,
    },
    /// A measure whose mean over the orders of tied documents is that of a sample of them.
    TiesSampled {
        /// The measure, as text.
        measure: String,
    },
    /// A measure that depends on the precision in which scores are compared.
    PrecisionSensitive {
        /// The measure, as text.
        measure: String,
        /// The value that was computed.
        value: f64,
        /// The value in the other precision.
        other: f64,
        /// The other precision.
        precision: ScorePrecision,
    },
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Warning::EmptyRun => write!(f, "the run is empty"),
            Warning::MissingQueries { count, policy } => {
                let fate = match policy {
                    MissingPolicy::Skip => "left out of the averages",
                    _ => "counted 0",
                };
                write!(
                    f,
                    "{count} judged {} missing from the run, {fate}",
                    plural(*count, "query is", "queries are")
                )
            }
            Warning::EmptyRankings { count } => write!(
                f,
                "{count} {} no answer at all and {} 0",
                plural(*count, "query got", "queries got"),
                plural(*count, "counts", "count")
            ),
            Warning::NothingJudged {
                retrieved,
                judged,
                guess,
            } => {
                write!(
                    f,
                    "no retrieved document is judged for its query: the run has {}; the qrels have {}",
                    quoted(retrieved),
                    quoted(judged)
                )?;
                match guess {
                    Some(guess) => write!(f, " ({guess})"),
                    None => Ok(()),
                }
            }
            Warning::AllScoresEqual { queries, of } => write!(
                f,
                "all scores equal in {queries} of {of} {}: their order is made by the tie policy, not by the system",
                plural(*of, "query", "queries")
            ),
            Warning::TieSensitive {
                measure,
                lowest,
                highest,
                averaged,
            } => write!(
                f,
                "{measure} depends on the order of tied documents: from {lowest:.4} to {highest:.4}, tie-averaged {averaged:.4}"
            ),
            Warning::TiesSampled { measure } => write!(
                f,
                "{measure} has too many orders of tied documents: its mean is that of 1,000 drawn ones a query"
            ),
            Warning::PrecisionSensitive {
                measure,
                value,
                other,
                precision,
            } => {
                let bits = match precision {
                    ScorePrecision::F32 => "32-bit (trec_eval 9)",
                    ScorePrecision::F64 => "64-bit (trec_eval 10)",
                };
                let difference = other - value;
                write!(
                    f,
                    "{measure} is {other:.5} where scores are compared as {bits} numbers, {difference:+.5}"
                )
            }
        }
    }
}

fn plural(count: usize, one: &'static str, many: &'static str) -> &'static str {
    if count == 1 { one } else { many }
}

pub(crate) fn quoted(ids: &[String]) -> String {
    let quoted: Vec<String> = ids.iter().map(|id| format!("'{id}'")).collect();
    quoted.join(", ")
}
