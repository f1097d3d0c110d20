//! What a pipeline loses on the way: stage by stage, and below the ceiling of its candidates.

mod runs;

use std::num::NonZeroUsize;

use mrmr_core::{Error, Result, Run, closest};

use crate::definition::Aggregate;
use crate::evaluation::MeasureValues;
use crate::evaluator::Evaluator;
use crate::mean::mean;
use crate::spec::MeasureSpec;

/// A stage of a pipeline, in the order in which they come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Exact search over the whole corpus.
    Exact,
    /// What the approximate index returned.
    Ann,
    /// What was handed to the reranker, in the order in which it came.
    Candidates,
    /// What the reranker made of it.
    Reranked,
}

impl Stage {
    /// All of them, in order.
    pub const ALL: &[Stage] = &[Stage::Exact, Stage::Ann, Stage::Candidates, Stage::Reranked];

    /// The name of each.
    pub const NAMES: &[&str] = &["exact", "ann", "candidates", "reranked"];

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

impl std::str::FromStr for Stage {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let known = Self::ALL.iter().find(|stage| stage.name() == text);
        known.copied().ok_or_else(|| {
            let near = closest(text, Self::NAMES.iter().copied());
            Error::usage(format!(
                "unknown stage '{text}'; expected {}",
                Self::NAMES.join(", ")
            ))
            .hint_maybe(near.map(|name| format!("did you mean {name}?")))
        })
    }
}

/// A pipeline's value at each stage, the ceiling of its candidates, and the queries behind each loss.
///
/// All means are over [`Waterfall::queries`], so that the changes from stage to stage add up.
#[derive(Clone, Debug, PartialEq)]
pub struct Waterfall {
    /// The measure.
    pub spec: MeasureSpec,
    /// The stages, in order; there are at least two.
    pub stages: Vec<StageValue>,
    /// The queries that count, by the bytes of their ids.
    pub queries: Vec<String>,
    /// Judged queries that a policy leaves out, by their bytes.
    pub left_out: Vec<String>,
    /// How many candidates a query has at most, where that was said.
    pub depth: Option<usize>,
    /// In how many queries documents with equal scores stand on both sides of that depth.
    pub tied_at_depth: usize,
    /// Whose documents the candidates are.
    pub candidates: Stage,
    /// The value of all relevant documents, the best first: what a perfect system reaches.
    pub ideal: f64,
    /// The value of the candidates in their best order: what a perfect reranker reaches.
    pub ceiling: f64,
    /// From the ideal to the ceiling: what the candidates lack.
    pub lacking: Change,
    /// From the ceiling to the reranked run, where there is one.
    pub below_ceiling: Option<Change>,
    /// Queries for which the reranked run has documents that are not among the candidates, by their bytes: their
    /// values may be above the ceiling.
    pub beyond_candidates: Vec<String>,
}

/// A stage and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct StageValue {
    /// The stage.
    pub stage: Stage,
    /// The run's name; that of the run before where the candidates are the first documents of it.
    pub run: String,
    /// The mean over the queries.
    pub value: f64,
    /// The change from the stage before; none of the first.
    pub change: Option<Change>,
}

/// The change between two values of each query.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The mean after less the mean before.
    pub difference: f64,
    /// The mean over all queries of what the lower ones lost.
    pub lost: f64,
    /// The mean over all queries of what the higher ones gained.
    pub gained: f64,
    /// The queries that are lower, by falling loss, then by the bytes of their ids.
    pub lower: Vec<QueryChange>,
    /// The queries that are higher, by falling gain, then by the bytes of their ids.
    pub higher: Vec<QueryChange>,
}

/// One query whose value changed.
#[derive(Clone, Debug, PartialEq)]
pub struct QueryChange {
    /// The query.
    pub query: String,
    /// The value before.
    pub before: f64,
    /// The value after.
    pub after: f64,
    /// The rank of the first relevant document before.
    pub first_relevant_before: Option<usize>,
    /// The rank of the first relevant document after.
    pub first_relevant_after: Option<usize>,
    /// The relevant documents that were retrieved before and are not after, in the order that is best.
    pub lost_documents: Vec<String>,
}

impl QueryChange {
    /// The value after less the value before.
    pub fn difference(&self) -> f64 {
        self.after - self.before
    }
}

/// A run with its values for the queries that count.
struct Measured<'a> {
    run: &'a Run,
    values: Vec<f64>,
}

impl Measured<'_> {
    fn mean(&self) -> f64 {
        mean(self.values.iter().copied())
    }

    /// Takes an order's value where that is higher, as it can be in the last bit: a sum that is added in another
    /// order.
    fn raise_to(&mut self, order: &Measured<'_>, may_be: impl Fn(usize) -> bool) {
        for (at, value) in self.values.iter_mut().enumerate() {
            if may_be(at) {
                *value = value.max(order.values[at]);
            }
        }
    }
}

