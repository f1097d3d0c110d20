//! Measures bound to judgements, and the loop over queries.

use mrmr_core::{
    DocId, Error, Interned, MissingPolicy, NoRelevantPolicy, Qrels, QueryId, Ranking,
    RankingPolicy, Result, Run, ScorePrecision, TiePolicy, UnjudgedPolicy,
};

use crate::evaluation::{Coverage, Evaluation, MeasureValues, Policies, aggregate};
use crate::measure::{JudgedRanking, Measure, Ties};
use crate::overlap;
use crate::spec::MeasureSpec;
use crate::warning::Warning;

/// Where the values over tie orders differ by more than this, both are reported.
const TIE_SPREAD: f64 = 0.005;

/// How many ranks the unjudged share is reported for.
const TOP: usize = 10;

/// Measures bound to qrels and policies; evaluates any number of runs.
#[derive(Debug)]
pub struct Evaluator<'a> {
    qrels: &'a Qrels,
    queries: Vec<QueryId>,
    policies: Policies,
    measures: Vec<(MeasureSpec, Box<dyn Measure>)>,
}

impl<'a> Evaluator<'a> {
    /// Binds measures to qrels.
    ///
    /// # Errors
    /// If no measure is given, or the qrels hold no judgement.
    pub fn new(qrels: &'a Qrels, measures: Vec<MeasureSpec>, policies: Policies) -> Result<Self> {
        if measures.is_empty() {
            return Err(Error::usage("no measure is given"));
        }
        if qrels.is_empty() {
            return Err(Error::data("the qrels hold no judgement"));
        }
        let bind = |spec: MeasureSpec| {
            let measure = (spec.definition().bind)(&spec);
            (spec, measure)
        };
        Ok(Evaluator {
            qrels,
            queries: qrels.queries().sorted_keys(),
            policies,
            measures: measures.into_iter().map(bind).collect(),
        })
    }

    /// Measures a run.
    ///
    /// # Errors
    /// If the run has answers, but none for a judged query; if a judged query is missing and the
    /// policy forbids it; if a value is not finite.
    pub fn evaluate(&self, run: &Run) -> Result<Evaluation> {
        let names = self.qrels.queries();
        let common = |name: &str| names.get(name).is_some();
        if !run.queries().is_empty() && !run.queries().names().any(common) {
            return Err(overlap::no_common_query(run.queries(), names));
        }
        let mut scoring = Scoring::new(self, run);
        for query in &self.queries {
            scoring.query(*query)?;
        }
        Ok(scoring.finish())
    }
}

/// One evaluation under way.
struct Scoring<'a, 'r> {
    evaluator: &'a Evaluator<'a>,
    run: &'r Run,
    /// For each document of the run, its key in the qrels.
    documents: Vec<Option<DocId>>,
    coverage: Coverage,
    queries: Vec<String>,
    columns: Vec<Column>,
    tied: usize,
    all_equal: usize,
    precision: usize,
    any_judged: bool,
}

/// The values of one measure by query.
#[derive(Default)]
struct Column {
    values: Vec<f64>,
    averaged: Vec<f64>,
    lowest: Vec<f64>,
    highest: Vec<f64>,
    other: Vec<f64>,
    tied_at_cutoff: usize,
}

/// The grades of a ranking with its groups of ties, as [`JudgedRanking`] wants them.
struct Judged {
    grades: Vec<Option<f64>>,
    group_ends: Vec<usize>,
}

impl<'a, 'r> Scoring<'a, 'r> {
    fn new(evaluator: &'a Evaluator<'a>, run: &'r Run) -> Self {
        let judged = evaluator.qrels.documents();
        let mut extra: Vec<String> = run
            .queries()
            .names()
            .filter(|name| evaluator.qrels.queries().get(name).is_none())
            .map(str::to_owned)
            .collect();
        extra.sort_unstable();
        Scoring {
            evaluator,
            run,
            documents: run
                .documents()
                .names()
                .map(|name| judged.get(name))
                .collect(),
            coverage: Coverage {
                judged: evaluator.qrels.queries().len(),
                extra,
                ..Coverage::default()
            },
            queries: Vec::new(),
            columns: evaluator
                .measures
                .iter()
                .map(|_| Column::default())
                .collect(),
            tied: 0,
            all_equal: 0,
            precision: 0,
            any_judged: false,
        }
    }

