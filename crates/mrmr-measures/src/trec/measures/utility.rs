//! A weighted sum of the four cells of the table retrieved x relevant.

use super::super::arguments::{Arguments, Parameters};
use super::super::family::{Compute, Family};
use super::super::judged::Judged;
use super::super::options::Failure;

/// Weights of: relevant retrieved, other retrieved, relevant not retrieved, other not retrieved.
pub(super) const UTILITY: Family = Family {
    compute: Compute::Checked(utility),
    ..Family::mean(
        "utility",
        Parameters::Numbers(&[1.0, -1.0, 0.0, 0.0]),
        |_, _, _| {},
    )
};

fn utility(query: &Judged, arguments: &Arguments, values: &mut [f64]) -> Result<(), Failure> {
    let [a, b, c, d] = arguments.numbers() else {
        return Err(Failure::new(
            4,
            "trec_eval.calc_utility: improper number of coefficients\n\
             trec_eval: Can't calculate measure 'utility'",
        ));
    };
    let (retrieved, relevant, both) = (query.retrieved(), query.relevant, query.relevant_retrieved);
    let neither = query.collection.saturating_add(both - retrieved - relevant);
    values[0] = a * both as f64
        + b * (retrieved - both) as f64
        + c * (relevant - both) as f64
        + d * neither as f64;
    Ok(())
}