impl Evaluator<'_> {
    /// Where a pipeline loses a measure's value.
    ///
    /// `stages` are two or more, each once, in any order. The candidates are those of their own stage, else the
    /// documents of the last stage before the reranked one, else of the last stage; of each query the first
    /// `depth` of them.
    ///
    /// ```
    /// use mrmr_core::{Origin, Qrels, Run};
    /// use mrmr_measures::{Evaluator, Policies, Stage};
    /// let mut judged = Qrels::builder(Origin::memory("qrels"));
    /// judged.add("q1", "d1", 1.0, 0)?;
    /// let (qrels, _) = judged.finish()?;
    /// let run = |name: &str, documents: [&str; 4]| -> mrmr_core::Result<Run> {
    ///     let mut answers = Run::builder(name, Origin::memory(name));
    ///     for (at, document) in documents.iter().enumerate() {
    ///         answers.add("q1", document, -(at as f64), at as u64)?;
    ///     }
    ///     Ok(answers.finish(Default::default())?.0)
    /// };
    /// let ann = run("hnsw", ["d7", "d8", "d9", "d1"])?;
    /// let reranked = run("reranker", ["d9", "d1", "d8", "d7"])?;
    ///
    /// let spec: mrmr_measures::MeasureSpec = "RR".parse()?;
    /// let evaluator = Evaluator::new(&qrels, vec![spec.clone()], Policies::default())?;
    /// let stages = [(Stage::Ann, &ann), (Stage::Reranked, &reranked)];
    /// let waterfall = evaluator.waterfall(&stages, &spec, None)?;
    /// assert_eq!((waterfall.stages[0].value, waterfall.stages[1].value), (0.25, 0.5));
    /// assert_eq!(waterfall.ceiling, 1.0);
    /// assert_eq!(waterfall.below_ceiling.map(|below| below.lost), Some(0.5));
    /// # Ok::<(), mrmr_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// If there are fewer than two stages or one twice; if a depth is given and no stage has candidates; if the
    /// measure is not one of the evaluator's, is no mean over queries, or is not decided by the order of the grades
    /// alone; if policies leave no query; and as [`Evaluator::evaluate`].
    pub fn waterfall(
        &self,
        stages: &[(Stage, &Run)],
        spec: &MeasureSpec,
        depth: Option<NonZeroUsize>,
    ) -> Result<Waterfall> {
        refuse_unordered(spec)?;
        let mut stages = stages.to_vec();
        stages.sort_by_key(|(stage, _)| *stage);
        if let Some(pair) = stages.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            let name = pair[0].0.name();
            return Err(Error::usage(format!("the stage {name} is given twice")));
        }
        let cut = depth
            .map(|depth| self.cut_candidates(&mut stages, depth.get()))
            .transpose()?;
        if let Some(cut) = &cut {
            place_candidates(&mut stages, &cut.run);
        }
        if stages.len() < 2 {
            return Err(
                Error::usage("a waterfall needs two stages or more").hint(format!(
                    "the stages are {}; a depth of candidates makes one too",
                    Stage::NAMES.join(", ")
                )),
            );
        }
        let before_reranker = stages.iter().rfind(|(stage, _)| *stage < Stage::Reranked);
        let (of, candidates) = before_reranker.map_or(stages[0], |found| *found);
        let best = self.best_order(candidates)?;
        let ideal = self.ideal(spec)?;

        let all: Vec<&Run> = stages.iter().map(|(_, run)| *run).collect();
        let all: Vec<&Run> = all.into_iter().chain([&best, &ideal]).collect();
        let (queries, left_out, mut measured) = self.measured_alike(&all, spec)?;
        let (Some(ideal), Some(mut best)) = (measured.pop(), measured.pop()) else {
            return Err(Error::usage("a waterfall needs two stages or more"));
        };
        let is_reranked = |(stage, _): &&(Stage, &Run)| *stage == Stage::Reranked;
        let reranked = stages.last().filter(is_reranked).and(measured.last());
        let beyond_candidates = reranked.map_or_else(Vec::new, |reranked| {
            runs::beyond(&queries, reranked.run, candidates)
        });
        let own = stages.iter().position(|(stage, _)| *stage == of);
        for order in own.map(|own| &measured[own]).into_iter().chain(reranked) {
            best.raise_to(order, |at| {
                beyond_candidates.binary_search(&queries[at]).is_err()
            });
        }
        let change = |before: &Measured<'_>, after: &Measured<'_>| {
            self.change(&queries, before, after, spec)
        };
        let mut values = Vec::with_capacity(stages.len());
        for (at, (stage, run)) in stages.iter().enumerate() {
            let before = at.checked_sub(1).map(|before| &measured[before]);
            values.push(StageValue {
                stage: *stage,
                run: run.name().to_owned(),
                value: measured[at].mean(),
                change: before
                    .map(|before| change(before, &measured[at]))
                    .transpose()?,
            });
        }
        let below_ceiling = reranked.map(|after| change(&best, after)).transpose()?;
        let lacking = change(&ideal, &best)?;
        Ok(Waterfall {
            spec: spec.clone(),
            stages: values,
            left_out,
            depth: depth.map(NonZeroUsize::get),
            tied_at_depth: cut.as_ref().map_or(0, |cut| cut.tied),
            candidates: of,
            ideal: ideal.mean(),
            ceiling: best.mean(),
            lacking,
            below_ceiling,
            beyond_candidates,
            queries,
        })
    }

    /// The values of runs for the queries that count in all of them, and those that do not.
    fn measured_alike<'r>(
        &self,
        all: &[&'r Run],
        spec: &MeasureSpec,
    ) -> Result<(Vec<String>, Vec<String>, Vec<Measured<'r>>)> {
        let mut evaluations = Vec::with_capacity(all.len());
        for run in all {
            evaluations.push(self.evaluate(run)?);
        }
        let counts = |query: &String| {
            let in_all = evaluations.iter();
            in_all
                .clone()
                .all(|evaluation| evaluation.queries.binary_search(query).is_ok())
        };
        let names = self.qrels().queries();
        let judged = names
            .sorted_keys()
            .into_iter()
            .map(|query| names.name(query).to_owned());
        let (queries, left_out): (Vec<String>, Vec<String>) = judged.partition(counts);
        if queries.is_empty() {
            return Err(Error::data(format!(
                "no query is left: {} judged queries are left out",
                left_out.len()
            ))
            .hint("--missing zero and --no-relevant zero count such queries 0"));
        }
        let mut measured = Vec::with_capacity(all.len());
        for (run, evaluation) in all.iter().zip(&evaluations) {
            let found: &MeasureValues = evaluation
                .measure(spec)
                .ok_or_else(|| Error::usage(format!("{spec} is not among the measures")))?;
            let places = queries
                .iter()
                .filter_map(|query| evaluation.queries.binary_search(query).ok());
            measured.push(Measured {
                run,
                values: places.map(|at| found.values[at]).collect(),
            });
        }
        Ok((queries, left_out, measured))
    }

    fn change(
        &self,
        queries: &[String],
        before: &Measured<'_>,
        after: &Measured<'_>,
        spec: &MeasureSpec,
    ) -> Result<Change> {
        let (mut lower, mut higher) = (Vec::new(), Vec::new());
        for ((query, old), new) in queries.iter().zip(&before.values).zip(&after.values) {
            if old == new {
                continue;
            }
            let was = self.explain(before.run, query, spec)?;
            let is = self.explain(after.run, query, spec)?;
            let lost = was
                .relevant()
                .filter(|judged| judged.rank.is_some() && is.rank_of(&judged.document).is_none());
            let found = QueryChange {
                query: query.clone(),
                before: *old,
                after: *new,
                first_relevant_before: was.first_relevant(),
                first_relevant_after: is.first_relevant(),
                lost_documents: lost.map(|judged| judged.document.clone()).collect(),
            };
            if new < old { &mut lower } else { &mut higher }.push(found);
        }
        let count = queries.len() as f64;
        let share = |changed: &[QueryChange]| {
            let changes = changed.iter().map(|query| query.difference().abs());
            crate::mean::sum(changes) / count
        };
        // Stable: queries of one difference stay in the order of their bytes.
        for changed in [&mut lower, &mut higher] {
            changed.sort_by(|a, b| f64::total_cmp(&b.difference().abs(), &a.difference().abs()));
        }
        Ok(Change {
            difference: after.mean() - before.mean(),
            lost: share(&lower),
            gained: share(&higher),
            lower,
            higher,
        })
    }
}

