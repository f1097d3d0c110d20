//! A measure as someone wrote it: name, parameters, cutoff; its text form and back.

use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;

use mrmr_core::{Error, Result, closest};

use crate::definition::{Cutoff, Definition, Parameter, ParameterKind};
use crate::measures;

/// A value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value {
    Number(f64),
    Name(&'static str),
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
    cutoff: Option<NonZeroUsize>,
}

impl MeasureSpec {
    /// The declaration.
    pub fn definition(&self) -> &'static Definition {
        self.definition
    }

    /// The cutoff, where there is one.
    pub fn cutoff(&self) -> Option<usize> {
        self.cutoff.map(NonZeroUsize::get)
    }

    /// All parameters with their values as text, defaults included.
    pub fn parameters(&self) -> impl Iterator<Item = (&'static str, String)> {
        let parameters = self.definition.parameters.iter();
        parameters.zip(&self.values).map(|(parameter, value)| {
            let text = match value {
                Value::Number(number) => number.to_string(),
                Value::Name(name) => (*name).to_owned(),
            };
            (parameter.name, text)
        })
    }

    /// The cutoff as a bound on ranks: without one, every rank counts.
    pub(crate) fn depth(&self) -> usize {
        self.cutoff().unwrap_or(usize::MAX)
    }

    /// The value of a declared number.
    pub(crate) fn number(&self, name: &str) -> f64 {
        self.value(name)
            .and_then(|value| match value {
                Value::Number(number) => Some(number),
                Value::Name(_) => None,
            })
            .unwrap_or(f64::NAN)
    }

    /// Whether a declared choice has this value.
    pub(crate) fn is(&self, name: &str, choice: &str) -> bool {
        self.value(name) == self.choice(name, choice)
    }

    fn value(&self, name: &str) -> Option<Value> {
        let at = self
            .definition
            .parameters
            .iter()
            .position(|p| p.name == name)?;
        self.values.get(at).copied()
    }

    fn choice(&self, name: &str, choice: &str) -> Option<Value> {
        let parameter = self.definition.parameters.iter().find(|p| p.name == name)?;
        match parameter.kind {
            ParameterKind::Choice { names } => {
                names.iter().find(|n| **n == choice).map(|n| Value::Name(n))
            }
            ParameterKind::Number { .. } => None,
        }
    }
}

impl fmt::Display for MeasureSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = self.definition.name.to_owned();
        let parameters = self.definition.parameters.iter().zip(&self.values);
        let given: Vec<String> = parameters
            .filter(|(parameter, value)| **value != default_value(parameter))
            .map(|(parameter, value)| match value {
                Value::Number(number) => format!("{}={number}", parameter.name),
                Value::Name(name) => format!("{}={name}", parameter.name),
            })
            .collect();
        if !given.is_empty() {
            text += &format!("({})", given.join(","));
        }
        if let Some(cutoff) = self.cutoff {
            text += &format!("@{cutoff}");
        }
        f.pad(&text)
    }
}

impl FromStr for MeasureSpec {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let whole = text.trim();
        let (head, arguments, cutoff) = split(whole)?;
        let (definition, implied, cutoff) = resolve(whole, head, cutoff)?;
        let mut values: Vec<Value> = definition.parameters.iter().map(default_value).collect();
        let mut seen: Vec<&str> = Vec::new();
        let implied = implied.iter().copied();
        for (key, value) in implied.chain(arguments.iter().copied()) {
            let at = definition
                .parameters
                .iter()
                .position(|parameter| parameter.name == key)
                .ok_or_else(|| unknown_parameter(definition, key))?;
            if seen.contains(&key) {
                return Err(Error::usage(format!("'{whole}' sets {key} twice")));
            }
            seen.push(definition.parameters[at].name);
            values[at] = parse_value(definition, &definition.parameters[at], value)?;
        }
        let cutoff = cutoff
            .map(|digits| parse_cutoff(whole, digits))
            .transpose()?;
        match (definition.cutoff, cutoff) {
            (Cutoff::None, Some(k)) => Err(Error::usage(format!(
                "{} takes no cutoff, found @{k}",
                definition.name
            ))),
            (Cutoff::Required, None) => Err(Error::usage(format!(
                "{} needs a cutoff, as in {}@10",
                definition.name, definition.name
            ))),
            _ => Ok(MeasureSpec {
                definition,
                values,
                cutoff,
            }),
        }
    }
}

type Arguments<'a> = Vec<(&'a str, &'a str)>;

