//! What a measure is: its name, its parameters, how a value of it is read.

use crate::measure::Measure;
use crate::spec::MeasureSpec;

/// Whether a measure takes a cutoff `@k`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cutoff {
    /// It has none.
    None,
    /// Without one, the whole ranking counts.
    Optional,
    /// It means nothing without one.
    Required,
}

/// How the values of single queries become one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aggregate {
    /// Their mean.
    Mean,
    /// Their sum (counts).
    Sum,
}

/// Where the values of a measure lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// From 0 to 1.
    Unit,
    /// From 0 up.
    NonNegative,
    /// Whole numbers from 0 up.
    Count,
}

/// What values a parameter takes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParameterKind {
    /// A finite number that is at least `min` (or above it, where `open`).
    Number {
        /// The value when none is given.
        default: f64,
        /// The lower bound.
        min: f64,
        /// Whether the bound itself is excluded.
        open: bool,
    },
    /// One of a few names.
    Choice {
        /// The names; the first is the value when none is given.
        names: &'static [&'static str],
    },
}

/// A parameter of a measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// Its name in the text form.
    pub name: &'static str,
    /// What values it takes.
    pub kind: ParameterKind,
    /// What it does.
    pub summary: &'static str,
}

impl Parameter {
    /// `rel (default 1)`, for messages.
    pub fn describe(&self) -> String {
        match self.kind {
            ParameterKind::Number { default, .. } => format!("{} (default {default})", self.name),
            ParameterKind::Choice { names } => {
                format!(
                    "{} ({}; default {})",
                    self.name,
                    names.join(" or "),
                    names[0]
                )
            }
        }
    }
}

/// The lowest grade that counts as relevant.
pub(crate) const REL: Parameter = Parameter {
    name: "rel",
    kind: ParameterKind::Number {
        default: 1.0,
        min: f64::MIN,
        open: false,
    },
    summary: "the lowest grade that counts as relevant",
};

/// Another name of a measure, read and never printed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alias {
    /// The name, in lower case: aliases are read in any case.
    pub name: &'static str,
    /// Parameters that the name implies.
    pub implies: &'static [(&'static str, &'static str)],
}

/// A plain alias.
pub(crate) const fn alias(name: &'static str) -> Alias {
    Alias { name, implies: &[] }
}

/// The declaration of a measure: everything about it but the loop.
#[derive(Debug)]
pub struct Definition {
    /// The canonical name.
    pub name: &'static str,
    /// Other names, in lower case.
    pub aliases: &'static [Alias],
    /// What it is, in a sentence.
    pub summary: &'static str,
    /// Its parameters, in the order in which they are printed.
    pub parameters: &'static [Parameter],
    /// Whether it takes a cutoff.
    pub cutoff: Cutoff,
    /// Where its values lie.
    pub range: Range,
    /// How its values become one number.
    pub aggregate: Aggregate,
    /// Where it comes from.
    pub source: &'static str,
    /// The loop for a specification of this measure.
    pub(crate) bind: fn(&MeasureSpec) -> Box<dyn Measure>,
}

impl PartialEq for Definition {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Definition {
    /// What it takes, for messages: `cutoff (set by @), rel (default 1)`.
    pub fn describe_parameters(&self) -> String {
        let mut parts = Vec::new();
        if self.cutoff != Cutoff::None {
            parts.push("cutoff (set by @)".to_owned());
        }
        parts.extend(self.parameters.iter().map(Parameter::describe));
        if parts.is_empty() {
            "no parameters".to_owned()
        } else {
            parts.join(", ")
        }
    }
}
