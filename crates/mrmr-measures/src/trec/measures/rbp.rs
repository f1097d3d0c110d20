//! Rank-biased precision and its residual (Moffat & Zobel 2008).

use super::super::arguments::{Arguments, Parameters};
use super::super::family::Family;
use super::super::gains::Gains;
use super::super::options::Version;

/// Rank-biased precision. trec_eval 10.0 scales the gains by memory that was never set; here they are
/// scaled to 0..1 over the grades of the query where one is outside of it.
pub(super) const RBP: Family = Family {
    since: Version::V10,
    ..Family::mean("rbp", Parameters::Pairs, |query, arguments, values| {
        let gains = Gains::new(query, arguments.pairs());
        let all = || gains.0.iter().map(|gain| gain.gain);
        let (lowest, highest) = (all().fold(0.0, f64::min), all().fold(0.0, f64::max));
        let (from, range) = if lowest < 0.0 || highest > 1.0 {
            (lowest, highest - lowest)
        } else {
            (0.0, 1.0)
        };
        let p = persistence(arguments);
        let mut weight = 1.0;
        let mut sum = 0.0;
        for grade in &query.grades {
            // A document without a judgement has no gain to scale.
            if let Some(gain) = gains.known(*grade) {
                sum += weight * (gain - from) / range;
            }
            weight *= p;
        }
        values[0] = (1.0 - p) * sum;
    })
};

/// What documents without a judgement, and those that were not retrieved, could add.
pub(super) const RESIDUAL: Family = Family {
    since: Version::V10,
    ..Family::mean(
        "rbp_resid",
        Parameters::Pairs,
        |query, arguments, values| {
            let p = persistence(arguments);
            let mut weight = 1.0;
            let mut unjudged = None;
            for grade in &query.grades {
                if *grade < 0 {
                    unjudged = Some(unjudged.unwrap_or(0.0) + weight);
                }
                weight *= p;
            }
            // 0, not the weight of what was not retrieved, where all documents are judged.
            if let Some(unjudged) = unjudged {
                values[0] = weight + (1.0 - p) * unjudged;
            }
        },
    )
};

/// The last `p=`, else 0.9.
fn persistence(arguments: &Arguments) -> f64 {
    let given = arguments.pairs().iter().rev();
    let mut given = given.filter(|(name, _)| name == "p");
    given.next().map_or(0.9, |(_, p)| *p)
}
