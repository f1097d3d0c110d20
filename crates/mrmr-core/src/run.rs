//! What a system answered: for each query, documents with scores.

use crate::error::{Error, Origin, Result};
use crate::id::{DocId, Ids, Interned, QueryId};
use crate::policy::{DuplicatePolicy, RankingPolicy};
use crate::ranking::{Entry, Ranking};

/// The ranked output of one system, kept in input order; [`Run::ranking`] orders it.
#[derive(Clone, Debug)]
pub struct Run {
    name: String,
    queries: Ids<QueryId>,
    documents: Ids<DocId>,
    starts: Vec<usize>,
    entries: Vec<Entry>,
}

/// What reading a run came across and accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunNotes {
    /// Repeated documents that the [`DuplicatePolicy`] left out.
    pub duplicates_dropped: u64,
}

impl Run {
    /// Starts with no answers; `origin` names the source in errors.
    pub fn builder(name: impl Into<String>, origin: Origin) -> RunBuilder {
        RunBuilder {
            name: name.into(),
            origin,
            queries: Ids::new(),
            documents: Ids::new(),
            rows: Vec::new(),
        }
    }

    /// A run of lists that were put together elsewhere: one for each query in order, over one table of documents.
    ///
    /// ```
    /// use mrmr_core::{DocId, Entry, Ids, Interned, QueryId, Run};
    /// let queries: Ids<QueryId> = ["q1", "q2"].into_iter().collect();
    /// let documents: Ids<DocId> = ["d1"].into_iter().collect();
    /// let first = Entry { document: DocId::from_index(0), score: 2.5 };
    /// let run = Run::from_lists("fused", queries, documents, [vec![first], vec![]])?;
    /// assert_eq!((run.queries().len(), run.len()), (2, 1));
    /// # Ok::<(), mrmr_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// If there are not as many lists as queries, a score is NaN, or a document stands twice in one list or is not
    /// in the table.
    pub fn from_lists(
        name: impl Into<String>,
        queries: Ids<QueryId>,
        documents: Ids<DocId>,
        lists: impl IntoIterator<Item = Vec<Entry>>,
    ) -> Result<Self> {
        let (mut entries, mut starts) = (Vec::new(), vec![0]);
        // For each document the last list that had it, counted from 1.
        let mut last = vec![0usize; documents.len()];
        for list in lists {
            let number = starts.len();
            let query = || match number <= queries.len() {
                true => queries.name(QueryId::from_index(number - 1)),
                false => "",
            };
            for entry in &list {
                let Some(seen) = last.get_mut(entry.document.index()) else {
                    return Err(Error::data(format!(
                        "query '{}': document number {} is not in a table of {}",
                        query(),
                        entry.document.index(),
                        documents.len()
                    )));
                };
                let wrong = match entry.score.is_nan() {
                    true => Some("has the score NaN"),
                    false if *seen == number => Some("is there twice"),
                    false => None,
                };
                if let Some(wrong) = wrong {
                    return Err(Error::data(format!(
                        "query '{}': document '{}' {wrong}",
                        query(),
                        documents.name(entry.document)
                    )));
                }
                *seen = number;
            }
            entries.extend_from_slice(&list);
            starts.push(entries.len());
        }
        if starts.len() != queries.len() + 1 {
            return Err(Error::data(format!(
                "expected {} lists of answers, one a query, found {}",
                queries.len(),
                starts.len() - 1
            )));
        }
        Ok(Run {
            name: name.into(),
            queries,
            documents,
            starts,
            entries,
        })
    }

