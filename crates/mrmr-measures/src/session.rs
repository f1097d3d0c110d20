//! The loop over queries: one session a thread, joined at the end.

use mrmr_core::{
    Error, Ids, Interned, MissingPolicy, NoRelevantPolicy, QueryId, Result, ScorePrecision,
    TiePolicy, UnjudgedPolicy,
};

use crate::evaluation::{Coverage, Evaluation, MeasureValues, aggregate};
use crate::evaluator::Evaluator;
use crate::lookup::Lookup;
use crate::measure::{JudgedRanking, Ties};
use crate::overlap;
use crate::ranker::{Found, Ranker, TieFacts, other};
use crate::warning::Warning;

/// Where the values over tie orders differ by more than this, both are reported.
const TIE_SPREAD: f64 = 0.005;

/// How many ranks the unjudged share is reported for.
const TOP: usize = 10;

/// How many ids of documents a warning shows.
const SHOWN: usize = 3;

/// Evaluates queries as they come, in any order, each of them once.
///
/// ```
/// use mrmr_core::{Origin, Qrels};
/// use mrmr_measures::{Evaluator, Policies, Session};
/// let mut judged = Qrels::builder(Origin::memory("qrels"));
/// judged.add("q1", "d7", 1.0, 0)?;
/// let (qrels, _) = judged.finish()?;
/// let evaluator = Evaluator::new(&qrels, vec!["RR".parse()?], Policies::default())?;
///
/// let mut session = Session::new(&evaluator);
/// session.add("q1", &[0.3, 0.5], &["d7", "d9"])?;
/// let evaluation = evaluator.finish("mine", vec![session])?;
/// assert_eq!(evaluation.measures[0].value, 0.5);
/// # Ok::<(), mrmr_core::Error>(())
/// ```
#[derive(Debug)]
pub struct Session<'a> {
    evaluator: &'a Evaluator<'a>,
    lookup: Lookup,
    ranker: Ranker,
    other: Ranker,
    found: Vec<Found>,
    rows: Vec<Row>,
    /// Five values a measure, for each of `rows`: see [`Cell`].
    cells: Vec<Cell>,
    extra: Vec<String>,
    tied_at_cutoff: Vec<usize>,
    totals: Totals,
    retrieved_sample: Vec<String>,
}

/// What is counted over queries.
#[derive(Clone, Copy, Debug, Default)]
struct Totals {
    tied: usize,
    all_equal: usize,
    precision: usize,
    top10: usize,
    top10_unjudged: usize,
    answers: usize,
    any_judged: bool,
}

/// A query that the run has, and that is judged.
#[derive(Clone, Copy, Debug)]
struct Row {
    query: QueryId,
    empty: bool,
    scored: bool,
}

/// One measure's values for one query.
#[derive(Clone, Copy, Debug)]
struct Cell {
    value: f64,
    averaged: f64,
    lowest: f64,
    highest: f64,
    other: f64,
}

impl<'a> Session<'a> {
    /// A session without queries.
    pub fn new(evaluator: &'a Evaluator<'a>) -> Self {
        Session {
            evaluator,
            lookup: Lookup::default(),
            ranker: Ranker::default(),
            other: Ranker::default(),
            found: Vec::new(),
            rows: Vec::new(),
            cells: Vec::new(),
            extra: Vec::new(),
            tied_at_cutoff: vec![0; evaluator.measures.len()],
            totals: Totals::default(),
            retrieved_sample: Vec::new(),
        }
    }

