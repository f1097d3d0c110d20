//! The steps of each system, one system after the other; what several need is one step.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::Arc;

use mrmr_core::{Error, Result, closest};
use mrmr_measures::Stage;

use super::bind;
use super::file::{BenchFile, SystemEntry};
use super::plan::{DEPTH, Plan, PlannedSystem, Step};
use super::step::{Context, Kept, Work};
use super::work::encode::EncodeWork;
use super::work::search::SearchWork;
use crate::index_spec::IndexSpec;
use crate::store::Key;

/// Makes a plan system by system.
pub(super) struct Planner<'a, 'f> {
    pub(super) plan: Plan<'a>,
    by_key: HashMap<Key, usize>,
    file: &'f BenchFile,
    /// Systems that others wait for.
    under_way: Vec<&'f str>,
}

impl<'a, 'f> Planner<'a, 'f> {
    pub(super) fn new(empty: Plan<'a>, file: &'f BenchFile) -> Self {
        Planner {
            plan: empty,
            by_key: HashMap::new(),
            file,
            under_way: Vec::new(),
        }
    }

    /// Plans a system once, and gives its place.
    pub(super) fn system(&mut self, entry: &'f SystemEntry) -> Result<usize> {
        let planned = self.plan.systems.iter();
        if let Some(at) = planned.clone().position(|system| system.name == entry.name) {
            return Ok(at);
        }
        if self.under_way.contains(&entry.name.as_str()) {
            let mut circle = self.under_way.clone();
            circle.push(&entry.name);
            return Err(Error::format(format!(
                "systems fuse one another in a circle: {}",
                circle.join(" -> ")
            )));
        }
        self.under_way.push(&entry.name);
        let planned = self
            .bound(entry)
            .map_err(|error| of_system(error, &entry.name))?;
        self.under_way.pop();
        self.plan.systems.push(planned);
        Ok(self.plan.systems.len() - 1)
    }

    fn bound(&mut self, entry: &'f SystemEntry) -> Result<PlannedSystem> {
        let depth = entry.depth.or(self.file.depth).unwrap_or(DEPTH);
        if depth == 0 {
            return Err(Error::format("depth is 0; expected at least 1"));
        }
        bind::check(entry)?;
        let mut system = PlannedSystem {
            name: entry.name.clone(),
            settings: Vec::new(),
            answers: 0,
            stages: Vec::new(),
            reranked: None,
            warnings: Vec::new(),
        };
        let expanded = self.expanded(entry, &mut system)?;
        system.answers = if let Some(path) = &entry.run {
            let work = bind::run_file(path, entry, &mut system)?;
            let key = work.key(&self.context());
            self.step(entry, "run", key, Vec::new(), Box::new(work))
        } else if let Some(fuse) = &entry.fuse {
            let mut needs = Vec::new();
            for name in &fuse.runs {
                let other = self.named(name, entry)?;
                let at = self.system(other)?;
                needs.push(self.plan.systems[at].answers);
            }
            let step = |need: &usize| self.plan.steps[*need].key;
            let keys: Vec<Key> = needs.iter().map(step).collect();
            let work = bind::fuse(fuse, depth, &mut system)?;
            match &fuse.tune {
                None => {
                    let key = work.key(&keys);
                    self.step(entry, "fuse", key, needs, Box::new(work))
                }
                Some(tune) => {
                    let main = &self.plan.context.inputs.task.spec.measure;
                    let work = bind::tune(fuse, tune, work, main, &mut system)?;
                    let key = work.key(&self.context(), &keys);
                    self.step(entry, "tune", key, needs, Box::new(work))
                }
            }
        } else if let Some(retrieve) = &entry.retrieve {
            match bind::words(retrieve, entry, depth, &mut system)? {
                Some(work) => {
                    let queries = expanded.map(|at| &self.plan.steps[at].key);
                    let key = work.key(&self.context(), queries);
                    let needs = expanded.into_iter().collect();
                    self.step(entry, "bm25", key, needs, Box::new(work))
                }
                None => {
                    let encoder = bind::encoder(entry, &mut system)?;
                    let search = bind::search(retrieve, entry, depth, &mut system)?;
                    self.vectors(entry, search, encoder, expanded, &mut system)?
                }
            }
        } else {
            return Err(Error::format("it has nothing that finds documents")
                .hint("give it retrieve, fuse or run"));
        };
        if let Some(rerank) = &entry.rerank {
            let first = system.answers;
            let work = bind::rerank(rerank, &mut system)?;
            system.reranked = NonZeroUsize::new(work.depth);
            let key = work.key(&self.context(), &self.plan.steps[first].key);
            system.answers = self.step(entry, "rerank", key, vec![first], Box::new(work));
            system.stages.push((Stage::Candidates, first));
            system.stages.push((Stage::Reranked, system.answers));
        }
        // A run is as deep as it is.
        if entry.run.is_none() {
            let depth = ("depth".to_owned(), depth.to_string());
            system.settings.push(depth);
        }
        if entry.drop_self {
            system
                .settings
                .push(("drop self".to_owned(), "yes".to_owned()));
        }
        Ok(system)
    }

