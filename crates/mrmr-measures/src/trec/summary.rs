//! The line for all queries.

use mrmr_core::Qrels;

use super::options::Options;

/// Values lower than this count as this in geometric means.
pub(super) const LOWEST: f64 = 0.00001;

/// How the sum of a value over the queries becomes the summary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Summary {
    /// There is none.
    None,
    /// The sum itself.
    Sum,
    /// The mean.
    Mean,
    /// The exponential of the mean.
    GeometricMean,
    /// How many queries count.
    Queries,
    /// The relevant documents, those of all judged queries under `-c`.
    Relevant,
}

impl Summary {
    /// The summary of values that sum to `sum` over `evaluated` queries.
    pub(super) fn of(self, sum: f64, evaluated: usize, qrels: &Qrels, options: &Options) -> f64 {
        let queries = if options.complete {
            qrels.queries().len()
        } else {
            evaluated
        };
        match self {
            Summary::None | Summary::Sum => sum,
            Summary::Mean => sum / queries as f64,
            Summary::GeometricMean => {
                let missing = (queries as f64 - evaluated as f64) * LOWEST.ln();
                ((sum + missing) / queries as f64).exp()
            }
            Summary::Queries => queries as f64,
            Summary::Relevant if options.complete => {
                // Whatever the level of relevance is: a fault of trec_eval.
                let queries = qrels.queries().keys();
                let grades = queries.flat_map(|query| qrels.judgements(query));
                grades.filter(|judgement| judgement.grade >= 1.0).count() as f64
            }
            Summary::Relevant => sum,
        }
    }
}
