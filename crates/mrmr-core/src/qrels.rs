//! Judgements: which document has which grade for which query.

use crate::error::{Error, Origin, Result};
use crate::id::{DocId, Ids, Interned, QueryId};

/// The grade of one document for one query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judgement {
    /// The document, in [`Qrels::documents`].
    pub document: DocId,
    /// Finite; relevant from 1 on unless a measure says otherwise, unjudged is not 0 but absent.
    pub grade: f64,
}

/// The judgements of a set of queries.
#[derive(Clone, Debug)]
pub struct Qrels {
    queries: Ids<QueryId>,
    documents: Ids<DocId>,
    starts: Vec<usize>,
    judgements: Vec<Judgement>,
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
}

#[derive(Clone, Copy, Debug)]
struct Row {
    query: QueryId,
    document: DocId,
    grade: f64,
    number: u64,
}

impl QrelsBuilder {
    /// Adds a judgement that stands at `number` of the source.
    ///
    /// # Errors
    /// If the grade is not finite.
    pub fn add(&mut self, query: &str, document: &str, grade: f64, number: u64) -> Result<()> {
        if !grade.is_finite() {
            return Err(Error::format(format!(
                "query '{query}', document '{document}': expected a finite grade, found {grade}"
            ))
            .at(self.origin.place(number)));
        }
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
    /// If one pair of query and document has two grades; both entries are named.
    pub fn finish(mut self) -> Result<(Qrels, QrelsNotes)> {
        self.rows
            .sort_unstable_by_key(|row| (row.query, row.document, row.number));
        let mut notes = QrelsNotes::default();
        for pair in self.rows.windows(2) {
            let [a, b] = pair else { continue };
            if (a.query, a.document) == (b.query, b.document) {
                if a.grade != b.grade {
                    return Err(Error::data(format!(
                        "query '{}', document '{}': grade {} here, but {} at {}; one pair has one grade",
                        self.queries.name(b.query),
                        self.documents.name(b.document),
                        b.grade,
                        a.grade,
                        self.origin.entry(a.number),
                    ))
                    .at(self.origin.place(b.number)));
                }
                notes.identical_rows += 1;
            }
        }
        self.rows.dedup_by_key(|row| (row.query, row.document));

        let mut counts = vec![0usize; self.queries.len()];
        for row in &self.rows {
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
        let judgements = self
            .rows
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
}
