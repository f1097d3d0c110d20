//! Two runs query by query.

use mrmr_core::{MissingPolicy, NoRelevantPolicy, Result, Run};

use crate::evaluator::Evaluator;
use crate::explain::Explanation;
use crate::spec::MeasureSpec;
use crate::statistics::rbo;

/// The persistence of the overlap of two rankings: 86 % of the weight is on the first ten ranks.
pub const RBO_PERSISTENCE: f64 = 0.9;

/// Two runs query by query, those that differ most first.
#[derive(Clone, Debug, PartialEq)]
pub struct Differences {
    /// The measure.
    pub spec: MeasureSpec,
    /// The name of the first run.
    pub a: String,
    /// The name of the second run.
    pub b: String,
    /// The queries, by falling absolute difference, then by the bytes of their ids.
    pub queries: Vec<QueryDifference>,
    /// Queries that a policy leaves out, by their bytes.
    pub left_out: Vec<String>,
}

/// One query of two runs.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryDifference {
    /// The query.
    pub query: String,
    /// The value of the first run.
    pub a: f64,
    /// The value of the second run.
    pub b: f64,
    /// `b - a`.
    pub difference: f64,
    /// The rank of the first relevant document in the first run.
    pub first_relevant_a: Option<usize>,
    /// The rank of the first relevant document in the second run.
    pub first_relevant_b: Option<usize>,
    /// How alike the two rankings are: rank-biased overlap with [`RBO_PERSISTENCE`], from 0 to 1.
    pub overlap: f64,
    /// Relevant documents that the second run has within the cutoff and the first has not, by rank.
    pub gained: Vec<Moved>,
    /// Relevant documents that the first run has within the cutoff and the second has not, by rank.
    pub lost: Vec<Moved>,
}

/// A relevant document that one run has within the cutoff and the other has not.
#[derive(Clone, Debug, PartialEq)]
pub struct Moved {
    /// The document.
    pub document: String,
    /// Its grade.
    pub grade: f64,
    /// Its rank in the first run.
    pub a: Option<usize>,
    /// Its rank in the second run.
    pub b: Option<usize>,
}

impl Evaluator<'_> {
    /// Compares two runs query by query.
    ///
    /// # Errors
    /// If the measure is not one of the evaluator's.
    pub fn differences(&self, a: &Run, b: &Run, spec: &MeasureSpec) -> Result<Differences> {
        let mut found = Differences {
            spec: spec.clone(),
            a: a.name().to_owned(),
            b: b.name().to_owned(),
            queries: Vec::new(),
            left_out: Vec::new(),
        };
        let policies = self.policies();
        let names = self.qrels().queries();
        for query in names.sorted_keys() {
            let name = names.name(query);
            let in_both = [a, b].iter().all(|run| run.queries().get(name).is_some());
            let hopeless = self.grades(query)[0] <= 0.0;
            if (policies.missing == MissingPolicy::Skip && !in_both)
                || (policies.no_relevant == NoRelevantPolicy::Skip && hopeless)
            {
                found.left_out.push(name.to_owned());
                continue;
            }
            let a = self.explain(a, name, spec)?;
            let b = self.explain(b, name, spec)?;
            found.queries.push(QueryDifference::of(&a, &b)?);
        }
        // Stable: queries of one difference stay in the order of their bytes.
        found
            .queries
            .sort_by(|a, b| b.difference.abs().total_cmp(&a.difference.abs()));
        Ok(found)
    }
}

impl QueryDifference {
    /// One query of two runs, explained under the same measure.
    ///
    /// # Errors
    /// Never in practice: the persistence of the overlap is a valid one.
    pub fn of(a: &Explanation, b: &Explanation) -> Result<Self> {
        let documents = |side: &Explanation| -> Vec<String> {
            side.ranks
                .iter()
                .map(|ranked| ranked.document.clone())
                .collect()
        };
        let overlap = rbo(&documents(a), &documents(b), RBO_PERSISTENCE)?;
        let moved = |from: &Explanation, to: &Explanation| -> Vec<Moved> {
            let depth = from.spec.depth();
            let within = |rank: Option<usize>| rank.is_some_and(|rank| rank <= depth);
            let mut moved: Vec<(usize, Moved)> = to
                .relevant()
                .filter(|judged| within(judged.rank) && !within(from.rank_of(&judged.document)))
                .filter_map(|judged| {
                    let other = from.rank_of(&judged.document);
                    let rank = judged.rank?;
                    Some((
                        rank,
                        Moved {
                            document: judged.document.clone(),
                            grade: judged.grade,
                            a: other,
                            b: Some(rank),
                        },
                    ))
                })
                .collect();
            moved.sort_by_key(|(rank, _)| *rank);
            moved.into_iter().map(|(_, moved)| moved).collect()
        };
        let mut lost = moved(b, a);
        for moved in &mut lost {
            std::mem::swap(&mut moved.a, &mut moved.b);
        }
        Ok(QueryDifference {
            query: a.query.clone(),
            a: a.value,
            b: b.value,
            difference: b.value - a.value,
            first_relevant_a: a.first_relevant(),
            first_relevant_b: b.first_relevant(),
            overlap,
            gained: moved(a, b),
            lost,
        })
    }
}
