//! A query's ranking as trec_eval sees it: whole grades by rank, and counts.

use mrmr_core::{Qrels, QueryId, RankingPolicy, Run, TiePolicy};

use super::options::{Options, Version};
use crate::lookup::Lookup;

/// The grade of a document that the qrels do not name.
pub(super) const OUTSIDE_POOL: i64 = -1;
/// The grade of a document whose grade is negative: in the pool, not judged.
pub(super) const UNJUDGED: i64 = -2;

/// A query's ranking and judgements.
#[derive(Clone, Debug, Default)]
pub(super) struct Judged {
    /// Grades by rank, of the retrieved documents that count.
    pub(super) grades: Vec<i64>,
    /// How many retrieved documents are relevant.
    pub(super) relevant_retrieved: i64,
    /// How many retrieved documents the qrels do not name; 0 under `-J`.
    pub(super) outside_pool: i64,
    /// How many retrieved documents have a negative grade; 0 under `-J`.
    pub(super) unjudged: i64,
    /// How many judged documents are relevant.
    pub(super) relevant: i64,
    /// How many judged documents have the grade 0, 1, ... up to the highest of the query.
    /// Those of the query before where all judgements are negative: a fault of trec_eval.
    pub(super) levels: Vec<i64>,
    /// The lowest grade of a relevant document.
    pub(super) level: i64,
    /// The documents in the collection.
    pub(super) collection: i64,
    /// Which trec_eval.
    pub(super) version: Version,
}

impl Judged {
    /// How many retrieved documents count.
    pub(super) fn retrieved(&self) -> i64 {
        self.grades.len() as i64
    }

    /// Whether a document of this grade is relevant.
    pub(super) fn is_relevant(&self, grade: i64) -> bool {
        grade >= self.level
    }

    /// The ranks, from 1, of the relevant retrieved documents.
    pub(super) fn relevant_ranks(&self) -> impl Iterator<Item = usize> {
        let relevant = |(_, grade): &(usize, &i64)| self.is_relevant(**grade);
        let ranks = self.grades.iter().enumerate().filter(relevant);
        ranks.map(|(at, _)| at + 1)
    }

    /// For each cut-off, what `grow` made of 0 over the documents up to it, in order.
    ///
    /// `grow` is given what it made before, the place from 0, and the grade.
    pub(super) fn up_to<T: Copy + Default>(
        &self,
        cutoffs: &[i64],
        mut grow: impl FnMut(T, usize, i64) -> T,
    ) -> Vec<T> {
        let mut so_far = T::default();
        let mut reached = 0;
        let at_cutoff = cutoffs.iter().map(|cutoff| {
            let end = (*cutoff).min(self.retrieved()) as usize;
            for place in reached..end {
                so_far = grow(so_far, place, self.grades[place]);
            }
            reached = reached.max(end);
            so_far
        });
        at_cutoff.collect()
    }
}

/// Makes the rankings of one evaluation.
#[derive(Debug)]
pub(super) struct Judge<'a> {
    qrels: &'a Qrels,
    run: &'a Run,
    options: &'a Options,
    lookup: Lookup,
    levels: Vec<i64>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(qrels: &'a Qrels, run: &'a Run, options: &'a Options) -> Self {
        Judge {
            qrels,
            run,
            options,
            lookup: Lookup::default(),
            levels: Vec::new(),
        }
    }

    /// The ranking of a query that both sides have.
    pub(super) fn judge(&mut self, judged: QueryId, answered: QueryId) -> Judged {
        let judgements = self.qrels.judgements(judged);
        self.lookup.fill(self.qrels, judgements);
        let policy = RankingPolicy {
            ties: TiePolicy::Trec,
            precision: self.options.version.precision(),
        };
        let ranking = self.run.ranking(answered, policy);
        let depth = self.options.depth.unwrap_or(usize::MAX);
        let documents = ranking.entries().iter().take(depth).map(|entry| {
            let name = self.run.documents().name(entry.document).as_bytes();
            match self.lookup.get(self.qrels, judgements, name) {
                None => OUTSIDE_POOL,
                // C cuts to a whole number before it looks at the sign.
                Some(at) if judgements[at].grade.trunc() < 0.0 => UNJUDGED,
                Some(at) => judgements[at].grade as i64,
            }
        });
        self.count(judged, documents.collect())
    }

    /// The ranking that version 10 makes up for a query that the run lacks: one unknown document.
    pub(super) fn stand_in(&mut self, judged: QueryId) -> Judged {
        let grades = if self.options.depth == Some(0) {
            Vec::new()
        } else {
            vec![OUTSIDE_POOL]
        };
        self.count(judged, grades)
    }

    fn count(&mut self, judged: QueryId, mut grades: Vec<i64>) -> Judged {
        let level = self.options.level;
        if self.options.judged_only {
            grades.retain(|grade| *grade >= 0);
        }
        let mut levels: Vec<i64> = Vec::new();
        for judgement in self.qrels.judgements(judged) {
            if judgement.grade.trunc() >= 0.0 {
                let grade = judgement.grade as usize;
                if levels.len() <= grade {
                    levels.resize(grade + 1, 0);
                }
                levels[grade] += 1;
            }
        }
        let count = |wanted: &dyn Fn(i64) -> bool| {
            grades.iter().filter(|grade| wanted(**grade)).count() as i64
        };
        let relevant = levels.iter().enumerate();
        let relevant = relevant.filter(|(grade, _)| *grade as i64 >= level);
        let relevant = relevant.map(|(_, count)| count).sum();
        if !levels.is_empty() {
            self.levels = levels;
        }
        Judged {
            relevant_retrieved: count(&|grade| grade >= level.max(0)),
            outside_pool: count(&|grade| grade == OUTSIDE_POOL),
            unjudged: count(&|grade| grade == UNJUDGED),
            relevant,
            grades,
            levels: self.levels.clone(),
            level,
            collection: self.options.collection,
            version: self.options.version,
        }
    }
}