impl Waterfall {
    /// The value at the last stage.
    pub fn end(&self) -> f64 {
        self.stages.last().map_or(0.0, |stage| stage.value)
    }
}

/// Puts a run of candidates in the place of that stage.
fn place_candidates<'r>(stages: &mut Vec<(Stage, &'r Run)>, run: &'r Run) {
    stages.retain(|(stage, _)| *stage != Stage::Candidates);
    let at = stages.partition_point(|(stage, _)| *stage < Stage::Candidates);
    stages.insert(at, (Stage::Candidates, run));
}

/// Losses by query make up a mean alone, and a perfect reranker orders by grade.
fn refuse_unordered(spec: &MeasureSpec) -> Result<()> {
    let definition = spec.definition();
    if definition.aggregate != Aggregate::Mean {
        return Err(Error::usage(format!(
            "{spec} is no mean over queries: there is no share of it that a query loses"
        )));
    }
    if matches!(
        definition.name,
        "Judged" | "Unjudged" | "SetP" | "SetF" | "SetAP" | "alpha_nDCG" | "ERR_IA"
    ) {
        return Err(Error::usage(format!(
            "{spec} is not decided by the order of the grades alone: a perfect reranker has no ceiling by it"
        ))
        .hint("a measure of relevance by grade, such as RR@10 or nDCG@10"));
    }
    Ok(())
}