/// `name(key=value, ...)@cutoff` into its parts.
fn split(text: &str) -> Result<(&str, Arguments<'_>, Option<&str>)> {
    let malformed = || {
        Error::usage(format!("'{text}' is not a measure"))
            .hint("a measure is name, name@cutoff or name(key=value)@cutoff: nDCG@10, P(rel=2)@5")
    };
    let Some(open) = text.find('(') else {
        return Ok(match text.split_once('@') {
            Some((head, cutoff)) => (head, Vec::new(), Some(cutoff)),
            None => (text, Vec::new(), None),
        });
    };
    let close = text[open..].find(')').ok_or_else(malformed)? + open;
    let cutoff = match &text[close + 1..] {
        "" => None,
        rest => Some(rest.strip_prefix('@').ok_or_else(malformed)?),
    };
    let inside = text[open + 1..close].trim();
    let mut arguments = Vec::new();
    if !inside.is_empty() {
        for argument in inside.split(',') {
            let (key, value) = argument.split_once('=').ok_or_else(malformed)?;
            arguments.push((key.trim(), value.trim()));
        }
    }
    Ok((text[..open].trim_end(), arguments, cutoff))
}

type Resolved<'a> = (
    &'static Definition,
    &'static [(&'static str, &'static str)],
    Option<&'a str>,
);

/// The measure of a name or alias; other tools put the cutoff behind `_at_`, `.` or `_`.
fn resolve<'a>(whole: &str, head: &'a str, cutoff: Option<&'a str>) -> Result<Resolved<'a>> {
    if let Some((definition, implied)) = measures::find(head) {
        return Ok((definition, implied, cutoff));
    }
    if cutoff.is_none() {
        for separator in ["_at_", ".", "_"] {
            if let Some((name, digits)) = head.rsplit_once(separator)
                && !digits.is_empty()
                && digits.bytes().all(|b| b.is_ascii_digit())
                && let Some((definition, implied)) = measures::find(name)
            {
                return Ok((definition, implied, Some(digits)));
            }
        }
    }
    let names = measures::ALL.iter();
    let known = names.flat_map(|d| std::iter::once(d.name).chain(d.aliases.iter().map(|a| a.name)));
    let base = head.split(['.', '@']).next().unwrap_or(head);
    let near = closest(base, known).and_then(measures::find);
    Err(Error::usage(format!("unknown measure '{whole}'"))
        .hint_maybe(near.map(|(definition, _)| format!("did you mean {}?", definition.name)))
        .hint(format!(
            "known measures: {}",
            measures::ALL
                .iter()
                .map(|d| d.name)
                .collect::<Vec<_>>()
                .join(", ")
        )))
}

fn unknown_parameter(definition: &Definition, key: &str) -> Error {
    let names = definition.parameters.iter().map(|p| p.name);
    Error::usage(format!(
        "{} takes no parameter '{key}'; it takes {}",
        definition.name,
        definition.describe_parameters()
    ))
    .hint_maybe(closest(key, names).map(|name| format!("did you mean {name}?")))
}

fn parse_value(definition: &Definition, parameter: &Parameter, text: &str) -> Result<Value> {
    let wrong = |expected: String| {
        Error::usage(format!(
            "{}: expected {expected} as {}, found '{text}'",
            definition.name, parameter.name
        ))
    };
    match parameter.kind {
        ParameterKind::Number { min, open, .. } => {
            let number: f64 = text.parse().unwrap_or(f64::NAN);
            let inside = number.is_finite() && (number > min || (!open && number >= min));
            match (inside, min == f64::MIN) {
                (true, _) => Ok(Value::Number(number + 0.0)),
                (false, true) => Err(wrong("a number".to_owned())),
                (false, false) if open => Err(wrong(format!("a number above {min}"))),
                (false, false) => Err(wrong(format!("a number from {min} up"))),
            }
        }
        ParameterKind::Choice { names } => names
            .iter()
            .find(|name| **name == text)
            .map(|name| Value::Name(name))
            .ok_or_else(|| {
                wrong(names.join(" or ")).hint_maybe(
                    closest(text, names.iter().copied())
                        .map(|name| format!("did you mean {name}?")),
                )
            }),
    }
}

fn default_value(parameter: &Parameter) -> Value {
    match parameter.kind {
        ParameterKind::Number { default, .. } => Value::Number(default),
        ParameterKind::Choice { names } => Value::Name(names[0]),
    }
}

fn parse_cutoff(whole: &str, digits: &str) -> Result<NonZeroUsize> {
    let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    digits.parse().ok().filter(|_| plain).ok_or_else(|| {
        Error::usage(format!(
            "'{whole}': expected a whole number from 1 up as cutoff, found '{digits}'"
        ))
    })
}
