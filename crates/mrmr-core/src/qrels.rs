//! Judgements: which document has which grade for which query.

use crate::error::{Error, Origin, Result};
use crate::id::{DocId, Ids, Interned, QueryId, SubtopicId};
use crate::subtopics::{Column, SubtopicGrade, Subtopics};

/// The grade of one document for one query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judgement {
    /// The document, in [`Qrels::documents`].
    pub document: DocId,
    /// Finite; relevant from 1 on unless a measure says otherwise, unjudged is not 0 but absent. Where
    /// the judgements are by subtopic, the highest of them.
    pub grade: f64,
}

/// The judgements of a set of queries.
#[derive(Clone, Debug)]
pub struct Qrels {
    queries: Ids<QueryId>,
    documents: Ids<DocId>,
    starts: Vec<usize>,
    judgements: Vec<Judgement>,
    subtopics: Option<Box<Subtopics>>,
}

/// What reading judgements came across and accepted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QrelsNotes {
    /// Rows that repeat an earlier row, grade and all.
    pub identical_rows: u64,
    /// Queries without any judgement (an empty object in JSON), left out; in the order of the input.
    pub empty_queries: Vec<String>,
}

impl Qrels {
    /// Starts with no judgements; `origin` names the source in errors.
    pub fn builder(origin: Origin) -> QrelsBuilder {
        QrelsBuilder {
            origin,
            queries: Ids::new(),
            documents: Ids::new(),
            rows: Vec::new(),
            column: Column::default(),
        }
    }

    /// The judged queries, in the order of the input.
    pub fn queries(&self) -> &Ids<QueryId> {
        &self.queries
    }

    /// The judged documents, in the order of the input.
    pub fn documents(&self) -> &Ids<DocId> {
        &self.documents
    }

    /// The judgements of a query, by document key.
    pub fn judgements(&self, query: QueryId) -> &[Judgement] {
        &self.judgements[self.starts[query.index()]..self.starts[query.index() + 1]]
    }

    /// The grade of a document for a query; none where it is not judged.
    pub fn grade(&self, query: QueryId, document: DocId) -> Option<f64> {
        let judgements = self.judgements(query);
        judgements
            .binary_search_by_key(&document, |judgement| judgement.document)
            .ok()
            .map(|at| judgements[at].grade)
    }

    /// How many judgements there are.
    pub fn len(&self) -> usize {
        self.judgements.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.judgements.is_empty()
    }

    /// Whether the judgements are by subtopic.
    pub fn has_subtopics(&self) -> bool {
        self.subtopics.is_some()
    }

    /// The subtopics, by the bytes of their ids; none where the judgements are not by subtopic.
    pub fn subtopics(&self) -> impl ExactSizeIterator<Item = (SubtopicId, &str)> {
        let subtopics = self.subtopics.as_deref();
        let count = subtopics.map_or(0, |subtopics| subtopics.names.len());
        (0..count).map(move |index| {
            let key = SubtopicId::from_index(index);
            (
                key,
                subtopics.map_or("", |subtopics| subtopics.names.name(key)),
            )
        })
    }

    /// The grades of one of the [`Qrels::judgements`] of a query for each subtopic, by subtopic; none
    /// where the judgements are not by subtopic.
    pub fn subtopic_grades(&self, query: QueryId, judgement: usize) -> &[SubtopicGrade] {
        match &self.subtopics {
            Some(subtopics) => subtopics.of(self.starts[query.index()] + judgement),
            None => &[],
        }
    }

    /// The highest grade, where there is a judgement.
    pub fn max_grade(&self) -> Option<f64> {
        self.judgements.iter().map(|j| j.grade).reduce(f64::max)
    }
}

/// Collects judgements in any order; see [`Qrels::builder`].
#[derive(Clone, Debug)]
pub struct QrelsBuilder {
    origin: Origin,
    queries: Ids<QueryId>,
    documents: Ids<DocId>,
    rows: Vec<Row>,
    column: Column,
}

