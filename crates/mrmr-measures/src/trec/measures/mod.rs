//! The measures, one family a file, in trec_eval's order.

mod average_precision;
mod bpref;
mod counts;
mod cutoffs;
mod g;
mod inferred;
mod interpolated;
mod ndcg;
mod ndcg_cut;
mod ndcg_rel;
mod r_precision;
mod rbp;
mod recip_rank;
mod relstring;
mod rndcg;
mod sets;
mod utility;

use super::family::Family;

/// Every measure, in the order in which they are printed.
pub(super) static ALL: &[Family] = &[
    counts::RUN_NAME,
    counts::QUERIES,
    counts::RETRIEVED,
    counts::RELEVANT,
    counts::RELEVANT_RETRIEVED,
    average_precision::MAP,
    average_precision::GM_MAP,
    r_precision::R_PRECISION,
    bpref::BPREF,
    recip_rank::RECIP_RANK,
    interpolated::AT_RECALL,
    cutoffs::PRECISION,
    relstring::RELSTRING,
    cutoffs::RECALL,
    inferred::INFERRED_AP,
    bpref::GM_BPREF,
    r_precision::MULTIPLES,
    utility::UTILITY,
    interpolated::ELEVEN_POINTS,
    g::BINARY_G,
    g::G,
    ndcg::DCG,
    ndcg::IDEAL_DCG,
    ndcg::NDCG,
    ndcg_rel::NDCG_REL,
    rndcg::RNDCG,
    ndcg_cut::NDCG_CUT,
    average_precision::MAP_CUT,
    cutoffs::RELATIVE_PRECISION,
    cutoffs::SUCCESS,
    sets::PRECISION,
    sets::RELATIVE_PRECISION,
    sets::RECALL,
    sets::MAP,
    sets::F,
    counts::NONRELEVANT_RETRIEVED,
    average_precision::YAAP,
    rbp::RBP,
    rbp::RESIDUAL,
    cutoffs::UNJUDGED,
];

/// The ranks that measures are cut at unless told otherwise.
const CUTOFFS: &[i64] = &[5, 10, 15, 20, 30, 100, 200, 500, 1000];
