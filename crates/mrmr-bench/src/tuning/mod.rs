//! The parameters of a fusion, found by judgements: what they are worth on queries that they were chosen without.
//!
//! ```
//! use mrmr_bench::tuning::{TuneOptions, tune};
//! use mrmr_core::{Origin, Qrels, Run};
//! // One system finds the relevant document of every query, the other never does.
//! let mut judged = Qrels::builder(Origin::memory("qrels"));
//! let mut good = Run::builder("good", Origin::memory("good"));
//! let mut bad = Run::builder("bad", Origin::memory("bad"));
//! for number in 0..20 {
//!     let query = format!("q{number}");
//!     judged.add(&query, "right", 1.0, number)?;
//!     for (document, of_good, of_bad) in [("right", 2.0, 1.0), ("wrong", 1.0, 2.0)] {
//!         good.add(&query, document, of_good, number)?;
//!         bad.add(&query, document, of_bad, number)?;
//!     }
//! }
//! let (qrels, _) = judged.finish()?;
//! let (good, bad) = (good.finish(Default::default())?.0, bad.finish(Default::default())?.0);
//!
//! let (method, measure) = ("wsum".parse()?, "RR@10".parse()?);
//! let tuned = tune(&qrels, &[&good, &bad], &method, &measure, &TuneOptions::default(), &())?;
//! assert_eq!(tuned.chosen.method.to_string(), "wsum(weights=0.6,0.4)"); // no further from equal than is of use
//! assert_eq!((tuned.held_out, tuned.untuned_value, tuned.single_value), (1.0, 0.5, 1.0));
//! # Ok::<(), mrmr_core::Error>(())
//! ```

mod folds;
mod outcome;
mod search;
mod space;
mod values;

use std::collections::BTreeMap;

use mrmr_core::{Error, MissingPolicy, Observer, Qrels, Result, Run};
use mrmr_measures::statistics::{Bootstrap, Comparison, Correction, PairedTest, SEED};
use mrmr_measures::{Aggregate, Evaluator, MeasureSpec, Policies, mean};
use mrmr_search::fusion::{FusionSpec, JoinedRuns, Method, Normalization};

pub use outcome::{FoldChoice, Tuned, describe};

use search::Search;
use space::{Setting, Space};
use values::Values;

/// How parameters are searched for.
#[derive(Clone, Debug)]
pub struct TuneOptions {
    /// How many parts the queries are split into; each is fused with parameters chosen by the others. 5 by default.
    pub folds: usize,
    /// Decides which query is in which part.
    pub seed: u64,
    /// Normalizations to choose from, the first being the simplest; the method's default where none is given.
    pub normalizations: Vec<Normalization>,
    /// Depths to choose from beside whole lists.
    pub depths: Vec<usize>,
    /// Queries that stay in one part, by the name of their group; others are on their own.
    pub groups: BTreeMap<String, String>,
    /// The assumptions of the measure; a query that a run lacks counts 0.
    pub policies: Policies,
    /// The test of the gain.
    pub test: PairedTest,
    /// The interval of the gain.
    pub bootstrap: Bootstrap,
    /// The corrected p value under which a gain is shown.
    pub alpha: f64,
}

impl Default for TuneOptions {
    fn default() -> Self {
        TuneOptions {
            folds: 5,
            seed: SEED,
            normalizations: Vec::new(),
            depths: Vec::new(),
            groups: BTreeMap::new(),
            policies: Policies::default(),
            test: PairedTest::default(),
            bootstrap: Bootstrap::default(),
            alpha: 0.05,
        }
    }
}

