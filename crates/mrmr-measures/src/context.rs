//! What a measure may know of the judgements when it is bound to them.

use mrmr_core::{Error, Qrels, Result};

use crate::spec::MeasureSpec;

/// The judgements that a measure is bound to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context<'a> {
    pub(crate) qrels: &'a Qrels,
    /// The highest grade of all queries; 0 where there is no judgement.
    pub(crate) max_grade: f64,
}

impl<'a> Context<'a> {
    pub(crate) fn new(qrels: &'a Qrels) -> Self {
        Context {
            qrels,
            max_grade: qrels.max_grade().unwrap_or(0.0),
        }
    }

    /// The highest grade there is: `max_rel`, else that of the qrels.
    pub(crate) fn max_rel(&self, spec: &MeasureSpec) -> Result<f64> {
        match spec.optional("max_rel") {
            Some(given) if given < self.max_grade => Err(Error::usage(format!(
                "{spec}: the qrels hold grade {}, above max_rel",
                self.max_grade
            ))
            .hint(format!("give max_rel={} or more", self.max_grade))),
            Some(given) => Ok(given),
            None => Ok(self.max_grade),
        }
    }
}
