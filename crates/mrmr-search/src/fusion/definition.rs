//! What a method of fusion is: its name, its parameters, what it reads.

use mrmr_core::Result;

use super::candidates::Answers;
use super::method::Method;
use super::training::Training;

/// What values a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParameterKind {
    /// A number within bounds, the bounds included.
    Number {
        /// The value when none is given.
        default: f64,
        /// The lower bound.
        min: f64,
        /// The upper bound, infinity where there is none.
        max: f64,
    },
    /// A whole number from `min` up.
    Whole {
        /// The value when none is given.
        default: usize,
        /// The lower bound.
        min: usize,
    },
    /// A number from 0 up for each run; 1 for each when none are given.
    Weights,
}

/// A parameter of a method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// Its name in the text form.
    pub name: &'static str,
    /// What values it takes.
    pub kind: ParameterKind,
    /// What it does.
    pub summary: &'static str,
    /// Values worth trying beside the default, ascending; none for weights.
    pub grid: &'static [f64],
}

impl Parameter {
    /// `k (default 60)`, for messages.
    pub fn describe(&self) -> String {
        match self.kind {
            ParameterKind::Number { default, .. } => format!("{} (default {default})", self.name),
            ParameterKind::Whole { default, .. } => format!("{} (default {default})", self.name),
            ParameterKind::Weights => format!("{} (one a run, default 1 each)", self.name),
        }
    }
}

/// What a method makes its scores of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// The scores alone, which a normalization makes comparable first.
    Scores,
    /// The ranks alone: no normalization changes anything.
    Ranks,
    /// Both.
    Both,
}

/// The declaration of a method: everything about it but the loop.
#[derive(Debug)]
pub struct Definition {
    /// The canonical name.
    pub name: &'static str,
    /// Other names, read and never printed, in lower case with `-`; those of ranx among them.
    pub aliases: &'static [&'static str],
    /// What score a document gets, in a sentence.
    pub summary: &'static str,
    /// Its parameters, in the order in which they are printed.
    pub parameters: &'static [Parameter],
    /// What it reads.
    pub reads: Reads,
    /// Where it comes from.
    pub source: &'static str,
    /// The loop for a specification of this method.
    pub(super) bind: Bind,
}

/// A bound method, or what is wrong with its parameters.
type Bound = Result<Box<dyn Combine>>;

/// How a method is bound.
#[derive(Debug)]
pub(super) enum Bind {
    /// By its parameters, for so many runs.
    Plain(fn(&Method, usize) -> Bound),
    /// By what judgements say of the runs, too.
    Trained(fn(&Method, &[Training]) -> Bound),
}

/// A bound method: the scores of one query's documents.
pub(super) trait Combine: Send + Sync {
    /// Writes the score of each document to its slot; all are 0 before.
    fn combine(&self, answers: &Answers<'_>, scores: &mut [f64]);
}

/// A bound method, as [`Bind`] gives it.
pub(super) fn bound(method: impl Combine + 'static) -> Bound {
    Ok(Box::new(method))
}

impl PartialEq for Definition {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Definition {
    /// Whether it learns from judgements first.
    pub fn is_trained(&self) -> bool {
        matches!(self.bind, Bind::Trained(_))
    }

    /// What it takes, for messages.
    pub fn describe_parameters(&self) -> String {
        let parts: Vec<String> = self.parameters.iter().map(Parameter::describe).collect();
        match parts.is_empty() {
            true => "no parameters".to_owned(),
            false => parts.join(", "),
        }
    }

    /// Whether it takes one weight a run.
    pub fn takes_weights(&self) -> bool {
        let mut kinds = self.parameters.iter().map(|parameter| parameter.kind);
        kinds.any(|kind| kind == ParameterKind::Weights)
    }
}

/// One weight a run.
pub(super) const WEIGHTS: Parameter = Parameter {
    name: "weights",
    kind: ParameterKind::Weights,
    summary: "how much each run counts",
    grid: &[],
};
