//! What a result rests on: the run card.

use serde_json::{Value, json};

use super::execute::{Executed, SystemOutcome};
use crate::task::Task;

/// The form of cards.
const SCHEMA: &str = "mrmr.run-card/1";

impl Executed {
    /// The card of what was done over a task: systems with all settings, steps with their keys and what they took.
    ///
    /// Unlike results, it depends on the clock, and on what was kept before.
    pub fn card(&self, task: &Task) -> Value {
        let steps: Vec<Value> = self
            .steps
            .iter()
            .map(|step| {
                json!({
                    "step": step.name,
                    "key": step.key,
                    "reused": step.is_reused,
                    "seconds": step.took.as_secs_f64(),
                })
            })
            .collect();
        json!({
            "schema": SCHEMA,
            "program": format!("mrmr-eval {}", env!("CARGO_PKG_VERSION")),
            "task": task.spec.name,
            "dataset": {
                "path": task.source.path,
                "split": task.source.split,
                "files": task.source.files,
                "hub": task.spec.hub,
                "revision": task.spec.revision,
            },
            "systems": self.systems.iter().map(system).collect::<Vec<Value>>(),
            "steps": steps,
        })
    }
}

fn system(system: &SystemOutcome) -> Value {
    let pairs = |pairs: &[(String, String)]| -> Value {
        let pairs = pairs.iter();
        pairs
            .map(|(name, value)| (name.clone(), json!(value)))
            .collect::<serde_json::Map<String, Value>>()
            .into()
    };
    json!({
        "name": system.name,
        "settings": pairs(&system.settings),
        "found": pairs(&system.outcome.found),
        "incomplete": system.outcome.incomplete,
    })
}