#[derive(Clone, Copy, Debug)]
struct Row {
    query: QueryId,
    document: DocId,
    grade: f64,
    number: u64,
}

/// A judgement of a pair (for one subtopic) that an earlier entry has judged; see [`QrelsBuilder::finish_with`].
#[derive(Debug)]
pub struct RepeatedJudgement<'a> {
    builder: &'a QrelsBuilder,
    first: Row,
    second: Row,
    subtopic: Option<&'a str>,
}

impl RepeatedJudgement<'_> {
    /// The number of the later entry.
    pub fn number(&self) -> u64 {
        self.second.number
    }

    /// Whether both entries have one grade.
    pub fn is_identical(&self) -> bool {
        self.first.grade == self.second.grade
    }

    /// The error of two entries; both are named.
    pub fn error(&self) -> Error {
        let Row {
            query,
            document,
            grade,
            number,
        } = self.second;
        let builder = self.builder;
        let subtopic = self
            .subtopic
            .map_or(String::new(), |name| format!(", subtopic '{name}'"));
        let pair = format!(
            "query '{}', document '{}'{subtopic}",
            builder.queries.name(query),
            builder.documents.name(document)
        );
        let first = builder.origin.entry(self.first.number);
        let error = if self.is_identical() {
            Error::data(format!("{pair}: grade {grade}, as at {first} already"))
        } else {
            let one = match self.subtopic {
                None => "one pair has one grade",
                Some(_) => "one pair has one grade a subtopic",
            };
            Error::data(format!(
                "{pair}: grade {grade} here, but {} at {first}; {one}",
                self.first.grade
            ))
        };
        error.at(builder.origin.place(number))
    }
}

impl QrelsBuilder {
    /// Adds a judgement that stands at `number` of the source; its subtopic is `0`.
    ///
    /// # Errors
    /// If the grade is not finite.
    pub fn add(&mut self, query: &str, document: &str, grade: f64, number: u64) -> Result<()> {
        self.add_subtopic(query, "0", document, grade, number)
    }

    /// Adds a judgement for one subtopic of a query.
    ///
    /// The judgements are by subtopic where the rows have two subtopics or more. A document's grade is
    /// the highest that it has for any of them.
    ///
    /// ```
    /// use mrmr_core::{Origin, Qrels};
    /// let mut judged = Qrels::builder(Origin::memory("qrels"));
    /// judged.add_subtopic("q1", "price", "d1", 1.0, 0)?;
    /// judged.add_subtopic("q1", "colour", "d1", 2.0, 1)?;
    /// let (qrels, _) = judged.finish()?;
    /// let query = qrels.queries().get("q1").unwrap();
    /// assert_eq!(qrels.judgements(query)[0].grade, 2.0);
    /// let grades = qrels.subtopic_grades(query, 0);
    /// assert_eq!(grades.iter().map(|g| g.grade).collect::<Vec<_>>(), [2.0, 1.0]);
    /// # Ok::<(), mrmr_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the grade is not finite.
    pub fn add_subtopic(
        &mut self,
        query: &str,
        subtopic: &str,
        document: &str,
        grade: f64,
        number: u64,
    ) -> Result<()> {
        if !grade.is_finite() {
            return Err(Error::format(format!(
                "query '{query}', document '{document}': expected a finite grade, found {grade}"
            ))
            .at(self.origin.place(number)));
        }
        self.column.push(subtopic, self.rows.len());
        self.rows.push(Row {
            query: self.queries.intern(query),
            document: self.documents.intern(document),
            grade,
            number,
        });
        Ok(())
    }

    /// Names a query that has no judgement; it is left out and counted.
    pub fn add_empty(&mut self, query: &str) {
        self.queries.intern(query);
    }

    /// The judgements, and what was accepted on the way.
    ///
    /// # Errors
    /// If one pair of query and document has two grades (for one subtopic); both entries are named.
    pub fn finish(self) -> Result<(Qrels, QrelsNotes)> {
        self.finish_with(|repeated| match repeated.is_identical() {
            true => Ok(()),
            false => Err(repeated.error()),
        })
    }

