//! A file bound to the data of a task: which steps there are, and what of them is there already.

use std::num::NonZeroUsize;

use mrmr_core::{Error, Observer, Result, closest};
use mrmr_measures::Stage;
use mrmr_models::CaptionSource;

use super::file::BenchFile;
use super::planner::Planner;
use super::step::{Context, Kept, Work};
use crate::candidates::Candidates;
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
    pub(super) kept: Kept,
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
    pub(super) inputs: PlanInputs<'a>,
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
        let empty = Plan {
            context: PlanContext { inputs, candidates },
            steps: Vec::new(),
            systems: Vec::new(),
        };
        let mut planner = Planner::new(empty, file);
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
