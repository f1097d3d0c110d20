//! The measures, one a file.

mod ap;
mod dcg;
mod f;
mod judged;
mod ndcg;
mod num_q;
mod num_rel;
mod num_rel_ret;
mod num_ret;
mod p;
mod r;
mod r_cap;
mod rprec;
mod rr;
mod success;
mod unjudged;

use crate::definition::Definition;

/// Every measure, by name.
pub(crate) static ALL: &[&Definition] = &[
    &ap::DEFINITION,
    &dcg::DEFINITION,
    &f::DEFINITION,
    &judged::DEFINITION,
    &ndcg::DEFINITION,
    &num_q::DEFINITION,
    &num_rel::DEFINITION,
    &num_rel_ret::DEFINITION,
    &num_ret::DEFINITION,
    &p::DEFINITION,
    &r::DEFINITION,
    &r_cap::DEFINITION,
    &rprec::DEFINITION,
    &rr::DEFINITION,
    &success::DEFINITION,
    &unjudged::DEFINITION,
];

type Implied = &'static [(&'static str, &'static str)];

/// The measure of a name (exactly), else of an alias or a name in any case.
pub(crate) fn find(name: &str) -> Option<(&'static Definition, Implied)> {
    if let Some(definition) = ALL.iter().find(|d| d.name == name) {
        return Some((definition, &[]));
    }
    let lower = name.to_ascii_lowercase();
    for definition in ALL {
        if let Some(alias) = definition.aliases.iter().find(|a| a.name == lower) {
            return Some((definition, alias.implies));
        }
    }
    let definition = ALL.iter().find(|d| d.name.to_ascii_lowercase() == lower)?;
    Some((definition, &[]))
}
