//! Which measures `-m` asks for.

use mrmr_core::closest;

use super::family::Family;
use super::measures::ALL;
use super::options::{Failure, Version};

/// A measure that is asked for, with what stands behind the point.
#[derive(Clone, Debug)]
pub(super) struct Selected {
    pub(super) family: &'static Family,
    pub(super) given: Option<String>,
}

const OFFICIAL: &[&str] = &[
    "runid",
    "num_q",
    "num_ret",
    "num_rel",
    "num_rel_ret",
    "map",
    "gm_map",
    "Rprec",
    "bpref",
    "recip_rank",
    "iprec_at_recall",
    "P",
];
const SET: &[&str] = &[
    "runid",
    "num_q",
    "num_ret",
    "num_rel",
    "num_rel_ret",
    "utility",
    "set_P",
    "set_recall",
    "set_relative_P",
    "set_map",
    "set_F",
];
/// What `all_trec` leaves out.
const NOT_IN_ALL: &[&str] = &["dcg", "ideal_dcg", "yaap"];

/// The measures that are asked for, in trec_eval's order. Of several parameter lists of a measure the first counts.
pub(super) fn select(version: Version, texts: &[&str]) -> Result<Vec<Selected>, Failure> {
    let known = || ALL.iter().filter(|family| family.since <= version);
    let mut wanted: Vec<&str> = Vec::new();
    let mut given: Vec<(&str, &str)> = Vec::new();
    for text in texts {
        let name = match text.split_once('.') {
            None => text,
            Some((name, "")) => {
                return Err(Failure::new(
                    1,
                    format!(
                        "trec_eval: improper measure in parameter '{name}'\ntrec_eval: illegal measure '{name}'"
                    ),
                ));
            }
            Some((name, parameters)) => {
                given.push((name, parameters));
                name
            }
        };
        match name {
            "official" => wanted.extend(OFFICIAL),
            "set" => wanted.extend(SET),
            "all_trec" => wanted.extend(
                known()
                    .map(|family| family.name)
                    .filter(|name| !NOT_IN_ALL.contains(name)),
            ),
            _ if known().any(|family| family.name == name) => wanted.push(name),
            _ => {
                let names = ["official", "set", "all_trec"].into_iter();
                let names = names.chain(known().map(|family| family.name));
                let hint = closest(name, names).map(|near| format!("did you mean {near}?"));
                let failure = Failure::new(1, format!("trec_eval: illegal measure '{name}'"));
                return Err(failure.hint(hint));
            }
        }
    }
    let selected = known().filter(|family| wanted.contains(&family.name));
    Ok(selected
        .map(|family| Selected {
            family,
            given: given
                .iter()
                .find(|(name, _)| *name == family.name)
                .map(|(_, parameters)| (*parameters).to_owned()),
        })
        .collect())
}
