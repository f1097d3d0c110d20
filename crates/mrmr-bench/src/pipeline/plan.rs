//! A file bound to the data of a task: which steps there are, and what of them is there already.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::Arc;

use mrmr_core::{Error, Observer, Result, closest};
use mrmr_measures::Stage;
use mrmr_models::CaptionSource;

use super::bind;
use super::file::{BenchFile, SystemEntry};
use super::step::{Context, Kept, Work};
use super::work::encode::EncodeWork;
use super::work::search::SearchWork;
use crate::candidates::Candidates;
use crate::index_spec::IndexSpec;
use crate::store::{Key, Store};
use crate::task::Task;

/// How many documents a system returns for a query unless it is said.
pub const DEPTH: usize = 1000;

/// What stands in a plan for a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepState {
    /// `SYSTEM/WHAT`: of the system that needed it first.
    pub name: String,
    /// Its key.
    pub key: String,
    /// The steps that it needs, by their names.
    pub needs: Vec<String>,
    /// What is done about it.
    pub action: Action,
}

/// What is done about a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// It is there, and is read.
    Reuse,
    /// It is made; so many of so many parts of it are there.
    Run(usize, usize),
    /// Nothing that is missing needs it.
    Skip,
}

pub(super) struct Step<'a> {
    pub(super) name: String,
    pub(super) key: Key,
    pub(super) needs: Vec<usize>,
    pub(super) work: Box<dyn Work + 'a>,
    pub(super) is_forced: bool,
    kept: Kept,
}

/// A system, with the steps that its answers come from.
pub(super) struct PlannedSystem {
    pub(super) name: String,
    pub(super) settings: Vec<(String, String)>,
    pub(super) answers: usize,
    pub(super) stages: Vec<(Stage, usize)>,
    pub(super) reranked: Option<NonZeroUsize>,
    pub(super) warnings: Vec<String>,
}

/// The steps of all systems over the data of a task.
pub struct Plan<'a> {
    pub(super) context: PlanContext<'a>,
    pub(super) steps: Vec<Step<'a>>,
    pub(super) systems: Vec<PlannedSystem>,
}

/// What a plan is made with.
#[derive(Clone, Copy)]
pub struct PlanInputs<'a> {
    /// The task, bound to its data.
    pub task: &'a Task,
    /// Captions of images.
    pub captions: &'a (dyn CaptionSource + Sync),
    /// Where what is done is kept.
    pub store: &'a Store,
    /// The systems that are wanted; all where there are none.
    pub only: &'a [String],
    /// Steps that are run again, and all that need them: `SYSTEM/WHAT`, a system, or what is done.
    pub force: &'a [String],
}

pub(super) struct PlanContext<'a> {
    inputs: PlanInputs<'a>,
    candidates: Option<Candidates>,
}

impl PlanContext<'_> {
    pub(super) fn with<'s>(&'s self, observer: &'s dyn Observer) -> Context<'s> {
        Context {
            task: self.inputs.task,
            candidates: self.candidates.as_ref(),
            captions: self.inputs.captions,
            store: self.inputs.store,
            observer,
        }
    }
}

impl<'a> Plan<'a> {
    /// Binds the systems of a file to a task. Files of models are hashed; none is loaded.
    ///
    /// # Errors
    /// If a system cannot be what it says, or a model or a file is not there.
    pub fn new(file: &BenchFile, inputs: PlanInputs<'a>) -> Result<Self> {
        let task = inputs.task;
        let candidates = Candidates::of(task.spec.candidates, &task.dataset)?;
        let mut planner = Planner {
            plan: Plan {
                context: PlanContext { inputs, candidates },
                steps: Vec::new(),
                systems: Vec::new(),
            },
            by_key: HashMap::new(),
            file,
            under_way: Vec::new(),
        };
        check_names(file, inputs.only)?;
        let wanted = file
            .systems
            .iter()
            .filter(|system| inputs.only.is_empty() || inputs.only.contains(&system.name));
        for system in wanted {
            planner.system(system)?;
        }
        let mut plan = planner.plan;
        // Systems that others fuse are planned before these: back to the order of the file.
        let place = |name: &str| file.systems.iter().position(|system| system.name == name);
        plan.systems.sort_by_key(|system| place(&system.name));
        plan.systems
            .retain(|system| inputs.only.is_empty() || inputs.only.contains(&system.name));
        plan.force(inputs.force)?;
        plan.look()?;
        Ok(plan)
    }

