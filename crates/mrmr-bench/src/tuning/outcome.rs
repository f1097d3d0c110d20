//! What tuning found.

use std::collections::BTreeSet;

use mrmr_core::Run;
use mrmr_measures::MeasureSpec;
use mrmr_measures::statistics::{Comparison, Subject};
use mrmr_search::fusion::{FusionNotes, FusionSpec, Reads};

/// A fusion with parameters chosen by judgements.
#[derive(Clone, Debug)]
pub struct Tuned {
    /// The measure that was made as high as possible.
    pub measure: MeasureSpec,
    /// The names of the runs.
    pub runs: Vec<String>,
    /// What all queries together choose: for queries to come.
    pub chosen: FusionSpec,
    /// Its mean over the queries that chose it: higher than what queries to come will see.
    pub in_sample: f64,
    /// The mean over all queries, each fused with what the other folds chose.
    pub held_out: f64,
    /// The run with the highest mean of those that were fused; chosen with all queries in sight.
    pub single: String,
    /// Its mean.
    pub single_value: f64,
    /// The fusion without any choice.
    pub untuned: FusionSpec,
    /// Its mean.
    pub untuned_value: f64,
    /// The held-out values against the best single run, corrected with the other.
    pub against_single: Comparison,
    /// The held-out values against the fusion without any choice, corrected with the other.
    pub against_untuned: Comparison,
    /// What each fold was fused with.
    pub folds: Vec<FoldChoice>,
    /// How many settings were looked at.
    pub settings: usize,
    /// Whether these are all there are.
    pub exhaustive: bool,
    /// What speaks against the use of it, a sentence each.
    pub warnings: Vec<String>,
    /// The held-out run; queries without a judgement are fused with [`Tuned::chosen`].
    pub run: Run,
    /// What was accepted on the way.
    pub notes: FusionNotes,
}

/// What one fold was fused with.
#[derive(Clone, Debug, PartialEq)]
pub struct FoldChoice {
    /// What the other folds chose.
    pub spec: FusionSpec,
    /// How many queries the fold has.
    pub queries: usize,
    /// The mean over the queries that chose.
    pub chosen_by: f64,
    /// The mean over the queries of the fold.
    pub held_out: f64,
}

impl Tuned {
    /// What the gain comes to against both, a sentence each.
    pub fn verdicts(&self, alpha: f64) -> [String; 2] {
        let measure = self.measure.to_string();
        let sentence = |comparison: &Comparison, baseline: &str| {
            let run = "the tuned fusion (held out)";
            let subject = Subject {
                measure: &measure,
                baseline,
                run,
            };
            comparison.verdict(&subject, alpha)
        };
        [
            sentence(&self.against_single, &self.single),
            sentence(&self.against_untuned, &describe(&self.untuned)),
        ]
    }

    pub(super) fn doubts(&self, alpha: f64) -> Vec<String> {
        let mut doubts = Vec::new();
        let is_gain = |comparison: &Comparison| {
            comparison.is_significant(alpha) && comparison.difference > 0.0
        };
        for (comparison, baseline) in [
            (&self.against_single, self.single.clone()),
            (
                &self.against_untuned,
                format!("{} as it is", describe(&self.untuned)),
            ),
        ] {
            if !is_gain(comparison) {
                doubts.push(format!(
                    "a gain over {baseline} is not shown: {:+.4} on held-out queries ({:.0}% interval {:+.4} to {:+.4}, p = {:.4})",
                    comparison.difference,
                    comparison.interval.level * 100.0,
                    comparison.interval.low,
                    comparison.interval.high,
                    comparison.adjusted_p
                ));
            }
        }
        let chosen: BTreeSet<String> = self.folds.iter().map(|fold| describe(&fold.spec)).collect();
        if chosen.len() > 1 {
            let all: Vec<String> = chosen.iter().cloned().collect();
            doubts.push(format!(
                "the {} folds choose {} different settings: {}",
                self.folds.len(),
                chosen.len(),
                all.join("; ")
            ));
        }
        doubts
    }

    /// The chosen parameters as the `fuse` table of a system, in TOML.
    pub fn to_toml(&self) -> String {
        // What JSON escapes in a string, TOML reads as well.
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        let runs: Vec<String> = self.runs.iter().map(|run| quoted(run)).collect();
        let method = &self.chosen.method;
        let mut text = format!(
            "[fuse]\nruns = [{}]\nmethod = {}\n",
            runs.join(", "),
            quoted(method.definition().name)
        );
        for (name, value) in method.given() {
            text += &match name {
                "weights" => format!("{name} = [{}]\n", value.replace(',', ", ")),
                _ => format!("{name} = {value}\n"),
            };
        }
        if method.definition().reads != Reads::Ranks {
            text += &format!("norm = {}\n", quoted(self.chosen.normalization.name()));
        }
        if let Some(depth) = self.chosen.depth {
            text += &format!("depth = {depth}\n");
        }
        text
    }
}

/// The method with what is said beside it: `wsum(weights=0.3,0.7), min-max, depth 100`.
pub fn describe(spec: &FusionSpec) -> String {
    let mut text = spec.method.to_string();
    if spec.method.definition().reads != Reads::Ranks {
        text += &format!(", {}", spec.normalization);
    }
    if let Some(depth) = spec.depth {
        text += &format!(", depth {depth}");
    }
    text
}
