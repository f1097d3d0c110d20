//! Why a measure has its value for one query: rank by rank, and in a sentence.

mod parts;
mod sentence;

use mrmr_core::{
    Error, MissingPolicy, NoRelevantPolicy, QueryId, Result, Run, TiePolicy, UnjudgedPolicy,
    closest,
};

use crate::evaluation::Policies;
use crate::evaluator::Evaluator;
use crate::measure::{Group, Hit, JudgedRanking, Ties};
use crate::session::missing;
use crate::spec::MeasureSpec;

/// A measure's value for one query of a run, taken apart.
///
/// Its text form is the reason in a sentence or two.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    /// The measure.
    pub spec: MeasureSpec,
    /// The run's name.
    pub run: String,
    /// The query.
    pub query: String,
    /// The assumptions.
    pub policies: Policies,
    /// Whether the run has the query at all.
    pub answered: bool,
    /// The value under the policies.
    pub value: f64,
    /// The value in the order that is shown; other than `value` under [`TiePolicy::Expected`] alone.
    pub as_ranked: f64,
    /// The mean over all orders of tied documents.
    pub tie_averaged: f64,
    /// The lowest that an order of tied documents gives.
    pub lowest: f64,
    /// The highest that an order of tied documents gives.
    pub highest: f64,
    /// The retrieved documents, by rank.
    pub ranks: Vec<ExplainedRank>,
    /// The judged documents in the order that is best for the measure.
    pub judged: Vec<ExplainedJudgement>,
    /// What the value is a sum of, where it is one over ranks.
    pub sum: Option<ExplainedSum>,
}

/// Why a query does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOut {
    /// The run lacks it, under [`MissingPolicy::Skip`].
    Missing,
    /// None of its judged documents is relevant, under [`NoRelevantPolicy::Skip`].
    NoRelevant,
}

/// A retrieved document and what it adds.
#[derive(Clone, Debug, PartialEq)]
pub struct ExplainedRank {
    /// From 1.
    pub rank: usize,
    /// The document.
    pub document: String,
    /// Its score.
    pub score: f64,
    /// Its grade; none where it is not judged.
    pub grade: Option<f64>,
    /// The first and last rank of the documents with its score, where it shares it.
    pub tied: Option<(usize, usize)>,
    /// What it adds, where the value is a sum over ranks.
    pub part: Option<ExplainedPart>,
}

/// What a rank adds to the value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExplainedPart {
    /// What the document is worth.
    pub gain: f64,
    /// What the gain is multiplied by at this rank; 0 beyond the cutoff.
    pub weight: f64,
    /// `gain * weight / divisor`.
    pub contribution: f64,
    /// The sum of the contributions down to this rank.
    pub running: f64,
}

/// A judged document and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct ExplainedJudgement {
    /// The document.
    pub document: String,
    /// Its grade.
    pub grade: f64,
    /// What it is worth to the measure; 0 where it does not count.
    pub gain: f64,
    /// Its rank; none where it was not retrieved.
    pub rank: Option<usize>,
    /// What it would add at its place in the ideal order, where the value is a sum over ranks.
    pub ideal_contribution: Option<f64>,
}

/// What the parts of a value mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExplainedSum {
    /// What the weight of a rank is called; none where it is 1 for every rank that counts.
    pub weight: Option<&'static str>,
    /// What the sum is divided by.
    pub divisor: f64,
    /// What that is.
    pub divisor_name: &'static str,
}

impl Explanation {
    /// The documents that gain anything, in the ideal order.
    pub fn gaining(&self) -> impl Iterator<Item = &ExplainedJudgement> {
        self.judged.iter().filter(|judged| judged.gain > 0.0)
    }

    /// The documents that count as relevant: of at least the measure's `rel`, else of a grade above 0.
    pub fn relevant(&self) -> impl Iterator<Item = &ExplainedJudgement> {
        let takes_rel = self.spec.parameters().any(|(name, _)| name == "rel");
        let rel = takes_rel.then(|| self.spec.number("rel"));
        self.judged.iter().filter(move |judged| match rel {
            Some(rel) => judged.grade >= rel,
            None => judged.grade > 0.0,
        })
    }

