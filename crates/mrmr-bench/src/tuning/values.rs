//! What a setting is worth, query by query.

use std::collections::BTreeMap;

use mrmr_core::{Ids, QueryId, Result, Run, ScorePrecision, TiePolicy, UnjudgedPolicy};
use mrmr_measures::Evaluator;
use mrmr_search::fusion::{Fused, FusionNotes, FusionSpec, JoinedRuns};

use super::space::{Setting, Space};

/// Fuses joined runs and measures the result.
pub(super) struct Values<'a> {
    runs: &'a JoinedRuns<'a>,
    evaluator: &'a Evaluator<'a>,
    measure_depth: Option<usize>,
}

impl<'a> Values<'a> {
    pub(super) fn new(runs: &'a JoinedRuns<'a>, evaluator: &'a Evaluator<'a>) -> Self {
        let policies = evaluator.policies();
        // Documents below the cutoff have no part in the measure, if they cannot tie with some above.
        let cuts = policies.ranking.ties == TiePolicy::Trec
            && policies.ranking.precision == ScorePrecision::F64
            && policies.unjudged == UnjudgedPolicy::NonRelevant;
        let cutoff = evaluator.cutoff().filter(|_| cuts);
        Values {
            runs,
            evaluator,
            measure_depth: cutoff,
        }
    }

    /// The value of each query, by the bytes of their ids.
    pub(super) fn of(&self, spec: &FusionSpec) -> Result<Vec<f64>> {
        let spec = FusionSpec {
            keep: self.measure_depth,
            ..spec.clone()
        };
        let fused = spec.fuse_joined(self.runs, "fused")?;
        let mut evaluation = self.evaluator.evaluate(&fused.run)?;
        Ok(evaluation.measures.swap_remove(0).values)
    }

    /// A run whose queries are each fused with a setting of their own.
    pub(super) fn assemble<'s>(
        &self,
        space: &Space,
        setting_of: impl Fn(&str) -> &'s Setting,
        name: &str,
    ) -> Result<Fused> {
        let mut notes = FusionNotes::default();
        let mut fused: BTreeMap<&Setting, Run> = BTreeMap::new();
        let mut tables: Option<Run> = None;
        let names: Ids<QueryId> = self.runs.queries().clone();
        for query in names.names() {
            let setting = setting_of(query);
            if !fused.contains_key(setting) {
                let own = space.spec(setting)?.fuse_joined(self.runs, name)?;
                notes.infinite = notes.infinite.max(own.notes.infinite);
                notes.lacking = own.notes.lacking;
                tables.get_or_insert_with(|| own.run.clone());
                fused.insert(setting, own.run);
            }
        }
        let (queries, documents) = match tables {
            Some(run) => (run.queries().clone(), run.documents().clone()),
            None => (Ids::new(), Ids::new()),
        };
        // All were fused from the same joined runs: their keys are the same.
        let lists = names.keys().map(|key| {
            let setting = setting_of(names.name(key));
            fused[setting].entries(key).to_vec()
        });
        let run = Run::from_lists(name, queries, documents, lists)?;
        Ok(Fused { run, notes })
    }
}
