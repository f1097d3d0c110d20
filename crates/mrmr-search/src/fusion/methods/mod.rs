//! One method a file.

mod bayesfuse;
mod borda;
mod comb_anz;
mod comb_gmnz;
mod comb_max;
mod comb_med;
mod comb_min;
mod comb_mnz;
mod comb_sum;
mod condorcet;
mod isr;
mod log_isr;
mod logn_isr;
mod mapfuse;
mod mixed;
mod posfuse;
mod probfuse;
mod rbc;
mod rrf;
mod segfuse;
mod slidefuse;
mod wborda;
mod wcondorcet;
mod wmnz;
mod wrrf;
mod wsum;

use super::definition::Definition;

/// Every method there is: untrained, then trained.
pub(super) const ALL: &[&Definition] = &[
    &comb_min::DEFINITION,
    &comb_max::DEFINITION,
    &comb_med::DEFINITION,
    &comb_sum::DEFINITION,
    &comb_anz::DEFINITION,
    &comb_mnz::DEFINITION,
    &comb_gmnz::DEFINITION,
    &isr::DEFINITION,
    &log_isr::DEFINITION,
    &logn_isr::DEFINITION,
    &rrf::DEFINITION,
    &wrrf::DEFINITION,
    &rbc::DEFINITION,
    &wsum::DEFINITION,
    &wmnz::DEFINITION,
    &mixed::DEFINITION,
    &borda::DEFINITION,
    &wborda::DEFINITION,
    &condorcet::DEFINITION,
    &wcondorcet::DEFINITION,
    &mapfuse::DEFINITION,
    &posfuse::DEFINITION,
    &probfuse::DEFINITION,
    &segfuse::DEFINITION,
    &slidefuse::DEFINITION,
    &bayesfuse::DEFINITION,
];