    /// The rank of the first relevant document.
    pub fn first_relevant(&self) -> Option<usize> {
        self.relevant().filter_map(|judged| judged.rank).min()
    }

    /// The rank of a judged document, where it was retrieved.
    pub fn rank_of(&self, document: &str) -> Option<usize> {
        let judged = self
            .judged
            .iter()
            .find(|judged| judged.document == document);
        judged.and_then(|judged| judged.rank)
    }

    /// Whether the value is a mean over orders of tied documents that the order shown does not have.
    pub fn is_averaged(&self) -> bool {
        // Less than that is rounding.
        (self.value - self.as_ranked).abs() > 1e-12
    }

    /// Why the query does not count, where the policies leave it out: then [`value`](Self::value) is no value of it.
    pub fn left_out(&self) -> Option<LeftOut> {
        let skips_missing = self.policies.missing == MissingPolicy::Skip;
        let skips_hopeless = self.policies.no_relevant == NoRelevantPolicy::Skip;
        if skips_hopeless && self.judged.iter().all(|judged| judged.grade <= 0.0) {
            Some(LeftOut::NoRelevant)
        } else if skips_missing && !self.answered {
            Some(LeftOut::Missing)
        } else {
            None
        }
    }

    /// Whether the order of tied documents changes the value.
    pub fn depends_on_ties(&self) -> bool {
        self.lowest != self.highest
    }
}