/// Chooses parameters of a method by a measure's mean, and measures the choice on queries that had no part in it.
///
/// Weights go in whole steps, tenths for two runs; all settings are looked at where they are 500 or fewer, else the
/// search goes from the default to the best neighbour as long as one is better. Of settings with one value the simplest
/// is chosen: the one nearest to the default.
///
/// # Errors
/// If the method is trained or has nothing to choose, its weights are given, the measure is no mean, or there are fewer
/// queries (or groups of them) than folds; see also [`Evaluator`] and
/// [`Fusion::fuse`](mrmr_search::fusion::Fusion::fuse).
pub fn tune(
    qrels: &Qrels,
    runs: &[&Run],
    method: &Method,
    measure: &MeasureSpec,
    options: &TuneOptions,
    observer: &dyn Observer,
) -> Result<Tuned> {
    if measure.definition().aggregate != Aggregate::Mean {
        return Err(Error::usage(format!(
            "parameters are chosen by the mean of a measure; {measure} has none"
        )));
    }
    let policies = Policies {
        missing: MissingPolicy::Zero,
        ..options.policies
    };
    let joined = JoinedRuns::new(runs)?;
    let space = Space::new(method, runs.len(), options)?;
    let evaluator = Evaluator::new(qrels, vec![measure.clone()], policies)?;
    let single = best_single(&evaluator, runs)?;
    let values = Values::new(&joined, &evaluator);
    let mut search = Search::new(&space, &values, observer);
    let untuned = search.value_of(&space.default_setting())?;

    let fold_of = folds::assign(&single.queries, options)?;
    let mut choices = Vec::new();
    let mut held_out = vec![0.0; single.queries.len()];
    search.start(options.folds + 1);
    for fold in 0..options.folds {
        let (inside, outside): (Vec<usize>, Vec<usize>) =
            (0..fold_of.len()).partition(|at| fold_of[*at] == fold);
        let setting = search.choose(&outside)?;
        let own = search.value_of(&setting)?;
        for at in &inside {
            held_out[*at] = own[*at];
        }
        choices.push((
            setting,
            FoldChoice {
                spec: FusionSpec::new(method.clone()),
                queries: inside.len(),
                chosen_by: mean(outside.iter().map(|at| own[*at])),
                held_out: mean(inside.iter().map(|at| own[*at])),
            },
        ));
    }
    let every: Vec<usize> = (0..fold_of.len()).collect();
    let chosen = search.choose(&every)?;
    let in_sample = mean(search.value_of(&chosen)?.iter().copied());
    let looked_at = search.finish();
    for (setting, choice) in &mut choices {
        choice.spec = space.spec(setting)?;
    }

    let compare =
        |baseline: &[f64]| Comparison::new(baseline, &held_out, options.test, &options.bootstrap);
    let mut comparisons = [compare(&single.values)?, compare(&untuned)?];
    Correction::default().apply(&mut comparisons);
    let [against_single, against_untuned] = comparisons;
    let settings: Vec<&Setting> = choices.iter().map(|(setting, _)| setting).collect();
    let place = |query: &str| {
        single
            .queries
            .binary_search_by(|own| own.as_str().cmp(query))
            .ok()
    };
    let setting_of = |query: &str| place(query).map_or(&chosen, |at| settings[fold_of[at]]);
    let fused = values.assemble(&space, setting_of, method.definition().name)?;
    let mut tuned = Tuned {
        measure: measure.clone(),
        runs: runs.iter().map(|run| run.name().to_owned()).collect(),
        chosen: space.spec(&chosen)?,
        in_sample,
        held_out: mean(held_out.iter().copied()),
        single: single.name,
        single_value: mean(single.values.iter().copied()),
        untuned: space.spec(&space.default_setting())?,
        untuned_value: mean(untuned.iter().copied()),
        against_single,
        against_untuned,
        folds: choices.into_iter().map(|(_, choice)| choice).collect(),
        settings: looked_at,
        exhaustive: space.is_small(),
        warnings: Vec::new(),
        run: fused.run,
        notes: fused.notes,
    };
    tuned.warnings = tuned.doubts(options.alpha);
    Ok(tuned)
}

/// The run with the highest mean, the first of equal ones.
struct Single {
    name: String,
    queries: Vec<String>,
    values: Vec<f64>,
}

fn best_single(evaluator: &Evaluator<'_>, runs: &[&Run]) -> Result<Single> {
    let mut best: Option<Single> = None;
    for run in runs {
        let mut evaluation = evaluator.evaluate(run)?;
        let values = evaluation.measures.swap_remove(0).values;
        let of = |values: &[f64]| mean(values.iter().copied());
        if best
            .as_ref()
            .is_none_or(|best| of(&values) > of(&best.values))
        {
            best = Some(Single {
                name: run.name().to_owned(),
                queries: evaluation.queries,
                values,
            });
        }
    }
    best.ok_or_else(|| Error::usage("there is no run to fuse"))
}
