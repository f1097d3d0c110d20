//! What the queries of a session give reason to warn of.

use mrmr_core::{Ids, ScorePrecision, TiePolicy};

use super::Session;
use crate::evaluation::{Coverage, MeasureValues};
use crate::overlap;
use crate::ties::TieMethod;
use crate::warning::Warning;

/// Where the values over tie orders differ by more than this, both are reported.
const TIE_SPREAD: f64 = 0.005;

impl Session<'_> {
    pub(super) fn warnings(&self, coverage: &Coverage, measures: &[MeasureValues]) -> Vec<Warning> {
        let qrels = self.evaluator.qrels;
        let policies = self.evaluator.policies;
        let mut warnings = Vec::new();
        if self.totals.answers == 0 {
            warnings.push(Warning::EmptyRun);
        } else if self.totals.scored_answers > 0 && !self.totals.any_judged {
            let retrieved: Ids<mrmr_core::DocId> = self.retrieved_sample.iter().collect();
            warnings.push(Warning::NothingJudged {
                retrieved: self.retrieved_sample.clone(),
                judged: overlap::sample(qrels.documents()),
                guess: overlap::guess(&retrieved, qrels.documents()),
            });
        }
        if !coverage.missing.is_empty() {
            warnings.push(Warning::MissingQueries {
                count: coverage.missing.len(),
                policy: policies.missing,
            });
        }
        if !coverage.empty.is_empty() && self.totals.answers > 0 {
            warnings.push(Warning::EmptyRankings {
                count: coverage.empty.len(),
            });
        }
        if self.totals.all_equal > 0 {
            warnings.push(Warning::AllScoresEqual {
                queries: self.totals.all_equal,
                of: coverage.scored,
            });
        }
        for measure in measures {
            if measure.highest - measure.lowest > TIE_SPREAD {
                warnings.push(Warning::TieSensitive {
                    measure: measure.spec.to_string(),
                    lowest: measure.lowest,
                    highest: measure.highest,
                    averaged: measure.tie_averaged,
                });
            }
        }
        for measure in measures {
            if policies.ranking.ties == TiePolicy::Expected
                && measure.averaged_by == TieMethod::Sampled
            {
                warnings.push(Warning::TiesSampled {
                    measure: measure.spec.to_string(),
                });
            }
        }
        for measure in measures {
            if measure.other_precision != measure.value {
                warnings.push(Warning::PrecisionSensitive {
                    measure: measure.spec.to_string(),
                    value: measure.value,
                    other: measure.other_precision,
                    precision: match policies.ranking.precision {
                        ScorePrecision::F64 => ScorePrecision::F32,
                        ScorePrecision::F32 => ScorePrecision::F64,
                    },
                });
            }
        }
        warnings
    }
}