    /// The systems, in the order of the file.
    pub fn systems(&self) -> impl ExactSizeIterator<Item = (&str, &[(String, String)])> {
        let systems = self.systems.iter();
        systems.map(|system| (system.name.as_str(), system.settings.as_slice()))
    }

    /// What is done about each step, in the order in which they are run.
    pub fn steps(&self) -> Vec<StepState> {
        let needed = self.needed();
        let steps = self.steps.iter().zip(needed);
        steps
            .map(|(step, is_needed)| StepState {
                name: step.name.clone(),
                key: step.key.to_string(),
                needs: step
                    .needs
                    .iter()
                    .map(|need| self.steps[*need].name.clone())
                    .collect(),
                action: match (is_needed, step.is_forced, step.kept) {
                    (false, _, _) => Action::Skip,
                    (_, false, Kept::Whole) => Action::Reuse,
                    (_, false, Kept::Part(some, of)) => Action::Run(some, of),
                    (_, _, Kept::Part(_, of)) => Action::Run(0, of),
                    _ => Action::Run(0, 1),
                },
            })
            .collect()
    }

    /// Which steps must be read or made for the answers of all systems.
    fn needed(&self) -> Vec<bool> {
        let mut needed = vec![false; self.steps.len()];
        for system in &self.systems {
            needed[system.answers] = true;
            for (_, step) in &system.stages {
                needed[*step] = true;
            }
        }
        for at in (0..self.steps.len()).rev() {
            let step = &self.steps[at];
            if needed[at] && (step.is_forced || step.kept != Kept::Whole) {
                step.needs.iter().for_each(|need| needed[*need] = true);
            }
        }
        needed
    }

    fn force(&mut self, force: &[String]) -> Result<()> {
        for wanted in force {
            let is_meant = |name: &str| {
                let (system, what) = name.split_once('/').unwrap_or((name, ""));
                wanted == name || wanted == system || wanted == what
            };
            if !self.steps.iter().any(|step| is_meant(&step.name)) {
                let names: Vec<&str> = self.steps.iter().map(|step| &*step.name).collect();
                return Err(Error::usage(format!(
                    "there is no step '{wanted}' to force; there are {}",
                    names.join(", ")
                ))
                .hint_maybe(closest(wanted, names).map(|name| format!("did you mean {name}?"))));
            }
            for step in &mut self.steps {
                step.is_forced |= is_meant(&step.name);
            }
        }
        // What was made of something that is made again is made again.
        for at in 0..self.steps.len() {
            let forced = self.steps[at].needs.iter();
            let forced = forced.clone().any(|need| self.steps[*need].is_forced);
            self.steps[at].is_forced |= forced;
        }
        Ok(())
    }

    /// Looks up what is kept.
    fn look(&mut self) -> Result<()> {
        for at in 0..self.steps.len() {
            let step = &self.steps[at];
            self.steps[at].kept = step.work.kept(&step.key, &self.context.with(&()))?;
        }
        Ok(())
    }
}

fn check_names(file: &BenchFile, only: &[String]) -> Result<()> {
    let names: Vec<&str> = file.systems.iter().map(|system| &*system.name).collect();
    if names.is_empty() {
        return Err(Error::format("there is no [[system]] in the file")
            .hint("[[system]]\nname = \"bm25\"\nretrieve = { kind = \"bm25\" }"));
    }
    for (at, name) in names.iter().enumerate() {
        if name.is_empty() || name.contains(['/', '\\']) || name.contains(char::is_control) {
            return Err(Error::format(format!(
                "expected the name of a system without / and \\, found '{name}'"
            ))
            .hint("its results are files of that name"));
        }
        if names[..at].contains(name) {
            return Err(Error::format(format!("two systems are named '{name}'")));
        }
    }
    for wanted in only.iter().chain(&file.baseline) {
        if !names.contains(&wanted.as_str()) {
            return Err(Error::usage(format!(
                "there is no system '{wanted}' in the file; it has {}",
                names.join(", ")
            ))
            .hint_maybe(
                closest(wanted, names.iter().copied()).map(|name| format!("did you mean {name}?")),
            ));
        }
    }
    Ok(())
}

/// Makes a plan system by system.
struct Planner<'a, 'f> {
    plan: Plan<'a>,
    by_key: HashMap<Key, usize>,
    file: &'f BenchFile,
    /// Systems that others wait for.
    under_way: Vec<&'f str>,
}

impl<'f> Planner<'_, 'f> {
    /// Plans a system once, and gives its place.
    fn system(&mut self, entry: &'f SystemEntry) -> Result<usize> {
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
        system
            .settings
            .push(("depth".to_owned(), depth.to_string()));
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