    fn query(&mut self, query: QueryId) -> Result<()> {
        let Evaluator {
            qrels, policies, ..
        } = *self.evaluator;
        let name = qrels.queries().name(query);
        let asked = self.run.queries().get(name);
        let mut judged: Vec<f64> = qrels.judgements(query).iter().map(|j| j.grade).collect();
        judged.sort_unstable_by(|a, b| b.total_cmp(a));
        let hopeless = judged[0] <= 0.0;
        if hopeless {
            self.coverage.without_relevant.push(name.to_owned());
        }
        if asked.is_none() {
            if policies.missing == MissingPolicy::Error {
                return Err(Error::data(format!(
                    "query '{name}' is judged, but missing from run '{}'",
                    self.run.name()
                ))
                .hint("--missing zero counts it 0, --missing skip leaves it out"));
            }
            self.coverage.missing.push(name.to_owned());
        }
        let skipped = (asked.is_none() && policies.missing == MissingPolicy::Skip)
            || (hopeless && policies.no_relevant == NoRelevantPolicy::Skip);
        if skipped {
            return Ok(());
        }
        if asked.is_some_and(|asked| self.run.entries(asked).is_empty()) {
            self.coverage.empty.push(name.to_owned());
        }
        self.queries.push(name.to_owned());
        let ranking = asked.map(|asked| self.run.ranking(asked, policies.ranking));
        if let Some(ranking) = &ranking {
            self.look_at(ranking, query);
        }
        let as_ranked = self.judge(ranking.as_ref(), query);
        let other = ranking.as_ref().zip(asked).and_then(|(ranking, asked)| {
            let other = self.other_order(ranking, asked)?;
            Some(self.judge(Some(&other), query))
        });
        self.measure(name, &judged, &as_ranked, other.as_ref())
    }

    /// Counts ties and unjudged documents of a ranking.
    fn look_at(&mut self, ranking: &Ranking, query: QueryId) {
        let groups = ranking.tie_groups().len();
        self.tied += usize::from(groups < ranking.len());
        self.all_equal += usize::from(ranking.len() > 1 && groups == 1);
        let grades = self.grades(ranking, query);
        self.any_judged |= grades.iter().any(Option::is_some);
        let top = &grades[..grades.len().min(TOP)];
        self.coverage.top10 += top.len();
        self.coverage.top10_unjudged += top.iter().filter(|grade| grade.is_none()).count();
    }

    fn grades(&self, ranking: &Ranking, query: QueryId) -> Vec<Option<f64>> {
        let entries = ranking.entries().iter();
        entries
            .map(|entry| {
                let document = self.documents[entry.document.index()]?;
                self.evaluator.qrels.grade(query, document)
            })
            .collect()
    }

    fn judge(&self, ranking: Option<&Ranking>, query: QueryId) -> Judged {
        let Some(ranking) = ranking else {
            return Judged {
                grades: Vec::new(),
                group_ends: Vec::new(),
            };
        };
        let grades = self.grades(ranking, query);
        let mut group_ends: Vec<usize> = ranking.tie_groups().map(|group| group.end).collect();
        if self.evaluator.policies.unjudged == UnjudgedPolicy::NonRelevant {
            return Judged { grades, group_ends };
        }
        for end in &mut group_ends {
            *end = grades[..*end].iter().flatten().count();
        }
        group_ends.dedup();
        group_ends.retain(|end| *end > 0);
        Judged {
            grades: grades.into_iter().filter(Option::is_some).collect(),
            group_ends,
        }
    }

    /// The ranking in the other precision, where the two can differ.
    fn other_order(&mut self, ranking: &Ranking, asked: QueryId) -> Option<Ranking> {
        let policy = ranking.policy();
        let precision = match policy.precision {
            ScorePrecision::F64 => ScorePrecision::F32,
            ScorePrecision::F32 => ScorePrecision::F64,
        };
        let other = self.run.ranking(
            asked,
            RankingPolicy {
                precision,
                ..policy
            },
        );
        if other.tie_groups().len() == ranking.tie_groups().len() {
            return None;
        }
        self.precision += 1;
        Some(other)
    }