    fn expanded(
        &mut self,
        entry: &SystemEntry,
        system: &mut PlannedSystem,
    ) -> Result<Option<usize>> {
        let Some(expand) = &entry.expand else {
            return Ok(None);
        };
        let context = self.context();
        let work = bind::expand(expand, &context, system)?;
        let key = work.key(&context);
        Ok(Some(self.step(
            entry,
            "expand",
            key,
            Vec::new(),
            Box::new(work),
        )))
    }

    /// Both sides to vectors, and the search; beside an approximate one the exact one, as its reference.
    fn vectors(
        &mut self,
        entry: &SystemEntry,
        search: SearchWork,
        encoder: Arc<super::encoder::BoundEncoder>,
        expanded: Option<usize>,
        system: &mut PlannedSystem,
    ) -> Result<usize> {
        let instruction = bind::instruction(&encoder, self.plan.context.inputs.task);
        if let Some(instruction) = &instruction {
            let told = format!("'{instruction}'");
            system.settings.push(("instruction".to_owned(), told));
        }
        let queries = EncodeWork {
            encoder: Arc::clone(&encoder),
            role: mrmr_models::Role::Query,
            instruction,
            is_expanded: expanded.is_some(),
        };
        let key = queries.key(&self.context(), expanded.map(|at| &self.plan.steps[at].key));
        let needs = expanded.into_iter().collect();
        let queries = self.step(entry, "encode queries", key, needs, Box::new(queries));
        let documents = EncodeWork {
            encoder,
            role: mrmr_models::Role::Document,
            instruction: None,
            is_expanded: false,
        };
        let key = documents.key(&self.context(), None);
        let documents = self.step(
            entry,
            "encode documents",
            key,
            Vec::new(),
            Box::new(documents),
        );
        let sides = [queries, documents];
        let is_approximate = search.index.is_approximate();
        if is_approximate {
            let exact = SearchWork {
                index: IndexSpec::Exact,
                ..search
            };
            let exact = self.search(entry, "exact search", exact, sides);
            system.stages.push((Stage::Exact, exact));
        }
        let found = self.search(entry, "search", search, sides);
        let stage = if is_approximate {
            Stage::Ann
        } else {
            Stage::Exact
        };
        system.stages.push((stage, found));
        Ok(found)
    }

    fn search(
        &mut self,
        entry: &SystemEntry,
        what: &str,
        work: SearchWork,
        sides: [usize; 2],
    ) -> usize {
        let keys = sides.map(|side| self.plan.steps[side].key);
        let key = work.key(&self.context(), [&keys[0], &keys[1]]);
        self.step(entry, what, key, sides.to_vec(), Box::new(work))
    }

    fn named(&self, name: &str, by: &SystemEntry) -> Result<&'f SystemEntry> {
        let names = self.file.systems.iter().map(|system| &*system.name);
        let found = self.file.systems.iter().find(|system| system.name == name);
        found.ok_or_else(|| {
            let others: Vec<&str> = names.clone().filter(|other| *other != by.name).collect();
            Error::format(format!(
                "it fuses the run of '{name}', which is no system of the file; there are {}",
                others.join(", ")
            ))
            .hint_maybe(closest(name, others).map(|near| format!("did you mean {near}?")))
        })
    }

    fn context(&self) -> Context<'_> {
        self.plan.context.with(&())
    }

    /// The step under a key, once for all systems that need it.
    fn step(
        &mut self,
        entry: &SystemEntry,
        what: &str,
        key: Key,
        needs: Vec<usize>,
        work: Box<dyn Work>,
    ) -> usize {
        if let Some(at) = self.by_key.get(&key) {
            return *at;
        }
        self.plan.steps.push(Step {
            name: format!("{}/{what}", entry.name),
            key,
            needs,
            work,
            is_forced: false,
            kept: Kept::Nothing,
        });
        let at = self.plan.steps.len() - 1;
        self.by_key.insert(key, at);
        at
    }
}

/// An error that says which system it is about.
fn of_system(error: Error, name: &str) -> Error {
    if error.message().starts_with("system '") {
        return error;
    }
    let mut told = Error::new(
        error.kind(),
        format!("system '{name}': {}", error.message()),
    );
    if let Some(place) = error.place() {
        told = told.at(place.clone());
    }
    error
        .hints()
        .iter()
        .fold(told, |told, hint| told.hint(hint))
}
