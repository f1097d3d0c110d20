//! Which documents are relevant to which subtopics: what the measures of diversity share.

use mrmr_core::{Error, Interned, Qrels, QueryId, Result, SubtopicId};

use crate::measure::{Hit, JudgedRanking};
use crate::parameter::{Parameter, ParameterKind};
use crate::spec::MeasureSpec;

pub(super) const ALPHA: Parameter = Parameter {
    name: "alpha",
    kind: ParameterKind::Share {
        default: 0.5,
        open: false,
    },
    summary: "how much of a subtopic's gain each relevant document takes from those behind it",
};

/// The subtopics of every judged document, each query's numbered from 0.
#[derive(Debug)]
pub(super) struct Diversity {
    /// What a subtopic's gain is multiplied by when a document relevant to it was seen.
    kept: f64,
    /// Where each query's judgements start.
    queries: Vec<usize>,
    /// How many subtopics of each query have a relevant document.
    counts: Vec<usize>,
    /// Where each judgement's subtopics start.
    starts: Vec<usize>,
    subtopics: Vec<u32>,
    /// Equal for two judgements of a query with the same subtopics; 0 for none.
    kinds: Vec<u64>,
}

impl Diversity {
    /// Grades from `rel` on are relevant.
    pub(super) fn new(spec: &MeasureSpec, qrels: &Qrels) -> Result<Self> {
        if !qrels.has_subtopics() {
            return Err(Error::data(format!(
                "{spec} needs judgements by subtopic, and these have none"
            ))
            .hint("the second column of TREC judgements names the subtopic: query subtopic document grade"));
        }
        let rel = spec.number("rel");
        let mut all = Diversity {
            kept: 1.0 - spec.number("alpha"),
            queries: vec![0],
            counts: Vec::new(),
            starts: vec![0],
            subtopics: Vec::new(),
            kinds: Vec::new(),
        };
        for query in qrels.queries().keys() {
            let relevant = |judgement: usize| {
                let grades = qrels.subtopic_grades(query, judgement).iter();
                grades.filter(|g| g.grade >= rel).map(|g| g.subtopic)
            };
            let judgements = qrels.judgements(query).len();
            let mut own: Vec<SubtopicId> = (0..judgements).flat_map(&relevant).collect();
            own.sort_unstable();
            own.dedup();
            for judgement in 0..judgements {
                let numbers = relevant(judgement).filter_map(|id| own.binary_search(&id).ok());
                all.subtopics.extend(numbers.map(|number| number as u32));
                all.starts.push(all.subtopics.len());
            }
            all.add_kinds(judgements);
            all.counts.push(own.len());
            all.queries.push(all.starts.len() - 1);
        }
        Ok(all)
    }

    /// Numbers the distinct sets of subtopics of the last judgements.
    fn add_kinds(&mut self, judgements: usize) {
        let first = self.kinds.len();
        let mut order: Vec<usize> = (first..first + judgements).collect();
        order.sort_by(|a, b| self.set(*a).cmp(self.set(*b)));
        self.kinds.resize(first + judgements, 0);
        let mut kind = 0;
        for (at, judgement) in order.iter().enumerate() {
            let set = self.set(*judgement);
            if !set.is_empty() && (at == 0 || set != self.set(order[at - 1])) {
                kind += 1;
            }
            self.kinds[*judgement] = kind;
        }
    }

    fn set(&self, judgement: usize) -> &[u32] {
        &self.subtopics[self.starts[judgement]..self.starts[judgement + 1]]
    }

    /// The subtopics of a judgement of a query.
    pub(super) fn of(&self, query: QueryId, judgement: usize) -> &[u32] {
        self.set(self.queries[query.index()] + judgement)
    }

    /// How many subtopics of a query have a relevant document.
    pub(super) fn count(&self, query: QueryId) -> usize {
        self.counts[query.index()]
    }

    /// See `Measure::kind`.
    pub(super) fn kind(&self, query: QueryId, hit: Option<&Hit>) -> u64 {
        hit.map_or(0, |hit| {
            self.kinds[self.queries[query.index()] + hit.judgement]
        })
    }

    /// The gain of a document, which leaves less for those behind it.
    pub(super) fn take(&self, subtopics: &[u32], gains: &mut [f64]) -> f64 {
        let mut sum = 0.0;
        for subtopic in subtopics {
            let gain = &mut gains[*subtopic as usize];
            sum += *gain;
            *gain *= self.kept;
        }
        sum
    }

    /// The sum of the gains in the top k, each divided by its rank's discount.
    pub(super) fn sum(
        &self,
        query: &JudgedRanking<'_>,
        depth: usize,
        discount: impl Fn(usize) -> f64,
    ) -> f64 {
        let count = self.count(query.query);
        let (mut few, mut many) = ([1.0; 32], Vec::new());
        let gains = match few.get_mut(..count) {
            Some(gains) => gains,
            None => {
                many.resize(count, 1.0);
                &mut many[..]
            }
        };
        let top = query.top(depth).iter();
        top.map(|hit| self.take(self.of(query.query, hit.judgement), gains) / discount(hit.rank))
            .sum()
    }
}
