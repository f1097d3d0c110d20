//! The text form of a test, and back.

use std::fmt;
use std::str::FromStr;

use mrmr_core::{Error, Result, closest};

use super::{PERMUTATIONS, PairedTest};
use crate::statistics::SEED;

impl fmt::Display for PairedTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PairedTest::Randomization { permutations, seed } => {
                let mut parameters = Vec::new();
                if *permutations != PERMUTATIONS {
                    parameters.push(format!("permutations={permutations}"));
                }
                if *seed != SEED {
                    parameters.push(format!("seed={seed}"));
                }
                f.write_str("randomization")?;
                if parameters.is_empty() {
                    return Ok(());
                }
                write!(f, "({})", parameters.join(","))
            }
            PairedTest::T => f.write_str("t"),
            PairedTest::Wilcoxon => f.write_str("wilcoxon"),
            PairedTest::Sign => f.write_str("sign"),
        }
    }
}

impl FromStr for PairedTest {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (name, parameters) = match text.split_once('(') {
            Some((name, rest)) => (name, rest.strip_suffix(')')),
            None => (text, Some("")),
        };
        let parameters = parameters
            .ok_or_else(|| Error::usage(format!("'{text}' lacks a closing parenthesis")))?;
        let test = match name {
            "randomization" => randomization_from(parameters)?,
            "t" => PairedTest::T,
            "wilcoxon" => PairedTest::Wilcoxon,
            "sign" => PairedTest::Sign,
            _ => {
                let error = format!(
                    "there is no paired test '{name}'; there are {}",
                    PairedTest::NAMES.join(", ")
                );
                let guess = closest(name, PairedTest::NAMES);
                return Err(Error::usage(error)
                    .hint_maybe(guess.map(|guess| format!("did you mean {guess}?"))));
            }
        };
        match test {
            PairedTest::Randomization { .. } => Ok(test),
            _ if parameters.is_empty() => Ok(test),
            _ => Err(Error::usage(format!("{name} takes no parameters"))),
        }
    }
}

fn randomization_from(parameters: &str) -> Result<PairedTest> {
    let (mut permutations, mut seed) = (PERMUTATIONS, SEED);
    for parameter in parameters.split(',').filter(|part| !part.trim().is_empty()) {
        let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
        let (name, value) = (name.trim(), value.trim());
        let wrong = |expected: &str| {
            Error::usage(format!(
                "randomization({name}=) takes {expected}, not '{value}'"
            ))
        };
        match name {
            "permutations" => {
                permutations = value
                    .parse()
                    .ok()
                    .filter(|count| *count > 0)
                    .ok_or_else(|| wrong("a whole number above 0"))?;
            }
            "seed" => seed = value.parse().map_err(|_| wrong("a whole number"))?,
            _ => {
                return Err(Error::usage(format!(
                    "randomization takes no parameter '{name}'; it takes permutations (default {PERMUTATIONS}), seed (default {SEED})"
                )));
            }
        }
    }
    Ok(PairedTest::Randomization { permutations, seed })
}