    /// The system's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The same answers under another name.
    #[must_use]
    pub fn renamed(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// The queries, those with an empty list of answers too, in the order of the input.
    pub fn queries(&self) -> &Ids<QueryId> {
        &self.queries
    }

    /// The retrieved documents.
    pub fn documents(&self) -> &Ids<DocId> {
        &self.documents
    }

    /// The answers of a query in the order of the input, which means nothing: see [`Run::ranking`].
    pub fn entries(&self, query: QueryId) -> &[Entry] {
        &self.entries[self.starts[query.index()]..self.starts[query.index() + 1]]
    }

    /// The answers of a query in order.
    pub fn ranking(&self, query: QueryId, policy: RankingPolicy) -> Ranking {
        Ranking::new(self.entries(query), &self.documents, policy)
    }

    /// The run with those answers alone that `keep` (query id, document id) accepts, and how many went;
    /// every query stays.
    #[must_use]
    pub fn retain(mut self, keep: impl Fn(&str, &str) -> bool) -> (Self, usize) {
        let before = self.entries.len();
        let mut entries = Vec::with_capacity(before);
        let mut starts = vec![0];
        for query in self.queries.keys() {
            let name = self.queries.name(query);
            let kept = |entry: &&Entry| keep(name, self.documents.name(entry.document));
            entries.extend(self.entries(query).iter().filter(kept));
            starts.push(entries.len());
        }
        let dropped = before - entries.len();
        self.entries = entries;
        self.starts = starts;
        (self, dropped)
    }

    /// How many answers there are in all.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

/// Collects answers in any order; see [`Run::builder`].
#[derive(Clone, Debug)]
pub struct RunBuilder {
    name: String,
    origin: Origin,
    queries: Ids<QueryId>,
    documents: Ids<DocId>,
    rows: Vec<Row>,
}

#[derive(Clone, Copy, Debug)]
struct Row {
    query: QueryId,
    document: DocId,
    score: f64,
    number: u64,
}

/// A document that an earlier entry of its query has; see [`RunBuilder::finish_with`].
#[derive(Debug)]
pub struct RepeatedAnswer<'a> {
    builder: &'a RunBuilder,
    first: Row,
    second: Row,
}

impl RepeatedAnswer<'_> {
    /// The number of the later entry.
    pub fn number(&self) -> u64 {
        self.second.number
    }

    /// The error of two entries; both are named.
    pub fn error(&self) -> Error {
        let (builder, first, second) = (self.builder, self.first, self.second);
        Error::data(format!(
            "query '{}': document '{}' is there twice, with score {} here and {} at {}",
            builder.queries.name(second.query),
            builder.documents.name(second.document),
            second.score,
            first.score,
            builder.origin.entry(first.number),
        ))
        .at(builder.origin.place(second.number))
        .hint("--duplicates first, best or last says which one counts")
    }
}

impl RunBuilder {
    /// Adds an answer that stands at `number` of the source.
    ///
    /// # Errors
    /// If the score is NaN.
    pub fn add(&mut self, query: &str, document: &str, score: f64, number: u64) -> Result<()> {
        if score.is_nan() {
            return Err(Error::format(format!(
                "query '{query}', document '{document}': expected a number as score, found NaN"
            ))
            .at(self.origin.place(number))
            .hint("a score that is not a number has no place in an order; find out why the system gave it"));
        }
        self.rows.push(Row {
            query: self.queries.intern(query),
            document: self.documents.intern(document),
            score,
            number,
        });
        Ok(())
    }

    /// Names a query whose list of answers is empty: it was asked, and nothing came back.
    pub fn add_empty(&mut self, query: &str) {
        self.queries.intern(query);
    }

    /// How many answers were added so far.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether nothing was added so far.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The run, and what was accepted on the way.
    ///
    /// # Errors
    /// If a document stands twice in one query's list and `duplicates` says so; both entries are named.
    pub fn finish(mut self, duplicates: DuplicatePolicy) -> Result<(Run, RunNotes)> {
        self.sort();
        if let Some(repeated) = self.repeated().next()
            && duplicates == DuplicatePolicy::Error
        {
            return Err(repeated.error());
        }
        Ok(self.finish_sorted(duplicates))
    }