    fn measure(
        &mut self,
        name: &str,
        judged: &[f64],
        ranking: &Judged,
        other: Option<&Judged>,
    ) -> Result<()> {
        let main = JudgedRanking {
            grades: &ranking.grades,
            group_ends: &ranking.group_ends,
            judged,
        };
        let ties = match self.evaluator.policies.ranking.ties {
            TiePolicy::Expected => Ties::Averaged,
            _ => Ties::AsRanked,
        };
        let has_ties = ranking.group_ends.len() < ranking.grades.len();
        for ((spec, measure), column) in self.evaluator.measures.iter().zip(&mut self.columns) {
            let as_ranked = measure.value(&main, Ties::AsRanked);
            let (averaged, lowest, highest) = if has_ties {
                let (lowest, highest) = measure.extremes(&main);
                // Rounding must not lift a mean over what it is a mean of.
                let averaged = measure.value(&main, Ties::Averaged);
                (averaged.max(lowest).min(highest), lowest, highest)
            } else {
                (as_ranked, as_ranked, as_ranked)
            };
            let value = match ties {
                Ties::AsRanked => as_ranked,
                Ties::Averaged => averaged,
            };
            if !(value.is_finite() && lowest.is_finite() && highest.is_finite()) {
                return Err(Error::data(format!(
                    "{spec} of query '{name}' is {value}, not a finite number"
                ))
                .hint("are there very large grades in the qrels?"));
            }
            let other = other.map_or(value, |other| {
                let view = JudgedRanking {
                    grades: &other.grades,
                    group_ends: &other.group_ends,
                    judged,
                };
                measure.value(&view, ties)
            });
            column.values.push(value);
            column.averaged.push(averaged);
            column.lowest.push(lowest);
            column.highest.push(highest);
            column.other.push(other);
            if let Some(cutoff) = spec.cutoff() {
                let crosses = main.groups().any(|g| g.start < cutoff && cutoff < g.end);
                column.tied_at_cutoff += usize::from(crosses);
            }
        }
        Ok(())
    }

    fn finish(mut self) -> Evaluation {
        let columns = std::mem::take(&mut self.columns);
        let specs = self.evaluator.measures.iter().map(|(spec, _)| spec);
        let measures: Vec<MeasureValues> = specs
            .zip(columns)
            .map(|(spec, column)| MeasureValues {
                spec: spec.clone(),
                value: aggregate(spec, column.values.iter().copied()),
                tie_averaged: aggregate(spec, column.averaged.iter().copied()),
                lowest: aggregate(spec, column.lowest),
                highest: aggregate(spec, column.highest),
                other_precision: aggregate(spec, column.other),
                tied_at_cutoff: column.tied_at_cutoff,
                values: column.values,
                tie_averaged_values: column.averaged,
            })
            .collect();
        self.coverage.scored = self.queries.len();
        let warnings = self.warnings(&measures);
        Evaluation {
            run: self.run.name().to_owned(),
            policies: self.evaluator.policies,
            coverage: self.coverage,
            queries: self.queries,
            measures,
            tied_queries: self.tied,
            all_equal_queries: self.all_equal,
            precision_queries: self.precision,
            warnings,
        }
    }

    fn warnings(&self, measures: &[MeasureValues]) -> Vec<Warning> {
        let mut warnings = Vec::new();
        if self.run.is_empty() {
            warnings.push(Warning::EmptyRun);
        } else if !self.any_judged {
            warnings.push(Warning::NothingJudged {
                retrieved: overlap::sample(self.run.documents()),
                judged: overlap::sample(self.evaluator.qrels.documents()),
                guess: overlap::guess(self.run.documents(), self.evaluator.qrels.documents()),
            });
        }
        if !self.coverage.missing.is_empty() {
            warnings.push(Warning::MissingQueries {
                count: self.coverage.missing.len(),
                policy: self.evaluator.policies.missing,
            });
        }
        if self.all_equal > 0 {
            warnings.push(Warning::AllScoresEqual {
                queries: self.all_equal,
                of: self.queries.len(),
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
                    precision: match self.evaluator.policies.ranking.precision {
                        ScorePrecision::F64 => ScorePrecision::F32,
                        ScorePrecision::F32 => ScorePrecision::F64,
                    },
                });
            }
        }
        warnings
    }
}
