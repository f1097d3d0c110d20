//! From text to a measure.

use std::str::FromStr;

use mrmr_core::{Error, Result, closest};

use super::{At, MeasureSpec, Value};
use crate::definition::{Alias, Cutoff, Definition, Suffix};
use crate::measures;
use crate::parameter::{Parameter, ParameterKind};

impl FromStr for MeasureSpec {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let whole = text.trim();
        let (head, arguments, at) = split(whole)?;
        let named = resolve(whole, head, at)?;
        let definition = named.definition;
        let mut values: Vec<Value> = definition
            .parameters
            .iter()
            .map(Value::default_of)
            .collect();
        let mut seen: Vec<&str> = Vec::new();
        let implied = named
            .implied
            .iter()
            .map(|(key, value)| (*key, value.as_str()));
        for (key, value) in implied.chain(arguments.iter().copied()) {
            let place = definition
                .parameters
                .iter()
                .position(|parameter| parameter.name == key)
                .ok_or_else(|| unknown_parameter(definition, key))?;
            if seen.contains(&key) {
                return Err(Error::usage(format!("'{whole}' sets {key} twice")));
            }
            seen.push(definition.parameters[place].name);
            values[place] = parse_value(definition, &definition.parameters[place], value)?;
        }
        Ok(MeasureSpec {
            definition,
            values,
            at: parse_at(whole, definition, named.at)?,
        })
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
            Some((head, at)) => (head, Vec::new(), Some(at)),
            None => (text, Vec::new(), None),
        });
    };
    let close = text[open..].find(')').ok_or_else(malformed)? + open;
    let at = match &text[close + 1..] {
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
    Ok((text[..open].trim_end(), arguments, at))
}

/// A measure by name, with what the name says.
struct Named<'a> {
    definition: &'static Definition,
    implied: Vec<(&'static str, String)>,
    at: Option<&'a str>,
}

impl<'a> Named<'a> {
    fn new(definition: &'static Definition, alias: Option<&Alias>, at: Option<&'a str>) -> Self {
        let implied = alias.into_iter().flat_map(|alias| alias.implies);
        Named {
            definition,
            implied: implied
                .map(|(key, value)| (*key, (*value).to_owned()))
                .collect(),
            at,
        }
    }
}

/// The measure of a name or alias; other tools put a number behind `_at_`, `.` or `_`.
fn resolve<'a>(whole: &str, head: &'a str, at: Option<&'a str>) -> Result<Named<'a>> {
    if let Some((definition, alias)) = measures::find(head) {
        if let Some(Suffix::RequiredValue(name)) = alias.map(|alias| alias.suffix) {
            return Err(Error::usage(format!(
                "'{whole}' needs its {name}, as in {head}.1.2 or {}({name}=1.2)",
                definition.name
            )));
        }
        return Ok(Named::new(definition, alias, at));
    }
    if at.is_none() {
        for (place, _) in head.match_indices(['.', '_']) {
            if let Some(named) = suffixed(&head[..place], &head[place + 1..]) {
                return Ok(named);
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

/// A name with a number behind it.
fn suffixed<'a>(name: &str, rest: &'a str) -> Option<Named<'a>> {
    let (rest, is_cutoff) = match rest.strip_prefix("at_") {
        Some(rest) => (rest, true),
        None => (rest, false),
    };
    if !is_decimal(rest) {
        return None;
    }
    let (definition, alias) = measures::find_alias_first(name)?;
    let suffix = match alias {
        Some(alias) if !is_cutoff => alias.suffix,
        _ => Suffix::Cutoff,
    };
    let mut named = Named::new(definition, alias, None);
    match suffix {
        Suffix::Cutoff if definition.cutoff == Cutoff::Recall || is_whole(rest) => {
            named.at = Some(rest);
        }
        Suffix::Value(key) | Suffix::RequiredValue(key) => {
            named.implied.push((key, rest.to_owned()));
        }
        Suffix::Decimals(key) if is_whole(rest) => {
            named.implied.push((key, format!("0.{rest}")));
        }
        Suffix::Cutoff | Suffix::Decimals(_) => return None,
    }
    Some(named)
}

/// Digits alone.
fn is_whole(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Digits, with a point among them or not.
fn is_decimal(text: &str) -> bool {
    let digits = text.replacen('.', "", 1);
    is_whole(&digits)
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
    let number: f64 = text.parse().unwrap_or(f64::NAN);
    match parameter.kind {
        ParameterKind::Number { min, open, .. } | ParameterKind::Optional { min, open, .. } => {
            let inside = number.is_finite() && (number > min || (!open && number >= min));
            match (inside, min == f64::MIN) {
                (true, _) => Ok(Value::Number(number + 0.0)),
                (false, true) => Err(wrong("a number".to_owned())),
                (false, false) if open => Err(wrong(format!("a number above {min}"))),
                (false, false) => Err(wrong(format!("a number from {min} up"))),
            }
        }
        ParameterKind::Share { open: true, .. } => match number > 0.0 && number < 1.0 {
            true => Ok(Value::Number(number)),
            false => Err(wrong("a number between 0 and 1".to_owned())),
        },
        ParameterKind::Share { open: false, .. } => match (0.0..=1.0).contains(&number) {
            true => Ok(Value::Number(number + 0.0)),
            false => Err(wrong("a number from 0 to 1".to_owned())),
        },
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

/// What stands behind the `@`.
fn parse_at(whole: &str, definition: &Definition, text: Option<&str>) -> Result<Option<At>> {
    let name = definition.name;
    let cutoff = |digits: &str| {
        let number = digits.parse().ok().filter(|_| is_whole(digits));
        number.ok_or_else(|| {
            Error::usage(format!(
                "'{whole}': expected a whole number from 1 up as cutoff, found '{digits}'"
            ))
        })
    };
    match (definition.cutoff, text) {
        (Cutoff::None, Some(digits)) => Err(Error::usage(format!(
            "{name} takes no cutoff, found @{}",
            cutoff(digits)?
        ))),
        (Cutoff::Required, None) => Err(Error::usage(format!(
            "{name} needs a cutoff, as in {name}@10"
        ))),
        (Cutoff::Recall, None) => Err(Error::usage(format!(
            "{name} needs a recall level, as in {name}@0.1"
        ))),
        (Cutoff::Recall, Some(text)) => {
            let level = text.parse().ok().filter(|_| is_decimal(text));
            match level {
                Some(level) if level <= 1.0 => Ok(Some(At::Recall(level))),
                _ => Err(Error::usage(format!(
                    "'{whole}': expected a number from 0 to 1 as recall level, found '{text}'"
                ))),
            }
        }
        (Cutoff::Optional | Cutoff::Required, Some(digits)) => Ok(Some(At::Rank(cutoff(digits)?))),
        (Cutoff::None | Cutoff::Optional, None) => Ok(None),
    }
}