    /// As [`RunBuilder::finish`], but every document that stands twice in one query's list is given to `repeated`,
    /// and the first entry counts.
    ///
    /// ```
    /// use mrmr_core::{Origin, Run};
    /// let mut answers = Run::builder("bm25", Origin::lines("run.txt"));
    /// answers.add("q1", "d1", 3.0, 1)?;
    /// answers.add("q1", "d1", 1.0, 2)?;
    /// let mut found = Vec::new();
    /// let (run, _) = answers.finish_with(|repeated| found.push(repeated.number()));
    /// assert_eq!((run.len(), found), (1, vec![2]));
    /// # Ok::<(), mrmr_core::Error>(())
    /// ```
    pub fn finish_with(mut self, repeated: impl FnMut(RepeatedAnswer<'_>)) -> (Run, RunNotes) {
        self.sort();
        self.repeated().for_each(repeated);
        self.finish_sorted(DuplicatePolicy::First)
    }

    fn sort(&mut self) {
        self.rows
            .sort_unstable_by_key(|row| (row.query, row.document, row.number));
    }

    /// The documents that stand twice, once `rows` are sorted.
    fn repeated(&self) -> impl Iterator<Item = RepeatedAnswer<'_>> {
        let same =
            |pair: &&[Row]| (pair[0].query, pair[0].document) == (pair[1].query, pair[1].document);
        let pairs = self.rows.windows(2).filter(same);
        pairs.map(|pair| RepeatedAnswer {
            builder: self,
            first: pair[0],
            second: pair[1],
        })
    }

