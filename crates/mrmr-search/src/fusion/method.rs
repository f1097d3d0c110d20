//! A method as someone wrote it: name and parameters; its text form and back.

mod parse;

use std::fmt;

use mrmr_core::{Error, Result, Run};

use super::Fusion;
use super::definition::{Definition, Parameter, ParameterKind, Reads};
use super::normalization::Normalization;
use super::notes::Fused;
use super::spec::FusionSpec;

/// A value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Number(f64),
    /// Empty where none are given: 1 for each run.
    Weights(Vec<f64>),
}

impl Value {
    fn default_of(parameter: &Parameter) -> Value {
        match parameter.kind {
            ParameterKind::Number { default, .. } => Value::Number(default),
            ParameterKind::Whole { default, .. } => Value::Number(default as f64),
            ParameterKind::Weights => Value::Weights(Vec::new()),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => number.fmt(f),
            Value::Weights(weights) => {
                let texts: Vec<String> = weights.iter().map(f64::to_string).collect();
                f.write_str(&texts.join(","))
            }
        }
    }
}

/// A method of fusion with its parameters.
///
/// ```
/// use mrmr_search::fusion::Method;
/// let method: Method = "w_bordafuse(weights=0.3,0.7)".parse()?;
/// assert_eq!(method.to_string(), "wborda(weights=0.3,0.7)");
/// assert_eq!("rrf(k=60)".parse::<Method>()?.to_string(), "rrf"); // defaults are left out
///
/// let error = "rrf(kk=20)".parse::<Method>().unwrap_err();
/// assert_eq!(error.to_string(), "rrf takes no parameter 'kk'; it takes k (default 60)");
/// assert_eq!(error.hints(), ["did you mean k?"]);
/// # Ok::<(), mrmr_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Method {
    definition: &'static Definition,
    values: Vec<Value>,
}

impl Method {
    /// The declaration.
    pub fn definition(&self) -> &'static Definition {
        self.definition
    }

    /// The normalization that it has where none is asked for: min-max where it reads scores, else none.
    pub fn default_normalization(&self) -> Normalization {
        match self.definition.reads {
            Reads::Ranks => Normalization::None,
            Reads::Scores | Reads::Both => Normalization::MinMax,
        }
    }

    /// The runs as one, with the default normalization and over whole lists; [`FusionSpec`] has more to say.
    ///
    /// # Errors
    /// As [`Fusion::fuse`]; if the method is trained, see [`FusionSpec::fit`].
    pub fn fuse(&self, runs: &[&Run], name: &str) -> Result<Fused> {
        FusionSpec::new(self.clone()).fuse(runs, name)
    }

    /// The same with another value of a number.
    ///
    /// # Errors
    /// If the method has no such parameter, or the value lies outside its bounds.
    pub fn with_number(self, name: &str, value: f64) -> Result<Self> {
        self.with(name, &value.to_string())
    }

    /// The same with other weights, one a run.
    ///
    /// # Errors
    /// If the method takes no weights, one is no finite number from 0 up, or all are 0.
    pub fn with_weights(self, weights: &[f64]) -> Result<Self> {
        self.with("weights", &Value::Weights(weights.to_vec()).to_string())
    }

    /// The value of a declared number.
    pub(super) fn number(&self, name: &str) -> f64 {
        match self.value(name) {
            Some(Value::Number(number)) => *number,
            _ => f64::NAN,
        }
    }

    /// The value of a declared whole number.
    pub(super) fn whole(&self, name: &str) -> usize {
        self.number(name) as usize
    }

    /// One weight for each of so many runs.
    pub(super) fn weights(&self, runs: usize) -> Result<Vec<f64>> {
        match self.value("weights") {
            Some(Value::Weights(weights)) if weights.len() == runs => Ok(weights.clone()),
            Some(Value::Weights(weights)) if !weights.is_empty() => Err(Error::usage(format!(
                "{}: expected a weight for each of {runs} runs, found {}: {}",
                self.definition.name,
                weights.len(),
                Value::Weights(weights.clone())
            ))),
            _ => Ok(vec![1.0; runs]),
        }
    }

    fn value(&self, name: &str) -> Option<&Value> {
        let mut own = self.definition.parameters.iter().zip(&self.values);
        own.find(|(parameter, _)| parameter.name == name)
            .map(|(_, value)| value)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let own = self.definition.parameters.iter().zip(&self.values);
        let given: Vec<String> = own
            .filter(|(parameter, value)| **value != Value::default_of(parameter))
            .map(|(parameter, value)| format!("{}={value}", parameter.name))
            .collect();
        match given.is_empty() {
            true => f.pad(self.definition.name),
            false => f.pad(&format!("{}({})", self.definition.name, given.join(","))),
        }
    }
}