    /// Evaluates the answers to a query: a score and an id each, in input order.
    ///
    /// A query that is not judged is counted. No query may be added twice, and no id may stand twice
    /// in one query's answers: readers see to that.
    ///
    /// # Errors
    /// If a value is not finite.
    pub fn add<N: AsRef<[u8]>>(&mut self, query: &str, scores: &[f64], names: &[N]) -> Result<()> {
        let Evaluator {
            qrels, policies, ..
        } = *self.evaluator;
        self.totals.answers += scores.len();
        let Some(key) = qrels.queries().get(query) else {
            self.extra.push(query.to_owned());
            return Ok(());
        };
        let hopeless = self.evaluator.grades(key)[0] <= 0.0;
        let scored = !(hopeless && policies.no_relevant == NoRelevantPolicy::Skip);
        self.rows.push(Row {
            query: key,
            empty: scores.is_empty(),
            scored,
        });
        if !scored {
            return Ok(());
        }
        self.find(key, names);
        let facts = self.ranker.load(scores, policies.ranking.precision);
        self.ranker.rank(&self.found, names, policies.ranking.ties);
        self.look_at(facts);
        let differs = facts.precision;
        if differs {
            let policy = other(policies.ranking);
            self.other.load(scores, policy.precision);
            self.other.rank(&self.found, names, policy.ties);
        }
        if policies.unjudged == UnjudgedPolicy::Drop {
            self.ranker.drop_unjudged();
            self.other.drop_unjudged();
        }
        self.measure(key, differs)
    }

    /// Looks up which of the documents are judged.
    fn find<N: AsRef<[u8]>>(&mut self, key: QueryId, names: &[N]) {
        let qrels = self.evaluator.qrels;
        let judgements = qrels.judgements(key);
        self.lookup.fill(qrels, judgements);
        self.found.clear();
        for (place, name) in names.iter().enumerate() {
            if let Some(judgement) = self.lookup.get(qrels, judgements, name.as_ref()) {
                self.found.push(Found {
                    place,
                    grade: judgements[judgement].grade,
                    judgement,
                });
            }
        }
        if self.retrieved_sample.is_empty() {
            let first = names.iter().take(SHOWN);
            let text = |name: &N| String::from_utf8_lossy(name.as_ref()).into_owned();
            self.retrieved_sample.extend(first.map(text));
        }
    }

    fn look_at(&mut self, facts: TieFacts) {
        let ranking = self.ranker.ranking(&[]);
        let top = ranking.retrieved.min(TOP);
        self.totals.tied += usize::from(facts.any);
        self.totals.all_equal += usize::from(facts.all);
        self.totals.precision += usize::from(facts.precision);
        self.totals.any_judged |= !ranking.hits.is_empty();
        self.totals.top10 += top;
        self.totals.top10_unjudged += top - ranking.top(TOP).len();
        for ((spec, _), tied) in self.evaluator.measures.iter().zip(&mut self.tied_at_cutoff) {
            let across = spec
                .cutoff()
                .is_some_and(|cutoff| self.ranker.ties_across(cutoff));
            *tied += usize::from(across);
        }
    }

    fn measure(&mut self, query: QueryId, differs: bool) -> Result<()> {
        let judged = self.evaluator.grades(query);
        let ranking = self.ranker.ranking(judged);
        let other = differs.then(|| self.other.ranking(judged));
        cells(self.evaluator, query, ranking, other, &mut self.cells)
    }