impl Evaluator<'_> {
    /// Takes the value of a measure for one query of a run apart.
    ///
    /// ```
    /// use mrmr_core::{Origin, Qrels, Run};
    /// use mrmr_measures::{Evaluator, Policies};
    /// let mut judged = Qrels::builder(Origin::memory("qrels"));
    /// judged.add("q1", "d1", 1.0, 0)?;
    /// judged.add("q1", "gone", 1.0, 1)?;
    /// let (qrels, _) = judged.finish()?;
    /// let mut scored = Run::builder("mine", Origin::memory("run"));
    /// scored.add("q1", "d1", 0.9, 0)?;
    /// let (run, _) = scored.finish(Default::default())?;
    ///
    /// let evaluator = Evaluator::new(&qrels, vec!["nDCG@10".parse()?], Policies::default())?;
    /// let why = evaluator.explain(&run, "q1", &"nDCG@10".parse()?)?;
    /// assert_eq!(why.ranks[0].part.unwrap().contribution, why.value);
    /// assert_eq!(
    ///     why.to_string(),
    ///     "nDCG@10 is 0.6131 because 1 of the 2 documents that gain anything is in the top 10, at rank 1: DCG 1.0000 of an ideal 1.6309; \
    ///      most is lost by 'gone' (grade 1), which was not retrieved"
    /// );
    /// # Ok::<(), mrmr_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the measure is not one of the evaluator's, the query is not judged, or the run lacks it under
    /// [`MissingPolicy::Error`].
    pub fn explain(&self, run: &Run, query: &str, spec: &MeasureSpec) -> Result<Explanation> {
        let known = self.measures.iter().find(|(own, _)| own == spec);
        let (_, measure) =
            known.ok_or_else(|| Error::usage(format!("{spec} is not among the measures")))?;
        let names = self.qrels.queries();
        let key = names.get(query).ok_or_else(|| {
            let near = closest(query, names.names());
            Error::usage(format!("query '{query}' is not judged"))
                .hint_maybe(near.map(|near| format!("did you mean '{near}'?")))
        })?;
        let (answered, ranks, groups) = self.ranks(run, key, query);
        if !answered && self.policies.missing == MissingPolicy::Error {
            return Err(missing(query, run.name()));
        }
        let judgements = self.qrels.judgements(key);
        let hits: Vec<Hit> = ranks
            .iter()
            .filter_map(|ranked| {
                let document = self.qrels.documents().get(&ranked.document)?;
                let judgement = judgements
                    .binary_search_by_key(&document, |judgement| judgement.document)
                    .ok()?;
                Some(Hit {
                    rank: ranked.rank,
                    grade: judgements[judgement].grade,
                    judgement,
                })
            })
            .collect();
        let ranking = JudgedRanking {
            query: key,
            retrieved: ranks.len(),
            hits: &hits,
            groups: &groups,
            judged: self.grades(key),
        };
        // Plus 0 takes the sign of a minus zero away, which a sum of nothing has.
        let as_ranked = measure.value(&ranking, Ties::AsRanked) + 0.0;
        let (lowest, highest, tie_averaged) = if ranking.has_ties() {
            let spread = measure.spread(&ranking);
            // Rounding must not lift a mean over what it is a mean of.
            let averaged = spread.averaged.max(spread.lowest).min(spread.highest);
            (spread.lowest + 0.0, spread.highest + 0.0, averaged + 0.0)
        } else {
            (as_ranked, as_ranked, as_ranked)
        };
        let mut judged: Vec<ExplainedJudgement> = judgements
            .iter()
            .enumerate()
            .map(|(at, judgement)| ExplainedJudgement {
                document: self.qrels.documents().name(judgement.document).to_owned(),
                grade: judgement.grade,
                gain: measure.worth(Some(judgement.grade)),
                rank: hits.iter().find(|hit| hit.judgement == at).map(|h| h.rank),
                ideal_contribution: None,
            })
            .collect();
        // Among documents of one worth, each has the place nearest to its own.
        judged.sort_by(|a, b| {
            let rank = |judged: &ExplainedJudgement| judged.rank.unwrap_or(usize::MAX);
            b.gain
                .total_cmp(&a.gain)
                .then(b.grade.total_cmp(&a.grade))
                .then(rank(a).cmp(&rank(b)))
                .then(b.document.as_bytes().cmp(a.document.as_bytes()))
        });
        let mut explanation = Explanation {
            spec: spec.clone(),
            run: run.name().to_owned(),
            query: query.to_owned(),
            policies: self.policies,
            answered,
            value: match self.policies.ranking.ties {
                TiePolicy::Expected => tie_averaged,
                _ => as_ranked,
            },
            as_ranked,
            tie_averaged,
            lowest,
            highest,
            ranks,
            judged,
            sum: None,
        };
        parts::fill(&mut explanation, measure.as_ref());
        Ok(explanation)
    }

    /// The documents of a query as the policies rank them, and the groups of ties with a judged one.
    fn ranks(
        &self,
        run: &Run,
        key: QueryId,
        query: &str,
    ) -> (bool, Vec<ExplainedRank>, Vec<Group>) {
        let (mut ranks, mut groups) = (Vec::new(), Vec::new());
        let Some(own) = run.queries().get(query) else {
            return (false, ranks, groups);
        };
        let ranking = run.ranking(own, self.policies.ranking);
        for range in ranking.tie_groups() {
            let start = ranks.len();
            let mut judged = 0;
            for entry in &ranking.entries()[range] {
                let document = run.documents().name(entry.document);
                let known = self.qrels.documents().get(document);
                let grade = known.and_then(|document| self.qrels.grade(key, document));
                if grade.is_none() && self.policies.unjudged == UnjudgedPolicy::Drop {
                    continue;
                }
                judged += usize::from(grade.is_some());
                ranks.push(ExplainedRank {
                    rank: ranks.len() + 1,
                    document: document.to_owned(),
                    score: entry.score,
                    grade,
                    tied: None,
                    part: None,
                });
            }
            let size = ranks.len() - start;
            if size > 1 {
                let last = ranks.len();
                for ranked in &mut ranks[start..] {
                    ranked.tied = Some((start + 1, last));
                }
            }
            if judged > 0 {
                groups.push(Group {
                    before: start,
                    size,
                    judged,
                });
            }
        }
        (true, ranks, groups)
    }
}