    /// As [`QrelsBuilder::finish`], but `repeated` decides about each judgement that repeats an earlier one of
    /// its pair; where it accepts two grades, the first one counts.
    ///
    /// ```
    /// use mrmr_core::{Origin, Qrels};
    /// let mut judged = Qrels::builder(Origin::lines("qrels.txt"));
    /// for (line, grade) in [(1, 1.0), (2, 2.0), (3, 2.0)] {
    ///     judged.add("q1", "d1", grade, line)?;
    /// }
    /// let mut found = Vec::new();
    /// let (qrels, notes) = judged.finish_with(|repeated| {
    ///     found.push((repeated.number(), repeated.is_identical()));
    ///     Ok(())
    /// })?;
    /// assert_eq!(found, [(2, false), (3, true)]);
    /// assert_eq!((qrels.len(), notes.identical_rows), (1, 1));
    /// # Ok::<(), mrmr_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of `repeated`.
    pub fn finish_with(
        mut self,
        mut repeated: impl FnMut(RepeatedJudgement<'_>) -> Result<()>,
    ) -> Result<(Qrels, QrelsNotes)> {
        let mut notes = QrelsNotes::default();
        let (names, keys) = std::mem::take(&mut self.column).finish();
        let mut rows = std::mem::take(&mut self.rows);
        let subtopics = if keys.is_empty() {
            rows.sort_unstable_by_key(|row| (row.query, row.document, row.number));
            for pair in rows.windows(2) {
                let [a, b] = pair else { continue };
                if (a.query, a.document) == (b.query, b.document) {
                    let again = RepeatedJudgement {
                        builder: &self,
                        first: *a,
                        second: *b,
                        subtopic: None,
                    };
                    notes.identical_rows += u64::from(again.is_identical());
                    repeated(again)?;
                }
            }
            rows.dedup_by_key(|row| (row.query, row.document));
            None
        } else {
            let mut keyed: Vec<(Row, SubtopicId)> = rows.into_iter().zip(keys).collect();
            keyed.sort_unstable_by_key(|(row, subtopic)| {
                (row.query, row.document, *subtopic, row.number)
            });
            for pair in keyed.windows(2) {
                let [(a, first), (b, second)] = pair else {
                    continue;
                };
                if (a.query, a.document, first) == (b.query, b.document, second) {
                    let again = RepeatedJudgement {
                        builder: &self,
                        first: *a,
                        second: *b,
                        subtopic: Some(names.name(*first)),
                    };
                    notes.identical_rows += u64::from(again.is_identical());
                    repeated(again)?;
                }
            }
            keyed.dedup_by_key(|(row, subtopic)| (row.query, row.document, *subtopic));
            let mut subtopics = Subtopics::new(names, keyed.len());
            rows = Vec::new();
            for group in
                keyed.chunk_by(|(a, _), (b, _)| (a.query, a.document) == (b.query, b.document))
            {
                let grades = group.iter().map(|(row, subtopic)| SubtopicGrade {
                    subtopic: *subtopic,
                    grade: row.grade,
                });
                let grade = subtopics.push(grades);
                rows.push(Row {
                    grade,
                    ..group[0].0
                });
            }
            Some(Box::new(subtopics))
        };

        let mut counts = vec![0usize; self.queries.len()];
        for row in &rows {
            counts[row.query.index()] += 1;
        }
        let mut queries = Ids::new();
        let mut starts = vec![0];
        for (name, count) in self.queries.names().zip(counts) {
            if count == 0 {
                notes.empty_queries.push(name.to_owned());
            } else {
                queries.intern(name);
                starts.push(starts[starts.len() - 1] + count);
            }
        }
        let judgements = rows
            .iter()
            .map(|row| Judgement {
                document: row.document,
                grade: row.grade,
            })
            .collect();
        let qrels = Qrels {
            queries,
            documents: self.documents,
            starts,
            judgements,
            subtopics,
        };
        Ok((qrels, notes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_grades_for_one_pair_name_both_lines() {
        let mut builder = Qrels::builder(Origin::lines("qrels.txt"));
        builder.add("q", "d", 1.0, 3).unwrap();
        builder.add("q", "e", 1.0, 4).unwrap();
        builder.add("q", "d", 2.0, 9).unwrap();
        assert_eq!(
            builder.finish().unwrap_err().to_string(),
            "qrels.txt:9: query 'q', document 'd': grade 2 here, but 1 at line 3; one pair has one grade"
        );
    }

    #[test]
    fn identical_rows_are_counted_and_empty_queries_left_out() {
        let mut builder = Qrels::builder(Origin::lines("qrels.txt"));
        builder.add("q", "d", 1.0, 1).unwrap();
        builder.add_empty("none");
        builder.add("p", "d", 0.5, 2).unwrap();
        builder.add("q", "d", 1.0, 3).unwrap();
        let (qrels, notes) = builder.finish().unwrap();
        assert_eq!(notes.identical_rows, 1);
        assert_eq!(notes.empty_queries, ["none"]);
        assert_eq!(qrels.queries().names().collect::<Vec<_>>(), ["q", "p"]);
        let p = qrels.queries().get("p").unwrap();
        assert_eq!(
            qrels.grade(p, qrels.documents().get("d").unwrap()),
            Some(0.5)
        );
        assert_eq!(qrels.len(), 2);
    }

    #[test]
    fn rows_of_two_subtopics_are_judgements_by_subtopic() {
        let mut builder = Qrels::builder(Origin::lines("qrels.txt"));
        builder.add_subtopic("q", "2", "d", 1.0, 1).unwrap();
        builder.add_subtopic("q", "1", "d", 3.0, 2).unwrap();
        builder.add_subtopic("q", "1", "e", 0.0, 3).unwrap();
        builder.add_subtopic("q", "1", "d", 3.0, 4).unwrap();
        let (qrels, notes) = builder.finish().unwrap();
        assert_eq!(notes.identical_rows, 1);
        assert_eq!(qrels.len(), 2);
        let names: Vec<&str> = qrels.subtopics().map(|(_, name)| name).collect();
        assert_eq!(names, ["1", "2"]);
        let q = qrels.queries().get("q").unwrap();
        let grades = |at| -> Vec<(usize, f64)> {
            let grades = qrels.subtopic_grades(q, at).iter();
            grades.map(|g| (g.subtopic.index(), g.grade)).collect()
        };
        assert_eq!(grades(0), [(0, 3.0), (1, 1.0)]);
        assert_eq!(grades(1), [(0, 0.0)]);
        assert_eq!(qrels.judgements(q)[0].grade, 3.0);
    }

    #[test]
    fn two_grades_for_one_pair_and_subtopic_name_both_lines() {
        let mut builder = Qrels::builder(Origin::lines("qrels.txt"));
        builder.add_subtopic("q", "1", "d", 1.0, 1).unwrap();
        builder.add_subtopic("q", "2", "d", 2.0, 2).unwrap();
        builder.add_subtopic("q", "1", "d", 2.0, 3).unwrap();
        assert_eq!(
            builder.finish().unwrap_err().to_string(),
            "qrels.txt:3: query 'q', document 'd', subtopic '1': grade 2 here, but 1 at line 1; \
             one pair has one grade a subtopic"
        );
    }

    #[test]
    fn one_subtopic_for_all_rows_is_none() {
        let mut builder = Qrels::builder(Origin::lines("qrels.txt"));
        builder.add_subtopic("q", "Q0", "d", 1.0, 1).unwrap();
        builder.add_subtopic("p", "Q0", "d", 1.0, 2).unwrap();
        let (qrels, _) = builder.finish().unwrap();
        assert!(!qrels.has_subtopics());
        let q = qrels.queries().get("q").unwrap();
        assert_eq!(qrels.subtopic_grades(q, 0), []);
    }
}
