//! The loop over queries: one session a thread, joined at the end.

mod warnings;

use mrmr_core::{
    Error, Ids, Interned, MissingPolicy, NoRelevantPolicy, QueryId, Result, TiePolicy,
    UnjudgedPolicy,
};

use crate::evaluation::{Coverage, Evaluation, MeasureValues, aggregate};
use crate::evaluator::Evaluator;
use crate::lookup::Lookup;
use crate::mean::mean;
use crate::measure::{JudgedRanking, Ties};
use crate::ranker::{Found, Ranker, TieFacts, other};
use crate::ties::TieMethod;

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
/// let names: [&[u8]; 2] = [b"d7", b"d9"];
/// session.add("q1", &[0.3, 0.5], |place| names[place])?;
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
    sides: Vec<Side>,
    totals: Totals,
    retrieved_sample: Vec<String>,
}

/// What is known of a measure beside its values.
#[derive(Clone, Debug, Default)]
struct Side {
    averaged_by: TieMethod,
    extremes_by: TieMethod,
    /// One for each scored query, of a measure that has them.
    residuals: Vec<f64>,
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
    scored_answers: usize,
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
            sides: vec![Side::default(); evaluator.measures.len()],
            totals: Totals::default(),
            retrieved_sample: Vec::new(),
        }
    }

    /// Evaluates the answers to a query, in input order: their scores, and the id of each by its place.
    ///
    /// A query that is not judged is counted. No query may be added twice, and no id may stand twice
    /// in one query's answers: readers see to that.
    ///
    /// # Errors
    /// If a value is not finite.
    pub fn add<'n>(
        &mut self,
        query: &str,
        scores: &[f64],
        name: impl Fn(usize) -> &'n [u8] + Copy,
    ) -> Result<()> {
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
        self.totals.scored_answers += scores.len();
        self.find(key, scores.len(), name);
        let facts = self.ranker.load(scores, policies.ranking.precision);
        self.ranker.rank(&self.found, name, policies.ranking.ties);
        self.look_at(facts);
        let differs = facts.precision;
        if differs {
            let policy = other(policies.ranking);
            self.other.load(scores, policy.precision);
            self.other.rank(&self.found, name, policy.ties);
        }
        if policies.unjudged == UnjudgedPolicy::Drop {
            self.ranker.drop_unjudged();
            self.other.drop_unjudged();
        }
        self.measure(key, differs)
    }

    /// Looks up which of the documents are judged.
    fn find<'n>(&mut self, key: QueryId, count: usize, name: impl Fn(usize) -> &'n [u8]) {
        let qrels = self.evaluator.qrels;
        let judgements = qrels.judgements(key);
        self.lookup.fill(qrels, judgements);
        self.found.clear();
        for place in 0..count {
            if let Some(judgement) = self.lookup.get(qrels, judgements, name(place)) {
                self.found.push(Found {
                    place,
                    grade: judgements[judgement].grade,
                    judgement,
                });
            }
        }
        if self.retrieved_sample.is_empty() {
            let text = |place| String::from_utf8_lossy(name(place)).into_owned();
            self.retrieved_sample
                .extend((0..count.min(SHOWN)).map(text));
        }
    }

    fn look_at(&mut self, facts: TieFacts) {
        let ranking = self.ranker.ranking(QueryId::from_index(0), &[]);
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
        let ranking = self.ranker.ranking(query, judged);
        let other = differs.then(|| self.other.ranking(query, judged));
        let (cells, sides) = (&mut self.cells, &mut self.sides);
        self::cells(self.evaluator, ranking, other, cells, sides)
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
            for (all, next) in all.sides.iter_mut().zip(next.sides) {
                all.averaged_by = all.averaged_by.max(next.averaged_by);
                all.extremes_by = all.extremes_by.max(next.extremes_by);
                all.residuals.extend(next.residuals);
            }
            let (a, b) = (&mut all.totals, next.totals);
            a.tied += b.tied;
            a.all_equal += b.all_equal;
            a.precision += b.precision;
            a.top10 += b.top10;
            a.top10_unjudged += b.top10_unjudged;
            a.answers += b.answers;
            a.scored_answers += b.scored_answers;
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
        let mut absent_sides = vec![Side::default(); evaluator.measures.len()];
        let mut residuals: Vec<Vec<f64>> = vec![Vec::new(); evaluator.measures.len()];
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
                    cells.map(|start| {
                        let count = evaluator.measures.len();
                        for (all, side) in residuals.iter_mut().zip(&self.sides) {
                            all.extend(side.residuals.get(start / count));
                        }
                        &self.cells[start..start + count]
                    })
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
                                query,
                                retrieved: 0,
                                hits: &[],
                                groups: &[],
                                judged: evaluator.grades(query),
                            };
                            absent.clear();
                            absent_sides.iter_mut().for_each(|s| s.residuals.clear());
                            let (cells, sides) = (&mut absent, &mut absent_sides);
                            self::cells(evaluator, nothing, None, cells, sides)?;
                            for (all, side) in residuals.iter_mut().zip(&absent_sides) {
                                all.extend(&side.residuals);
                            }
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
        if queries.is_empty() {
            return Err(nothing_scored(&coverage));
        }
        let measures: Vec<MeasureValues> = columns
            .into_iter()
            .zip(residuals)
            .enumerate()
            .map(|(at, (column, residuals))| {
                let (spec, side) = (&evaluator.measures[at].0, &self.sides[at]);
                let all = |pick: fn(&Cell) -> f64| aggregate(spec, column.iter().map(pick));
                MeasureValues {
                    spec: spec.clone(),
                    value: all(|cell| cell.value),
                    tie_averaged: all(|cell| cell.averaged),
                    lowest: all(|cell| cell.lowest),
                    highest: all(|cell| cell.highest),
                    other_precision: all(|cell| cell.other),
                    averaged_by: side.averaged_by,
                    extremes_by: side.extremes_by,
                    parameters: evaluator.parameters[at].clone(),
                    residual: (!residuals.is_empty()).then(|| mean(residuals.iter().copied())),
                    tied_at_cutoff: self.tied_at_cutoff[at],
                    values: column.iter().map(|cell| cell.value).collect(),
                    tie_averaged_values: column.iter().map(|cell| cell.averaged).collect(),
                    residuals,
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
}

/// The values of every measure for one query, added to `cells`.
fn cells(
    evaluator: &Evaluator<'_>,
    ranking: JudgedRanking<'_>,
    other: Option<JudgedRanking<'_>>,
    cells: &mut Vec<Cell>,
    sides: &mut [Side],
) -> Result<()> {
    let ties = match evaluator.policies.ranking.ties {
        TiePolicy::Expected => Ties::Averaged,
        _ => Ties::AsRanked,
    };
    let has_ties = ranking.has_ties();
    for ((spec, measure), side) in evaluator.measures.iter().zip(sides) {
        let as_ranked = measure.as_ranked(&ranking);
        side.residuals.extend(measure.residual(&ranking, ties));
        let (averaged, lowest, highest) = if has_ties {
            let spread = measure.spread(&ranking);
            side.averaged_by = side.averaged_by.max(spread.averaged_by);
            side.extremes_by = side.extremes_by.max(spread.extremes_by);
            (spread.averaged, spread.lowest, spread.highest)
        } else {
            (as_ranked, as_ranked, as_ranked)
        };
        let value = match ties {
            Ties::AsRanked => as_ranked,
            Ties::Averaged => averaged,
        };
        if !(value.is_finite() && lowest.is_finite() && highest.is_finite()) {
            let name = evaluator.qrels.queries().name(ranking.query);
            return Err(Error::data(format!(
                "{spec} of query '{name}' is {value}, not a finite number"
            ))
            .hint("are there very large grades in the qrels?"));
        }
        // Adding 0 makes an empty sum, -0, a plain 0.
        cells.push(Cell {
            value: value + 0.0,
            averaged: averaged + 0.0,
            lowest: lowest + 0.0,
            highest: highest + 0.0,
            other: other.map_or(value, |other| measure.value(&other, ties)),
        });
    }
    Ok(())
}

/// There is no mean of nothing.
fn nothing_scored(coverage: &Coverage) -> Error {
    Error::data(format!(
        "no query is left to average over: of {} judged queries, {} are missing from the run and {} have no relevant document",
        coverage.judged,
        coverage.missing.len(),
        coverage.without_relevant.len()
    ))
    .hint("--missing zero and --no-relevant zero count such queries 0")
}

pub(crate) fn missing(query: &str, run: &str) -> Error {
    Error::data(format!(
        "query '{query}' is judged, but missing from run '{run}'"
    ))
    .hint("--missing zero counts it 0, --missing skip leaves it out")
}