    fn finish_sorted(mut self, duplicates: DuplicatePolicy) -> (Run, RunNotes) {
        let mut notes = RunNotes::default();
        if self.repeated().next().is_some() {
            let before = self.rows.len();
            self.rows.dedup_by(|next, kept| {
                let same = (next.query, next.document) == (kept.query, kept.document);
                let replaces = match duplicates {
                    DuplicatePolicy::Last => true,
                    DuplicatePolicy::Best => next.score > kept.score,
                    DuplicatePolicy::First | DuplicatePolicy::Error => false,
                };
                if same && replaces {
                    *kept = *next;
                }
                same
            });
            notes.duplicates_dropped = (before - self.rows.len()) as u64;
        }
        self.rows
            .sort_unstable_by_key(|row| (row.query, row.number));

        let mut starts = vec![0usize; self.queries.len() + 1];
        for row in &self.rows {
            starts[row.query.index() + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let entries = self
            .rows
            .iter()
            .map(|row| Entry {
                document: row.document,
                score: row.score,
            })
            .collect();
        let run = Run {
            name: self.name,
            queries: self.queries,
            documents: self.documents,
            starts,
            entries,
        };
        (run, notes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::{ScorePrecision, TiePolicy};

    fn run(rows: &[(&str, f64)]) -> Run {
        let mut builder = Run::builder("test", Origin::lines("run.txt"));
        for (number, (document, score)) in rows.iter().enumerate() {
            builder
                .add("q", document, *score, number as u64 + 1)
                .unwrap();
        }
        builder.finish(DuplicatePolicy::Error).unwrap().0
    }

    fn order(run: &Run, policy: RankingPolicy) -> Vec<&str> {
        let query = run.queries().get("q").unwrap();
        let ranking = run.ranking(query, policy);
        let names = ranking.entries().iter();
        names.map(|e| run.documents().name(e.document)).collect()
    }

    #[test]
    fn ties_break_by_document_id_descending() {
        let run = run(&[("10", 1.0), ("9", 1.0), ("x", 2.0)]);
        assert_eq!(order(&run, RankingPolicy::default()), ["x", "9", "10"]);
    }

    #[test]
    fn each_tie_policy_orders_equal_scores_its_own_way() {
        let run = run(&[("b", 1.0), ("a", 1.0), ("c", 1.0)]);
        let with = |ties| RankingPolicy {
            ties,
            ..Default::default()
        };
        assert_eq!(order(&run, with(TiePolicy::Trec)), ["c", "b", "a"]);
        assert_eq!(order(&run, with(TiePolicy::Ascending)), ["a", "b", "c"]);
        assert_eq!(order(&run, with(TiePolicy::Input)), ["b", "a", "c"]);
    }

    #[test]
    fn minus_zero_ties_with_zero() {
        let run = run(&[("a", 0.0), ("b", -0.0)]);
        assert_eq!(order(&run, RankingPolicy::default()), ["b", "a"]);
    }

    #[test]
    fn single_precision_makes_ties_of_scores_that_differ_beyond_it() {
        let run = run(&[
            ("a", 16777217.0),
            ("b", 16777216.0),
            ("c", 1e300),
            ("d", 1e301),
        ]);
        let single = RankingPolicy {
            precision: ScorePrecision::F32,
            ..Default::default()
        };
        assert_eq!(order(&run, RankingPolicy::default()), ["d", "c", "a", "b"]);
        assert_eq!(order(&run, single), ["d", "c", "b", "a"]);
        let query = run.queries().get("q").unwrap();
        assert_eq!(
            run.ranking(query, single).tie_groups().collect::<Vec<_>>(),
            [0..2, 2..4]
        );
    }

    #[test]
    fn infinite_scores_are_an_order_like_any_other() {
        let run = run(&[("a", 1e-3), ("b", f64::INFINITY), ("c", f64::NEG_INFINITY)]);
        assert_eq!(order(&run, RankingPolicy::default()), ["b", "a", "c"]);
    }

    #[test]
    fn retain_keeps_every_query_and_counts_what_went() {
        let (run, dropped) =
            run(&[("q", 3.0), ("a", 1.0)]).retain(|query, document| query != document);
        assert_eq!(dropped, 1);
        assert_eq!(order(&run, RankingPolicy::default()), ["a"]);
        let (run, dropped) = run.retain(|_, _| false);
        assert_eq!((dropped, run.queries().len(), run.len()), (1, 1, 0));
    }

    #[test]
    fn lists_that_make_no_run_are_refused() {
        let lists = |lists: &[&[(usize, f64)]]| {
            let entry = |(document, score): &(usize, f64)| Entry {
                document: DocId::from_index(*document),
                score: *score,
            };
            let queries = ["q1", "q2"].into_iter().collect();
            let documents = ["a", "b"].into_iter().collect();
            let lists = lists.iter().map(|list| list.iter().map(entry).collect());
            Run::from_lists("lists", queries, documents, lists)
        };
        let run = lists(&[&[(1, 1.0), (0, 2.0)], &[(1, 1.0)]]).unwrap();
        assert_eq!(run.entries(run.queries().get("q2").unwrap()).len(), 1);
        for (wrong, message) in [
            (
                &[&[][..]][..],
                "expected 2 lists of answers, one a query, found 1",
            ),
            (
                &[&[], &[], &[]],
                "expected 2 lists of answers, one a query, found 3",
            ),
            (
                &[&[(2, 1.0)], &[]],
                "query 'q1': document number 2 is not in a table of 2",
            ),
            (
                &[&[], &[(0, f64::NAN)]],
                "query 'q2': document 'a' has the score NaN",
            ),
            (
                &[&[(0, 1.0), (0, 1.0)], &[]],
                "query 'q1': document 'a' is there twice",
            ),
        ] {
            assert_eq!(lists(wrong).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn a_document_twice_is_an_error_that_names_both_lines() {
        let mut builder = Run::builder("test", Origin::lines("run.txt"));
        builder.add("q", "d", 3.0, 1).unwrap();
        builder.add("q", "d", 1.0, 5).unwrap();
        let error = builder.clone().finish(DuplicatePolicy::Error).unwrap_err();
        assert_eq!(
            error.to_string(),
            "run.txt:5: query 'q': document 'd' is there twice, with score 1 here and 3 at line 1"
        );
        for (policy, score) in [
            (DuplicatePolicy::First, 3.0),
            (DuplicatePolicy::Best, 3.0),
            (DuplicatePolicy::Last, 1.0),
        ] {
            let (run, notes) = builder.clone().finish(policy).unwrap();
            assert_eq!(run.entries(run.queries().get("q").unwrap())[0].score, score);
            assert_eq!(notes.duplicates_dropped, 1);
        }
    }
}
