//! What a measure is: its name, its parameters, how a value of it is read.

use mrmr_core::Result;

use crate::context::Context;
use crate::measure::Measure;
use crate::parameter::Parameter;
use crate::spec::MeasureSpec;

/// What stands behind the `@` of a measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cutoff {
    /// Nothing.
    None,
    /// A number of ranks; without one, the whole ranking counts.
    Optional,
    /// A number of ranks; the measure means nothing without one.
    Required,
    /// A recall level from 0 to 1; the measure means nothing without one.
    Recall,
}

/// How the values of single queries become one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aggregate {
    /// Their mean.
    Mean,
    /// Their sum (counts).
    Sum,
    /// Their geometric mean, values below 0.00001 counting as that.
    GeometricMean,
}

impl Aggregate {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Aggregate::Mean => "mean",
            Aggregate::Sum => "sum",
            Aggregate::GeometricMean => "geometric mean",
        }
    }
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

impl Range {
    /// In words.
    pub fn describe(self) -> &'static str {
        match self {
            Range::Unit => "from 0 to 1",
            Range::NonNegative => "from 0 up",
            Range::Count => "whole numbers from 0 up",
        }
    }
}

/// Another name of a measure, read and never printed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alias {
    /// The name, in lower case: aliases are read in any case.
    pub name: &'static str,
    /// Parameters that the name implies.
    pub implies: &'static [(&'static str, &'static str)],
    /// What a number behind the name means.
    pub suffix: Suffix,
}

/// What a number means that other tools put behind a name, as in `map_cut.10`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suffix {
    /// What stands behind the `@`.
    Cutoff,
    /// The value of this parameter, which may be left out.
    Value(&'static str),
    /// The value of this parameter; the name means nothing without it.
    RequiredValue(&'static str),
    /// The decimals of this parameter: `rbp.80` is 0.80.
    Decimals(&'static str),
}

/// A plain alias.
pub(crate) const fn alias(name: &'static str) -> Alias {
    Alias {
        name,
        implies: &[],
        suffix: Suffix::Cutoff,
    }
}

/// An alias that implies parameters.
pub(crate) const fn implying(
    name: &'static str,
    implies: &'static [(&'static str, &'static str)],
) -> Alias {
    Alias {
        name,
        implies,
        suffix: Suffix::Cutoff,
    }
}

/// An alias with a number behind it.
pub(crate) const fn suffixed(name: &'static str, suffix: Suffix) -> Alias {
    Alias {
        name,
        implies: &[],
        suffix,
    }
}

/// A small query with the value of a measure, worked out by hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Example {
    /// The measure, as text.
    pub measure: &'static str,
    /// The retrieved documents by rank: a grade each, `-` where there is none, or letters for the subtopics
    /// that it is relevant to.
    pub ranking: &'static str,
    /// The judged documents that were not retrieved, in the same form.
    pub missed: &'static str,
    /// How the value comes about.
    pub working: &'static str,
    /// The value, to four decimals.
    pub value: f64,
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
    /// What stands behind its `@`.
    pub cutoff: Cutoff,
    /// Where its values lie.
    pub range: Range,
    /// How its values become one number.
    pub aggregate: Aggregate,
    /// Where it comes from.
    pub source: &'static str,
    /// A worked example.
    pub example: Example,
    /// The loop for a specification of this measure.
    pub(crate) bind: fn(&MeasureSpec, &Context<'_>) -> Result<Box<dyn Measure>>,
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
        match self.cutoff {
            Cutoff::None => {}
            Cutoff::Optional | Cutoff::Required => parts.push("cutoff (set by @)".to_owned()),
            Cutoff::Recall => parts.push("recall level (set by @)".to_owned()),
        }
        parts.extend(self.parameters.iter().map(Parameter::describe));
        if parts.is_empty() {
            "no parameters".to_owned()
        } else {
            parts.join(", ")
        }
    }
}

/// A bound measure, as [`Definition::bind`] gives it.
pub(crate) fn bound(measure: impl Measure + 'static) -> Result<Box<dyn Measure>> {
    Ok(Box::new(measure))
}
