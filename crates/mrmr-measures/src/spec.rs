//! A measure as someone wrote it: name, parameters, cutoff; its text form and back.

mod parse;

use std::fmt;
use std::num::NonZeroUsize;

use crate::context::Context;
use crate::definition::Definition;
use crate::parameter::{Otherwise, Parameter, ParameterKind};

/// A value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value {
    Number(f64),
    Name(&'static str),
    /// Not given.
    Absent,
}

impl Value {
    fn default_of(parameter: &Parameter) -> Value {
        match parameter.kind {
            ParameterKind::Number { default, .. } | ParameterKind::Share { default, .. } => {
                Value::Number(default)
            }
            ParameterKind::Choice { names } => Value::Name(names[0]),
            ParameterKind::Optional { .. } => Value::Absent,
        }
    }

    fn text(self) -> Option<String> {
        match self {
            Value::Number(number) => Some(number.to_string()),
            Value::Name(name) => Some(name.to_owned()),
            Value::Absent => None,
        }
    }
}

/// What stands behind the `@`.
#[derive(Clone, Copy, Debug, PartialEq)]
enum At {
    Rank(NonZeroUsize),
    Recall(f64),
}

/// A measure with its parameters and cutoff.
///
/// ```
/// use mrmr_measures::MeasureSpec;
/// let measure: MeasureSpec = "ndcg_cut.10".parse()?;
/// assert_eq!(measure.to_string(), "nDCG@10");
/// let strict: MeasureSpec = "P(rel=2)@5".parse()?;
/// assert_eq!(strict.to_string().parse::<MeasureSpec>()?, strict);
///
/// let error = "P(rell=2)@5".parse::<MeasureSpec>().unwrap_err();
/// assert_eq!(error.to_string(), "P takes no parameter 'rell'; it takes cutoff (set by @), rel (default 1)");
/// assert_eq!(error.hints(), ["did you mean rel?"]);
/// # Ok::<(), mrmr_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MeasureSpec {
    definition: &'static Definition,
    values: Vec<Value>,
    at: Option<At>,
}

impl MeasureSpec {
    /// The declaration.
    pub fn definition(&self) -> &'static Definition {
        self.definition
    }

    /// The number of ranks that count, where it is given.
    pub fn cutoff(&self) -> Option<usize> {
        match self.at {
            Some(At::Rank(cutoff)) => Some(cutoff.get()),
            _ => None,
        }
    }

    /// The recall level that a measure of interpolated precision is taken at.
    pub fn recall(&self) -> Option<f64> {
        match self.at {
            Some(At::Recall(level)) => Some(level),
            _ => None,
        }
    }

    /// All parameters with their values as text: defaults and the recall level too, those that have neither
    /// a value nor a default left out.
    pub fn parameters(&self) -> impl Iterator<Item = (&'static str, String)> {
        let recall = self.recall().map(|level| ("recall", level.to_string()));
        let own = self.with_values();
        recall.into_iter().chain(
            own.filter_map(|(parameter, value)| value.text().map(|text| (parameter.name, text))),
        )
    }

    /// As [`MeasureSpec::parameters`], with those whose value is found in the judgements.
    pub(crate) fn resolved(&self, context: &Context<'_>) -> Vec<(&'static str, String)> {
        let mut all: Vec<_> = self.parameters().collect();
        // Gains are 0 and 1 where `rel` is given to a measure that can do without it.
        let is_binary = self.with_values().any(|(parameter, value)| {
            value != Value::Absent && parameter.otherwise() == Some(Otherwise::Unused)
        });
        for (parameter, value) in self.with_values() {
            let found = parameter.otherwise() == Some(Otherwise::MaxGrade);
            if found && value == Value::Absent && !is_binary {
                all.push((parameter.name, context.max_grade.to_string()));
            }
        }
        all
    }

    fn with_values(&self) -> impl Iterator<Item = (&'static Parameter, Value)> {
        let parameters = self.definition.parameters.iter();
        parameters.zip(self.values.iter().copied())
    }

    /// The cutoff as a bound on ranks: without one, every rank counts.
    pub(crate) fn depth(&self) -> usize {
        self.cutoff().unwrap_or(usize::MAX)
    }

    /// The value of a declared number.
    pub(crate) fn number(&self, name: &str) -> f64 {
        self.optional(name).unwrap_or(f64::NAN)
    }

    /// The value of a declared number, where it is given or has a default.
    pub(crate) fn optional(&self, name: &str) -> Option<f64> {
        match self.value(name)? {
            Value::Number(number) => Some(number),
            Value::Name(_) | Value::Absent => None,
        }
    }

    /// Whether a declared choice has this value.
    pub(crate) fn is(&self, name: &str, choice: &str) -> bool {
        matches!(self.value(name), Some(Value::Name(name)) if name == choice)
    }

    fn value(&self, name: &str) -> Option<Value> {
        let mut own = self.with_values();
        own.find(|(parameter, _)| parameter.name == name)
            .map(|(_, value)| value)
    }
}

impl fmt::Display for MeasureSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = self.definition.name.to_owned();
        let given: Vec<String> = self
            .with_values()
            .filter(|(parameter, value)| *value != Value::default_of(parameter))
            .filter_map(|(parameter, value)| {
                value
                    .text()
                    .map(|text| format!("{}={text}", parameter.name))
            })
            .collect();
        if !given.is_empty() {
            text += &format!("({})", given.join(","));
        }
        match self.at {
            Some(At::Rank(cutoff)) => text += &format!("@{cutoff}"),
            Some(At::Recall(level)) => text += &format!("@{level}"),
            None => {}
        }
        f.pad(&text)
    }
}