    /// One session of several; none of none.
    pub(crate) fn join(sessions: Vec<Session<'a>>) -> Option<Session<'a>> {
        sessions.into_iter().reduce(|mut all, next| {
            all.rows.extend(next.rows);
            all.cells.extend(next.cells);
            all.extra.extend(next.extra);
            for (all, next) in all.tied_at_cutoff.iter_mut().zip(next.tied_at_cutoff) {
                *all += next;
            }
            let (a, b) = (&mut all.totals, next.totals);
            a.tied += b.tied;
            a.all_equal += b.all_equal;
            a.precision += b.precision;
            a.top10 += b.top10;
            a.top10_unjudged += b.top10_unjudged;
            a.answers += b.answers;
            a.any_judged |= b.any_judged;
            if all.retrieved_sample.is_empty() {
                all.retrieved_sample = next.retrieved_sample;
            }
            all
        })
    }

    /// Whether the run has queries, and none of them is judged.
    pub(crate) fn nothing_in_common(&self) -> bool {
        self.rows.is_empty() && !self.extra.is_empty()
    }

    /// The first queries that are not judged.
    pub(crate) fn extra_sample(&self) -> Vec<String> {
        self.extra.iter().take(SHOWN).cloned().collect()
    }

    /// The queries that are not judged.
    pub(crate) fn extra_ids(&self) -> Ids<QueryId> {
        self.extra.iter().collect()
    }

    /// What the queries of this session make of a run.
    pub(crate) fn evaluation(mut self, run: &str) -> Result<Evaluation> {
        let evaluator = self.evaluator;
        let Evaluator {
            qrels, policies, ..
        } = *evaluator;
        let names = qrels.queries();
        let mut place = vec![None; names.len()];
        let mut next_cells = 0;
        for row in &self.rows {
            let cells = row.scored.then_some(next_cells);
            next_cells += if row.scored {
                evaluator.measures.len()
            } else {
                0
            };
            place[row.query.index()] = Some((*row, cells));
        }
        self.extra.sort_unstable();
        let mut coverage = Coverage {
            judged: names.len(),
            extra: std::mem::take(&mut self.extra),
            top10: self.totals.top10,
            top10_unjudged: self.totals.top10_unjudged,
            ..Coverage::default()
        };
        let mut queries = Vec::new();
        let mut columns: Vec<Vec<Cell>> = vec![Vec::new(); evaluator.measures.len()];
        let mut absent = Vec::new();
        for query in names.sorted_keys() {
            let name = || names.name(query).to_owned();
            let hopeless = evaluator.grades(query)[0] <= 0.0;
            if hopeless {
                coverage.without_relevant.push(name());
            }
            let cells = match place[query.index()] {
                Some((row, cells)) => {
                    if row.empty && row.scored {
                        coverage.empty.push(name());
                    }
                    cells.map(|start| &self.cells[start..start + evaluator.measures.len()])
                }
                None => {
                    coverage.missing.push(name());
                    match policies.missing {
                        MissingPolicy::Error => return Err(missing(&name(), run)),
                        MissingPolicy::Skip => None,
                        MissingPolicy::Zero
                            if hopeless && policies.no_relevant == NoRelevantPolicy::Skip =>
                        {
                            None
                        }
                        MissingPolicy::Zero => {
                            let nothing = JudgedRanking {
                                retrieved: 0,
                                hits: &[],
                                groups: &[],
                                judged: evaluator.grades(query),
                            };
                            absent.clear();
                            self::cells(evaluator, query, nothing, None, &mut absent)?;
                            Some(&absent[..])
                        }
                    }
                }
            };
            if let Some(cells) = cells {
                queries.push(name());
                for (column, cell) in columns.iter_mut().zip(cells) {
                    column.push(*cell);
                }
            }
        }
        coverage.scored = queries.len();
        let measures: Vec<MeasureValues> = evaluator
            .measures
            .iter()
            .zip(columns)
            .zip(&self.tied_at_cutoff)
            .map(|(((spec, _), column), tied_at_cutoff)| {
                let all = |pick: fn(&Cell) -> f64| aggregate(spec, column.iter().map(pick));
                MeasureValues {
                    spec: spec.clone(),
                    value: all(|cell| cell.value),
                    tie_averaged: all(|cell| cell.averaged),
                    lowest: all(|cell| cell.lowest),
                    highest: all(|cell| cell.highest),
                    other_precision: all(|cell| cell.other),
                    tied_at_cutoff: *tied_at_cutoff,
                    values: column.iter().map(|cell| cell.value).collect(),
                    tie_averaged_values: column.iter().map(|cell| cell.averaged).collect(),
                }
            })
            .collect();
        let warnings = self.warnings(&coverage, &measures);
        Ok(Evaluation {
            run: run.to_owned(),
            policies,
            coverage,
            queries,
            measures,
            tied_queries: self.totals.tied,
            all_equal_queries: self.totals.all_equal,
            precision_queries: self.totals.precision,
            warnings,
        })
    }

    fn warnings(&self, coverage: &Coverage, measures: &[MeasureValues]) -> Vec<Warning> {
        let qrels = self.evaluator.qrels;
        let policies = self.evaluator.policies;
        let mut warnings = Vec::new();
        if self.totals.answers == 0 {
            warnings.push(Warning::EmptyRun);
        } else if !self.totals.any_judged {
            let retrieved: Ids<mrmr_core::DocId> = self.retrieved_sample.iter().collect();
            warnings.push(Warning::NothingJudged {
                retrieved: self.retrieved_sample.clone(),
                judged: overlap::sample(qrels.documents()),
                guess: overlap::guess(&retrieved, qrels.documents()),
            });
        }
        if !coverage.missing.is_empty() {
            warnings.push(Warning::MissingQueries {
                count: coverage.missing.len(),
                policy: policies.missing,
            });
        }
        if self.totals.all_equal > 0 {
            warnings.push(Warning::AllScoresEqual {
                queries: self.totals.all_equal,
                of: coverage.scored,
            });
        }
        for measure in measures {
            if measure.highest - measure.lowest > TIE_SPREAD {
                warnings.push(Warning::TieSensitive {
                    measure: measure.spec.to_string(),
                    lowest: measure.lowest,
                    highest: measure.highest,
                    averaged: measure.tie_averaged,
                });
            }
        }
        for measure in measures {
            if measure.other_precision != measure.value {
                warnings.push(Warning::PrecisionSensitive {
                    measure: measure.spec.to_string(),
                    value: measure.value,
                    other: measure.other_precision,
                    precision: match policies.ranking.precision {
                        ScorePrecision::F64 => ScorePrecision::F32,
                        ScorePrecision::F32 => ScorePrecision::F64,
                    },
                });
            }
        }
        warnings
    }
}

/// The values of every measure for one query, added to `cells`.
fn cells(
    evaluator: &Evaluator<'_>,
    query: QueryId,
    ranking: JudgedRanking<'_>,
    other: Option<JudgedRanking<'_>>,
    cells: &mut Vec<Cell>,
) -> Result<()> {
    let ties = match evaluator.policies.ranking.ties {
        TiePolicy::Expected => Ties::Averaged,
        _ => Ties::AsRanked,
    };
    let has_ties = ranking.has_ties();
    for (spec, measure) in &evaluator.measures {
        let as_ranked = measure.value(&ranking, Ties::AsRanked);
        let (averaged, lowest, highest) = if has_ties {
            let (lowest, highest) = measure.extremes(&ranking);
            // Rounding must not lift a mean over what it is a mean of.
            let averaged = measure.value(&ranking, Ties::Averaged);
            (averaged.max(lowest).min(highest), lowest, highest)
        } else {
            (as_ranked, as_ranked, as_ranked)
        };
        let value = match ties {
            Ties::AsRanked => as_ranked,
            Ties::Averaged => averaged,
        };
        if !(value.is_finite() && lowest.is_finite() && highest.is_finite()) {
            let name = evaluator.qrels.queries().name(query);
            return Err(Error::data(format!(
                "{spec} of query '{name}' is {value}, not a finite number"
            ))
            .hint("are there very large grades in the qrels?"));
        }
        cells.push(Cell {
            value,
            averaged,
            lowest,
            highest,
            other: other.map_or(value, |other| measure.value(&other, ties)),
        });
    }
    Ok(())
}

fn missing(query: &str, run: &str) -> Error {
    Error::data(format!(
        "query '{query}' is judged, but missing from run '{run}'"
    ))
    .hint("--missing zero counts it 0, --missing skip leaves it out")
}
