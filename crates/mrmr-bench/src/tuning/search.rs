//! The way to the best setting.

use std::collections::BTreeMap;
use std::sync::Arc;

use mrmr_core::{Event, Observer, Result};
use mrmr_measures::mean;
use rayon::prelude::*;

use super::space::{Setting, Space};
use super::values::Values;

/// Means closer than this share of the larger are equal: what rounding may do to one.
const ROUNDING: f64 = 1e-12;

/// Looks settings up, each once however many folds ask for it.
pub(super) struct Search<'a> {
    space: &'a Space,
    values: &'a Values<'a>,
    observer: &'a dyn Observer,
    known: BTreeMap<Setting, Arc<Vec<f64>>>,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        space: &'a Space,
        values: &'a Values<'a>,
        observer: &'a dyn Observer,
    ) -> Self {
        Search {
            space,
            values,
            observer,
            known: BTreeMap::new(),
        }
    }

    pub(super) fn start(&self, choices: usize) {
        self.observer.observe(Event::StepStarted {
            number: 1,
            of: 1,
            name: "tune",
            total: Some(choices as u64),
            unit: "choices",
        });
    }

    /// How many settings were looked at.
    pub(super) fn finish(&self) -> usize {
        self.observer.observe(Event::StepFinished);
        self.known.len()
    }

    /// The value of each query.
    pub(super) fn value_of(&mut self, setting: &Setting) -> Result<Arc<Vec<f64>>> {
        self.look_up(std::slice::from_ref(setting))?;
        Ok(Arc::clone(&self.known[setting]))
    }

    fn look_up(&mut self, settings: &[Setting]) -> Result<()> {
        let unknown = settings
            .iter()
            .filter(|setting| !self.known.contains_key(setting));
        let unknown: Vec<&Setting> = unknown.collect();
        let found = unknown
            .par_iter()
            .map(|setting| Ok(Arc::new(self.values.of(&self.space.spec(setting)?)?)))
            .collect::<Result<Vec<_>>>()?;
        let found: Vec<_> = unknown.into_iter().cloned().zip(found).collect();
        self.known.extend(found);
        Ok(())
    }

    /// The setting with the highest mean over these queries, the simplest of equal ones.
    pub(super) fn choose(&mut self, queries: &[usize]) -> Result<Setting> {
        let mut best = self.space.default_setting();
        if self.space.is_small() {
            best = self.best_of(best, self.space.all(), queries)?;
        } else {
            loop {
                let next = self.best_of(best.clone(), self.space.neighbours(&best), queries)?;
                if next == best {
                    break;
                }
                best = next;
            }
        }
        self.observer.observe(Event::Advanced(1));
        Ok(best)
    }

    /// The best of some settings, the simplest first, unless none is better than this one.
    fn best_of(
        &mut self,
        than: Setting,
        settings: Vec<Setting>,
        queries: &[usize],
    ) -> Result<Setting> {
        self.look_up(std::slice::from_ref(&than))?;
        self.look_up(&settings)?;
        let value = |setting: &Setting| {
            let values = &self.known[setting];
            mean(queries.iter().map(|at| values[*at]))
        };
        let mut best = (value(&than), than);
        for setting in settings {
            let own = value(&setting);
            if own > best.0 + ROUNDING * own.abs().max(best.0.abs()) {
                best = (own, setting);
            }
        }
        Ok(best.1)
    }
}
