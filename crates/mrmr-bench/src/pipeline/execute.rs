//! A plan carried out.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use mrmr_core::{Event, Observer, Result};
use mrmr_measures::{MeasureSpec, Policies};

use super::plan::{Action, Plan};
use super::step::{self, Kept, Product};
use crate::diagnosis::SystemDiagnosis;
use crate::outcome::TaskOutcome;
use crate::store::{AnswerNotes, Answers};

/// A system's answers, measured.
#[derive(Debug)]
pub struct SystemOutcome {
    /// Its name.
    pub name: String,
    /// How it was set up, as (name, value).
    pub settings: Vec<(String, String)>,
    /// What it reached.
    pub outcome: TaskOutcome,
    /// Why it reached that.
    pub diagnosis: SystemDiagnosis,
}

/// What was done about a step, and how long it took.
#[derive(Clone, Debug, PartialEq)]
pub struct StepDone {
    /// `SYSTEM/WHAT`.
    pub name: String,
    /// Its key.
    pub key: String,
    /// Whether it was there already.
    pub is_reused: bool,
    /// How long it took.
    pub took: Duration,
}

/// What carrying out a plan gave.
#[derive(Debug)]
pub struct Executed {
    /// The systems, in the order of the file.
    pub systems: Vec<SystemOutcome>,
    /// The steps that were made or read, in the order in which that happened.
    pub steps: Vec<StepDone>,
}

impl Plan<'_> {
    /// Makes what is missing, and measures all systems.
    ///
    /// Each step is kept as it is done: when this is broken off, the next call goes on there, and the outcome has the
    /// same bits.
    ///
    /// # Errors
    /// If a step fails; those before it are kept.
    pub fn run(
        &self,
        companions: &[MeasureSpec],
        policies: Policies,
        observer: &dyn Observer,
    ) -> Result<Executed> {
        let steps = self.steps().into_iter();
        let total = steps.filter(|step| matches!(step.action, Action::Run(..)));
        let mut execution = Execution {
            plan: self,
            products: vec![None; self.steps.len()],
            users: self.users(),
            done: Vec::new(),
            number: 0,
            total: total.count(),
            observer,
        };
        let mut systems = Vec::with_capacity(self.systems.len());
        for system in &self.systems {
            let product = execution.product(system.answers)?;
            let answers = step::answers(Some(&product))?;
            let mut stages = Vec::new();
            // A pipeline of one stage loses nothing on the way.
            if system.stages.len() > 1 {
                for (stage, at) in &system.stages {
                    let product = execution.product(*at)?;
                    let run = step::answers(Some(&product))?.run.clone();
                    stages.push((*stage, run.renamed(&self.steps[*at].name)));
                }
            }
            let mut notes = AnswerNotes {
                warnings: system.warnings.clone(),
                ..AnswerNotes::default()
            };
            notes.add(&answers.notes);
            let answers = Answers {
                run: answers.run.clone().renamed(&system.name),
                notes,
            };
            let task = execution.context(&()).task;
            let reranked = system.reranked;
            let diagnosis = SystemDiagnosis::of(task, &answers.run, &stages, reranked, policies)?;
            systems.push(SystemOutcome {
                name: system.name.clone(),
                settings: system.settings.clone(),
                outcome: task.measure(answers, companions, policies)?,
                diagnosis,
            });
            execution.release(system.answers);
        }
        Ok(Executed {
            systems,
            steps: execution.done,
        })
    }

    /// How often each step is wanted, by others and by systems.
    fn users(&self) -> Vec<usize> {
        let mut users = vec![0; self.steps.len()];
        for system in &self.systems {
            users[system.answers] += 1;
            system.stages.iter().for_each(|(_, step)| users[*step] += 1);
        }
        for step in &self.steps {
            step.needs.iter().for_each(|need| users[*need] += 1);
        }
        users
    }
}

struct Execution<'p, 'a> {
    plan: &'p Plan<'a>,
    products: Vec<Option<Product>>,
    /// By how many each product is still wanted.
    users: Vec<usize>,
    done: Vec<StepDone>,
    number: usize,
    total: usize,
    observer: &'p dyn Observer,
}

impl<'p> Execution<'p, '_> {
    fn context<'s>(&'s self, observer: &'s dyn Observer) -> step::Context<'s>
    where
        'p: 's,
    {
        self.plan.context.with(observer)
    }

    /// What a step makes: from memory, else from the store, else made now.
    fn product(&mut self, at: usize) -> Result<Product> {
        if let Some(product) = &self.products[at] {
            return Ok(product.clone());
        }
        let plan = self.plan;
        let step = &plan.steps[at];
        let start = Instant::now();
        if !step.is_forced
            && let Some(product) = step.work.load(&step.key, &self.context(&()))?
        {
            return Ok(self.keep(at, product, true, start));
        }
        let mut needs = Vec::with_capacity(step.needs.len());
        for need in &step.needs {
            needs.push(self.product(*need)?);
        }
        let start = Instant::now();
        let is_reused = !step.is_forced && self.is_kept(at)?;
        if !is_reused {
            self.number += 1;
        }
        let numbered = Numbered {
            observer: self.observer,
            name: &step.name,
            number: self.number,
            of: self.total.max(self.number),
            warnings: Mutex::default(),
        };
        let context = plan.context.with(&numbered);
        let product = step
            .work
            .make(&step.key, &needs, &context, step.is_forced)?;
        for need in &step.needs {
            self.release(*need);
        }
        Ok(self.keep(at, product, is_reused, start))
    }

    fn is_kept(&self, at: usize) -> Result<bool> {
        let step = &self.plan.steps[at];
        Ok(step.work.kept(&step.key, &self.context(&()))? == Kept::Whole)
    }

    fn keep(&mut self, at: usize, product: Product, is_reused: bool, start: Instant) -> Product {
        let step = &self.plan.steps[at];
        self.done.push(StepDone {
            name: step.name.clone(),
            key: step.key.to_string(),
            is_reused,
            took: start.elapsed(),
        });
        self.products[at] = Some(product.clone());
        product
    }

    /// One of those that wanted a product has it; the last one frees its memory.
    fn release(&mut self, at: usize) {
        self.users[at] = self.users[at].saturating_sub(1);
        if self.users[at] == 0 {
            self.products[at] = None;
        }
    }
}

/// Gives the steps of a plan their names and numbers.
struct Numbered<'a> {
    observer: &'a dyn Observer,
    name: &'a str,
    number: usize,
    of: usize,
    warnings: Mutex<Vec<String>>,
}

impl Observer for Numbered<'_> {
    fn observe(&self, event: Event<'_>) {
        match event {
            Event::StepStarted { total, unit, .. } => self.observer.observe(Event::StepStarted {
                number: self.number,
                of: self.of,
                name: self.name,
                total,
                unit,
            }),
            // What is told once is not told again.
            Event::Warning(text) => {
                let mut told = match self.warnings.lock() {
                    Ok(told) => told,
                    Err(poisoned) => poisoned.into_inner(),
                };
                if !told.iter().any(|known| known == text) {
                    told.push(text.to_owned());
                    self.observer.observe(Event::Warning(text));
                }
            }
            other => self.observer.observe(other),
        }
    }
}
