//! What an evaluation found.

use mrmr_core::{MissingPolicy, NoRelevantPolicy, RankingPolicy, UnjudgedPolicy};

use crate::definition::Aggregate;
use crate::mean::{geometric_mean, mean, sum};
use crate::spec::MeasureSpec;
use crate::ties::TieMethod;
use crate::warning::Warning;

/// The assumptions of an evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Policies {
    /// The order of documents.
    pub ranking: RankingPolicy,
    /// Judged queries that the run lacks.
    pub missing: MissingPolicy,
    /// Queries without a relevant document.
    pub no_relevant: NoRelevantPolicy,
    /// Retrieved documents without a judgement.
    pub unjudged: UnjudgedPolicy,
}

/// Which queries were there, and which counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// How many queries the qrels judge.
    pub judged: usize,
    /// How many queries the averages go over.
    pub scored: usize,
    /// The judged queries that the run lacks, by their bytes.
    pub missing: Vec<String>,
    /// The queries of the run that are not judged, by their bytes; they are left out.
    pub extra: Vec<String>,
    /// The judged queries that have no document with a grade above 0, by their bytes.
    pub without_relevant: Vec<String>,
    /// Queries whose list of answers is empty, by their bytes; they count.
    pub empty: Vec<String>,
    /// Of the documents at ranks 1 to 10 of the scored queries: how many there are, how many unjudged.
    pub top10: usize,
    /// Unjudged documents at ranks 1 to 10.
    pub top10_unjudged: usize,
}

/// The values of one measure.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasureValues {
    /// The measure.
    pub spec: MeasureSpec,
    /// The mean (of counts: the sum) over the scored queries.
    pub value: f64,
    /// The same, averaged over all orders of tied documents.
    pub tie_averaged: f64,
    /// The lowest that an order of tied documents gives.
    pub lowest: f64,
    /// The highest that an order of tied documents gives.
    pub highest: f64,
    /// What comparing scores in the other precision (32-bit for 64-bit, and the reverse) gives.
    pub other_precision: f64,
    /// How `tie_averaged` was found: in the way that tells least, over the queries.
    pub averaged_by: TieMethod,
    /// How `lowest` and `highest` were found, likewise.
    pub extremes_by: TieMethod,
    /// The parameters with their values, those found in the judgements (`max_rel`) too.
    pub parameters: Vec<(&'static str, String)>,
    /// The mean of `residuals`, for a measure that has them.
    pub residual: Option<f64>,
    /// In how many queries documents with equal scores stand on both sides of the cutoff.
    pub tied_at_cutoff: usize,
    /// The value of each scored query, in the order of [`Evaluation::queries`].
    pub values: Vec<f64>,
    /// The tie-averaged value of each scored query.
    pub tie_averaged_values: Vec<f64>,
    /// How much higher the value of each scored query could be if the documents without a judgement, those
    /// behind the end of the ranking among them, were of the highest grade; empty for a measure that does not
    /// report it.
    pub residuals: Vec<f64>,
}

impl MeasureValues {
    /// Mean or sum of the values at these places of [`Evaluation::queries`].
    pub fn over(&self, places: impl IntoIterator<Item = usize>) -> f64 {
        let picked = places.into_iter().map(|at| self.values[at]);
        aggregate(&self.spec, picked)
    }

    /// As [`MeasureValues::over`], of the tie-averaged values.
    pub fn tie_averaged_over(&self, places: impl IntoIterator<Item = usize>) -> f64 {
        let picked = places.into_iter().map(|at| self.tie_averaged_values[at]);
        aggregate(&self.spec, picked)
    }
}

/// One number of the values of single queries.
pub(crate) fn aggregate(spec: &MeasureSpec, values: impl IntoIterator<Item = f64>) -> f64 {
    match spec.definition().aggregate {
        Aggregate::Mean => mean(values),
        Aggregate::Sum => sum(values),
        Aggregate::GeometricMean => geometric_mean(values),
    }
}

/// A run measured against qrels.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// The run's name.
    pub run: String,
    /// The assumptions.
    pub policies: Policies,
    /// Which queries were there, and which counted.
    pub coverage: Coverage,
    /// The scored queries, by the bytes of their ids.
    pub queries: Vec<String>,
    /// The measures, in the order in which they were asked for.
    pub measures: Vec<MeasureValues>,
    /// How many scored queries have two or more documents with equal scores.
    pub tied_queries: usize,
    /// How many scored queries have two or more documents, all with one score.
    pub all_equal_queries: usize,
    /// In how many scored queries scores differ in 64 bits but not in 32.
    pub precision_queries: usize,
    /// What people should know before they trust the numbers.
    pub warnings: Vec<Warning>,
}

impl Evaluation {
    /// The values of a measure, where it was asked for.
    pub fn measure(&self, spec: &MeasureSpec) -> Option<&MeasureValues> {
        self.measures.iter().find(|measure| measure.spec == *spec)
    }
}
