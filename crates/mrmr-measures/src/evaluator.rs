//! Measures bound to judgements.

use mrmr_core::{Error, Interned, Qrels, QueryId, Result, Run};

use crate::context::Context;
use crate::evaluation::{Evaluation, Policies};
use crate::measure::Measure;
use crate::overlap;
use crate::session::Session;
use crate::spec::MeasureSpec;

/// Measures bound to qrels and policies; evaluates any number of runs.
#[derive(Debug)]
pub struct Evaluator<'a> {
    pub(crate) qrels: &'a Qrels,
    pub(crate) policies: Policies,
    pub(crate) measures: Vec<(MeasureSpec, Box<dyn Measure>)>,
    /// The parameters of each measure with their values.
    pub(crate) parameters: Vec<Vec<(&'static str, String)>>,
    /// The judged grades of each query, highest first, one query behind the other.
    grades: Vec<f64>,
    starts: Vec<usize>,
}

impl<'a> Evaluator<'a> {
    /// Binds measures to qrels.
    ///
    /// # Errors
    /// If no measure is given, the qrels hold no judgement, or a measure cannot be taken with them: they have no
    /// subtopics, or a grade above its `max_rel`.
    pub fn new(qrels: &'a Qrels, measures: Vec<MeasureSpec>, policies: Policies) -> Result<Self> {
        if measures.is_empty() {
            return Err(Error::usage("no measure is given"));
        }
        if qrels.is_empty() {
            return Err(Error::data("the qrels hold no judgement"));
        }
        let context = Context::new(qrels);
        let mut bound = Vec::with_capacity(measures.len());
        let mut parameters = Vec::with_capacity(measures.len());
        for spec in measures {
            let measure = (spec.definition().bind)(&spec, &context)?;
            parameters.push(spec.resolved(&context));
            bound.push((spec, measure));
        }
        let mut grades = Vec::with_capacity(qrels.len());
        let mut starts = vec![0];
        for query in qrels.queries().keys() {
            let start = grades.len();
            grades.extend(
                qrels
                    .judgements(query)
                    .iter()
                    .map(|judgement| judgement.grade),
            );
            grades[start..].sort_unstable_by(|a, b| b.total_cmp(a));
            starts.push(grades.len());
        }
        Ok(Evaluator {
            qrels,
            policies,
            measures: bound,
            parameters,
            grades,
            starts,
        })
    }

    /// The judgements.
    pub fn qrels(&self) -> &'a Qrels {
        self.qrels
    }

    /// The assumptions.
    pub fn policies(&self) -> Policies {
        self.policies
    }

    /// The rank beyond which no measure looks, where all have a cutoff.
    pub fn cutoff(&self) -> Option<usize> {
        let cutoffs = self.measures.iter().map(|(spec, _)| spec.cutoff());
        cutoffs.collect::<Option<Vec<_>>>()?.into_iter().max()
    }

    /// The judged grades of a query, highest first.
    pub(crate) fn grades(&self, query: QueryId) -> &[f64] {
        &self.grades[self.starts[query.index()]..self.starts[query.index() + 1]]
    }

    /// Measures a run.
    ///
    /// # Errors
    /// If the run has answers, but none for a judged query; if a judged query is missing and the
    /// policy forbids it; if a value is not finite.
    pub fn evaluate(&self, run: &Run) -> Result<Evaluation> {
        let mut session = Session::new(self);
        let (mut scores, mut names) = (Vec::new(), Vec::new());
        for query in run.queries().keys() {
            scores.clear();
            names.clear();
            for entry in run.entries(query) {
                scores.push(entry.score);
                names.push(run.documents().name(entry.document).as_bytes());
            }
            session.add(run.queries().name(query), &scores, |place| names[place])?;
        }
        self.finish(run.name(), vec![session])
    }

    /// The evaluation of a run whose queries were added to sessions, each query to one of them.
    ///
    /// # Errors
    /// As [`Evaluator::evaluate`].
    pub fn finish(&self, run: &str, sessions: Vec<Session<'_>>) -> Result<Evaluation> {
        let outcome = Session::join(sessions);
        if let Some(outcome) = &outcome
            && outcome.nothing_in_common()
        {
            return Err(overlap::no_common_query(
                &outcome.extra_sample(),
                &overlap::sample(self.qrels.queries()),
                overlap::guess(&outcome.extra_ids(), self.qrels.queries()),
            ));
        }
        outcome
            .unwrap_or_else(|| Session::new(self))
            .evaluation(run)
    }
}
