//! The runs of other systems as one.

use mrmr_core::{Result, Run};
use mrmr_search::fusion::{Fusion as _, FusionSpec};

use super::super::step::{self, Answering, Context, Product};
use crate::store::{AnswerNotes, Answers, Key};

/// A fusion of the runs of earlier steps, in their order.
pub(in super::super) struct FuseWork {
    pub(in super::super) spec: FusionSpec,
    /// The systems whose runs they are.
    pub(in super::super) names: Vec<String>,
}

impl FuseWork {
    /// The key, of those of the runs.
    pub(in super::super) fn key(&self, runs: &[Key]) -> Key {
        Key::of("fuse", |hash| {
            let spec = &self.spec;
            hash.text(&format!(
                "{} {} {:?} {:?}",
                spec.method, spec.normalization, spec.depth, spec.keep
            ));
            runs.iter().for_each(|key| hash.bytes(key.as_bytes()));
        })
    }
}

impl Answering for FuseWork {
    fn answer(&self, _: &Key, needs: &[Product], _: &Context<'_>, _: bool) -> Result<Answers> {
        let mut notes = AnswerNotes::default();
        let mut runs: Vec<&Run> = Vec::with_capacity(needs.len());
        for need in needs {
            let answers = step::answers(Some(need))?;
            notes.add(&answers.notes);
            runs.push(&answers.run);
        }
        let fused = self.spec.fuse(&runs, "fused")?;
        for (name, lacking) in self.names.iter().zip(&fused.notes.lacking) {
            if *lacking > 0 {
                notes.warnings.push(format!(
                    "the run of {name} lacks {lacking} queries that another has: there they count as without documents"
                ));
            }
        }
        if fused.notes.infinite > 0 {
            notes.warnings.push(format!(
                "{} infinite scores count as one range beyond the others",
                fused.notes.infinite
            ));
        }
        Ok(Answers {
            run: fused.run,
            notes,
        })
    }
}
