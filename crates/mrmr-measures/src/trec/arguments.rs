//! What stands behind the point of `-m P.5,10`.

use super::number::{leading_integer, leading_number};
use super::options::Failure;

/// What a measure takes behind the point.
#[derive(Clone, Copy, Debug)]
pub(super) enum Parameters {
    /// Nothing; whatever is given is ignored.
    None,
    /// Ranks, sorted; one value each.
    Cutoffs(&'static [i64]),
    /// Decimals, sorted; one value each.
    Shares(&'static [f64]),
    /// Decimals in order; one value.
    Numbers(&'static [f64]),
    /// `name=decimal`; one value.
    Pairs,
}

/// The parameters of a measure as they hold.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Arguments {
    None,
    Cutoffs(Vec<i64>),
    Numbers(Vec<f64>),
    Pairs(Vec<(String, f64)>),
}

impl Arguments {
    /// Ranks; none where the measure takes something else.
    pub(super) fn cutoffs(&self) -> &[i64] {
        match self {
            Arguments::Cutoffs(cutoffs) => cutoffs,
            _ => &[],
        }
    }

    /// Decimals; none where the measure takes something else.
    pub(super) fn numbers(&self) -> &[f64] {
        match self {
            Arguments::Numbers(numbers) => numbers,
            _ => &[],
        }
    }

    /// Named decimals; none where the measure takes something else.
    pub(super) fn pairs(&self) -> &[(String, f64)] {
        match self {
            Arguments::Pairs(pairs) => pairs,
            _ => &[],
        }
    }
}

/// The names of the values of a measure, and its arguments.
pub(super) fn bind(
    name: &str,
    parameters: Parameters,
    given: Option<&str>,
) -> Result<(Vec<String>, Arguments), Failure> {
    let one = || match given {
        Some(given) => vec![format!("{name}_{given}")],
        None => vec![name.to_owned()],
    };
    let texts = given.map(|given| given.split(','));
    match parameters {
        Parameters::None => Ok((vec![name.to_owned()], Arguments::None)),
        Parameters::Cutoffs(usual) => {
            let mut cutoffs = texts.map_or_else(
                || usual.to_vec(),
                |texts| texts.map(leading_integer).collect(),
            );
            cutoffs.sort_unstable();
            if cutoffs.first().is_some_and(|first| *first <= 0) {
                return Err(refused(name, "trec_eval: Negative cutoff detected"));
            }
            distinct(name, &cutoffs)?;
            let names = cutoffs.iter().map(|cutoff| format!("{name}_{cutoff}"));
            Ok((names.collect(), Arguments::Cutoffs(cutoffs)))
        }
        Parameters::Shares(usual) => {
            let mut shares = texts.map_or_else(
                || usual.to_vec(),
                |texts| texts.map(leading_number).collect(),
            );
            shares.sort_unstable_by(f64::total_cmp);
            distinct(name, &shares)?;
            let names = shares.iter().map(|share| share_name(name, *share));
            Ok((names.collect(), Arguments::Numbers(shares)))
        }
        Parameters::Numbers(usual) => {
            let numbers = texts.map_or_else(
                || usual.to_vec(),
                |texts| texts.map(leading_number).collect(),
            );
            Ok((one(), Arguments::Numbers(numbers)))
        }
        Parameters::Pairs => {
            let pairs = given.map_or_else(|| Ok(Vec::new()), |given| pairs(name, given))?;
            Ok((one(), Arguments::Pairs(pairs)))
        }
    }
}

/// There is room for eight characters of the number.
fn share_name(name: &str, share: f64) -> String {
    let mut number = format!("{share:.2}");
    number.truncate(8);
    format!("{name}_{number}")
}

fn pairs(name: &str, given: &str) -> Result<Vec<(String, f64)>, Failure> {
    let pairs: Option<Vec<(String, f64)>> = given
        .split(',')
        .map(|pair| {
            let (key, value) = pair.split_once('=')?;
            let pair = (key.to_owned(), leading_number(value));
            (!value.contains('=')).then_some(pair)
        })
        .collect();
    pairs.ok_or_else(|| {
        refused(
            name,
            &format!("trec_eval: malformed pair parameters in '{given}'"),
        )
    })
}

fn distinct<T: PartialEq>(name: &str, sorted: &[T]) -> Result<(), Failure> {
    if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(refused(name, "trec_eval: duplicate cutoffs detected"));
    }
    Ok(())
}

fn refused(name: &str, why: &str) -> Failure {
    Failure::new(
        2,
        format!("{why}\ntrec_eval: Cannot initialize measure '{name}'"),
    )
}
