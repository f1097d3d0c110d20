//! From text to a method.

use std::str::FromStr;

use mrmr_core::{Error, Result, closest};

use super::{Method, Value};
use crate::fusion::definition::{Definition, Parameter, ParameterKind};
use crate::fusion::methods;

impl FromStr for Method {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let whole = text.trim();
        let malformed = || {
            Error::usage(format!("'{whole}' is not a method of fusion")).hint(
                "a method is name or name(key=value,...): rrf, rrf(k=20), wsum(weights=0.3,0.7)",
            )
        };
        let (name, inside) = match whole.split_once('(') {
            None => (whole, ""),
            Some((name, rest)) => (name, rest.strip_suffix(')').ok_or_else(malformed)?),
        };
        let definition = find(name.trim()).ok_or_else(|| unknown(name.trim()))?;
        let values = definition.parameters.iter().map(Value::default_of);
        let mut method = Method {
            definition,
            values: values.collect(),
        };
        let mut arguments: Vec<(&str, String)> = Vec::new();
        for part in inside.split(',').filter(|_| !inside.trim().is_empty()) {
            match (part.split_once('='), arguments.last_mut()) {
                (Some((key, value)), _) => {
                    let key = key.trim();
                    if arguments.iter().any(|(earlier, _)| *earlier == key) {
                        return Err(Error::usage(format!("'{whole}' sets {key} twice")));
                    }
                    arguments.push((key, value.trim().to_owned()));
                }
                // A further weight.
                (None, Some((_, value))) => *value += &format!(",{}", part.trim()),
                (None, None) => return Err(malformed()),
            }
        }
        for (key, value) in arguments {
            method = method.with(key, &value)?;
        }
        Ok(method)
    }
}

impl Method {
    /// The same with another value of a parameter, as text.
    ///
    /// # Errors
    /// If the method has no such parameter, or the text is none of its values.
    pub fn with(mut self, name: &str, text: &str) -> Result<Self> {
        let definition = self.definition;
        let mut parameters = definition.parameters.iter();
        let Some(place) = parameters.position(|parameter| parameter.name == name) else {
            let names = definition.parameters.iter().map(|p| p.name);
            return Err(Error::usage(format!(
                "{} takes no parameter '{name}'; it takes {}",
                definition.name,
                definition.describe_parameters()
            ))
            .hint_maybe(closest(name, names).map(|near| format!("did you mean {near}?"))));
        };
        self.values[place] = parse_value(definition, &definition.parameters[place], text)?;
        Ok(self)
    }
}

/// The method of a name or alias, in any case, with `_` for `-` or not.
fn find(name: &str) -> Option<&'static Definition> {
    let name = name.to_ascii_lowercase().replace('_', "-");
    let mut all = methods::ALL.iter().copied();
    all.find(|definition| definition.name == name || definition.aliases.contains(&&*name))
}

fn unknown(name: &str) -> Error {
    let all = methods::ALL.iter();
    let known = all.flat_map(|d| std::iter::once(d.name).chain(d.aliases.iter().copied()));
    let near = closest(name, known).and_then(find);
    let names: Vec<&str> = methods::ALL.iter().map(|d| d.name).collect();
    Error::usage(format!("unknown method of fusion '{name}'"))
        .hint_maybe(near.map(|definition| format!("did you mean {}?", definition.name)))
        .hint(format!("known methods: {}", names.join(", ")))
}

fn parse_value(definition: &Definition, parameter: &Parameter, text: &str) -> Result<Value> {
    let wrong = |expected: String| {
        Error::usage(format!(
            "{}: expected {expected} as {}, found '{text}'",
            definition.name, parameter.name
        ))
    };
    match parameter.kind {
        ParameterKind::Number { min, max, .. } => {
            let number: f64 = text.parse().unwrap_or(f64::NAN);
            match number.is_finite() && (min..=max).contains(&number) {
                true => Ok(Value::Number(number + 0.0)),
                false if max.is_finite() => Err(wrong(format!("a number from {min} to {max}"))),
                false => Err(wrong(format!("a number from {min} up"))),
            }
        }
        ParameterKind::Whole { min, .. } => match text.parse::<u32>() {
            Ok(number) if number as usize >= min => Ok(Value::Number(f64::from(number))),
            _ => Err(wrong(format!("a whole number from {min} up"))),
        },
        ParameterKind::Weights => {
            let weights: Option<Vec<f64>> = text
                .split(',')
                .map(|part| part.trim().parse().ok())
                .map(|weight| weight.filter(|weight: &f64| weight.is_finite() && *weight >= 0.0))
                .map(|weight| weight.map(|weight| weight + 0.0))
                .collect();
            match weights {
                Some(weights) if weights.iter().any(|weight| *weight > 0.0) => {
                    Ok(Value::Weights(weights))
                }
                Some(_) => Err(wrong("a weight above 0 among those".to_owned())),
                None => Err(wrong("numbers from 0 up with commas between".to_owned())),
            }
        }
    }
}
