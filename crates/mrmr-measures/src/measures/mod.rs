//! The measures, one a file.

mod alpha_ndcg;
mod ap;
mod bpref;
mod compat;
mod dcg;
mod diversity;
mod err;
mod err_ia;
mod f;
mod gmap;
mod inf_ap;
mod iprec;
mod judged;
mod ndcg;
mod nerr;
mod num_q;
mod num_rel;
mod num_rel_ret;
mod num_ret;
mod p;
mod r;
mod r_cap;
mod rbp;
mod rprec;
mod rr;
mod set_ap;
mod set_f;
mod set_p;
mod set_r;
mod success;
mod unjudged;

use crate::definition::{Alias, Definition};

/// Every measure, by name.
pub(crate) static ALL: &[&Definition] = &[
    &alpha_ndcg::DEFINITION,
    &ap::DEFINITION,
    &bpref::DEFINITION,
    &compat::DEFINITION,
    &dcg::DEFINITION,
    &err::DEFINITION,
    &err_ia::DEFINITION,
    &f::DEFINITION,
    &gmap::DEFINITION,
    &inf_ap::DEFINITION,
    &iprec::DEFINITION,
    &judged::DEFINITION,
    &ndcg::DEFINITION,
    &nerr::DEFINITION,
    &num_q::DEFINITION,
    &num_rel::DEFINITION,
    &num_rel_ret::DEFINITION,
    &num_ret::DEFINITION,
    &p::DEFINITION,
    &r::DEFINITION,
    &r_cap::DEFINITION,
    &rbp::DEFINITION,
    &rprec::DEFINITION,
    &rr::DEFINITION,
    &set_ap::DEFINITION,
    &set_f::DEFINITION,
    &set_p::DEFINITION,
    &set_r::DEFINITION,
    &success::DEFINITION,
    &unjudged::DEFINITION,
];

type Found = (&'static Definition, Option<&'static Alias>);

/// The measure of a name (exactly), else of an alias or a name in any case.
pub(crate) fn find(name: &str) -> Option<Found> {
    match ALL.iter().find(|d| d.name == name) {
        Some(definition) => Some((definition, None)),
        None => find_alias_first(name),
    }
}

/// The measure of an alias, else of a name, in any case: where a number stands behind it, the alias says what
/// that means.
pub(crate) fn find_alias_first(name: &str) -> Option<Found> {
    let lower = name.to_ascii_lowercase();
    for definition in ALL {
        if let Some(alias) = definition.aliases.iter().find(|a| a.name == lower) {
            return Some((definition, Some(alias)));
        }
    }
    let definition = ALL.iter().find(|d| d.name.to_ascii_lowercase() == lower)?;
    Some((definition, None))
}
